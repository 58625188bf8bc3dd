package telegram

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asidehq/aside/platform"
)

// answers is a Telegram that answers from a function.
type answers func(r *http.Request, method string) (string, error)

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := a(r, r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:])
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

type inboxFunc func(context.Context, platform.Message) error

func (f inboxFunc) Receive(ctx context.Context, m platform.Message) error { return f(ctx, m) }

// A connection can be there and bring nothing for hours. Nobody at its end can know; so
// every question has an end, and is asked again.
func TestAConnectionThatBringsNothingIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		adapter, err := New(Options{Token: "1:a-token-for-tests"})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		polls := 0
		adapter.http.Transport = answers(func(r *http.Request, method string) (string, error) {
			switch method {
			case "getMe":
				return `{"ok":true,"result":{"id":7,"is_bot":true,"first_name":"Aside","username":"aside_bot"}}`, nil
			case "getUpdates":
				if polls++; polls != 3 { // two that hang, and after the message as well
					<-r.Context().Done()
					return "", r.Context().Err()
				}
				return `{"ok":true,"result":[{"update_id":1,"message":{"message_id":5,"date":1,"chat":{"id":2,"type":"private"},"from":{"id":2,"first_name":"Ada"},"text":"are you there?"}}]}`, nil
			}
			return `{"ok":true,"result":true}`, nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan platform.Message, 1)
		ended := make(chan error, 1)
		go func() {
			ended <- adapter.Run(ctx, inboxFunc(func(_ context.Context, m platform.Message) error { got <- m; return nil }))
		}()
		m := <-got
		if took := time.Since(began); m.Text != "are you there?" || took > 5*time.Minute {
			t.Errorf("%q came after %v", m.Text, took)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// Two names of one chat would be two rooms: what is written in one would not be known in the
// other.
func TestAChatHasOneNameHoweverItIsWritten(t *testing.T) {
	adapter, err := New(Options{Token: "1:a-token-for-tests"})
	if err != nil {
		t.Fatal(err)
	}
	comesFrom := place{chat: -1001234567890}.room()
	for _, written := range []string{"-1001234567890", " -1001234567890 ", "#-1001234567890", "-01001234567890", "-1001234567890:0"} {
		if room, err := adapter.FindRoom(t.Context(), comesFrom, written); err != nil || room != comesFrom {
			t.Errorf("%q is %s, %v, and messages come from %s", written, room, err, comesFrom)
		}
	}
}
