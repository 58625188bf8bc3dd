package web_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asidehq/aside/platform/web"
)

// A door is a page that counts tries, at a time that the test moves.
type door struct {
	*page
	ahead atomic.Int64 // of noon
}

func newDoor(t *testing.T, public string) *door {
	t.Helper()
	d := &door{}
	d.page = newPage(t, func(o *web.Options) {
		o.Token, o.PublicURL = token, public
		o.Now = func() time.Time { return noon.Add(time.Duration(d.ahead.Load())) }
	})
	return d
}

func (d *door) later(by time.Duration) { d.ahead.Add(int64(by)) }

// try knocks from an address, and is the status and how long it says to wait.
func (d *door) try(from, with string, headers ...string) (status int, wait string) {
	d.t.Helper()
	r := httptest.NewRequest("POST", "http://127.0.0.1:0/login", strings.NewReader(`{"token":"`+with+`"}`))
	r.RemoteAddr = from
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	answer := httptest.NewRecorder()
	d.server.Config.Handler.ServeHTTP(answer, r)
	if answer.Code == 429 && !strings.Contains(answer.Body.String(), "the token was wrong too often; try again in "+answer.Header().Get("Retry-After")+" seconds") {
		d.t.Errorf("it says %s", answer.Body)
	}
	return answer.Code, answer.Header().Get("Retry-After")
}

// wrong tries a wrong token so often, and each time is told that it is.
func (d *door) wrong(times int, from string, headers ...string) {
	d.t.Helper()
	for n := range times {
		if status, _ := d.try(from, "wrong", headers...); status != 401 {
			d.t.Fatalf("try %d from %s was answered with %d", n+1, from, status)
		}
	}
}

// is asks how a try is answered.
func (d *door) is(status int, wait, from, with string, headers ...string) {
	d.t.Helper()
	if got, after := d.try(from, with, headers...); got != status || after != wait {
		d.t.Errorf("a try from %s is answered with %d, and to wait %q; want %d, %q", from, got, after, status, wait)
	}
}

func TestAnAddressThatGuessesHasToWait(t *testing.T) {
	d := newDoor(t, "")
	const here, other = "192.0.2.1:1000", "192.0.2.2:1000"
	d.wrong(10, here)
	d.is(429, "60", here, "wrong")
	d.is(429, "60", "192.0.2.1:2000", "wrong") // the port does not matter
	d.is(429, "60", here, token)               // otherwise one could go on guessing
	d.is(429, "60", here, "wrong", "X-Forwarded-For", "192.0.2.77")
	d.is(204, "", other, token) // somebody else
	d.later(59*time.Second + time.Millisecond)
	d.is(429, "1", here, token)
	d.later(time.Second)
	d.is(204, "", here, token)
	d.is(204, "", here, token) // what is right costs nothing
	d.is(401, "", here, "wrong")
	d.is(429, "60", here, "wrong")
	d.later(time.Hour)
	d.wrong(10, here)
	d.is(429, "60", here, "wrong")
}

func TestANetworkOfIPv6IsOneAddress(t *testing.T) {
	d := newDoor(t, "")
	d.wrong(5, "[2001:db8:1:2::1]:1000")
	d.wrong(5, "[2001:db8:1:2:ffff::7]:1000")
	d.is(429, "60", "[2001:db8:1:2::3]:1000", "wrong")
	d.wrong(1, "[2001:db8:1:3::1]:1000")
	d.wrong(10, "[::ffff:192.0.2.1]:1000")
	d.is(429, "60", "192.0.2.1:1000", "wrong")
}

func TestManyAddressesGuessNoFasterThanAFew(t *testing.T) {
	d := newDoor(t, "")
	for n := range 100 {
		d.wrong(1, fmt.Sprintf("192.0.2.%d:1000", n))
	}
	d.is(429, "10", "192.0.2.200:1000", "wrong")
	d.is(429, "10", "192.0.2.200:1000", token)
	d.later(10 * time.Second)
	d.is(204, "", "192.0.2.200:1000", token)
}

func TestManyTriesAtOnceAreCountedEach(t *testing.T) {
	d := newDoor(t, "")
	var wrong atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if status, _ := d.try("192.0.2.1:1000", "wrong"); status == 401 {
				wrong.Add(1)
			}
		})
	}
	all.Wait()
	if got := wrong.Load(); got != 10 {
		t.Errorf("%d tries were looked at", got)
	}
}

func TestBehindAProxyTheVisitorCounts(t *testing.T) {
	d := newDoor(t, "https://chat.example.com")
	const proxy = "127.0.0.1:1000"
	visitor := func(says ...string) []string {
		var headers []string
		for _, s := range says {
			headers = append(headers, "X-Forwarded-For", s)
		}
		return headers
	}
	d.wrong(10, proxy, visitor("192.0.2.1")...)
	d.is(429, "60", proxy, "wrong", visitor("192.0.2.1")...)
	d.is(429, "60", proxy, "wrong", visitor("198.51.100.9, 192.0.2.1")...) // what the visitor has written is before
	d.is(429, "60", proxy, "wrong", visitor("198.51.100.9", "192.0.2.1")...)
	d.is(204, "", proxy, token, visitor("192.0.2.2")...)
	d.wrong(10, proxy)
	d.is(429, "60", proxy, "wrong")
	d.wrong(10, proxy, visitor("unknown")...)
	d.is(429, "60", proxy, "wrong", visitor("something else")...)
}
