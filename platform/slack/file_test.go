package slack_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/platform"
)

func notes(text string) platform.File {
	return platform.NewFile("notes.txt", "text/plain", []byte(text))
}

func TestFilesThatWereSharedLateOrWithoutAnAnswerStandThereOnce(t *testing.T) {
	for _, test := range []struct {
		name      string
		fault     *slacktest.Fault
		slow      int
		restarted bool
	}{
		{"at once", nil, 0, false},
		{"after a while", nil, 3, false},
		{"after so long that it is asked for again", nil, 8, false},
		{"when the answer was lost", &slacktest.Fault{Done: true}, 0, false},
		{"when the answer was lost and Slack is slow", &slacktest.Fault{Done: true}, 8, false},
		{"when the answer was lost and the program restarted", &slacktest.Fault{Done: true}, 0, true},
		{"when Slack has not done it", &slacktest.Fault{Status: 502}, 0, true},
		{"when Slack asks to wait", &slacktest.Fault{Status: 429, RetryAfter: time.Second}, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			thread := d.Server.Write(d.Ada, d.General, "hi")
			d.SlowFiles(test.slow)
			post := platform.Post{Key: "one", Room: d.room(d.General, thread), Text: "**Look.**", Files: []platform.File{notes("hello")}, Created: d.clock.Now()}
			if test.fault != nil {
				d.Fail(*test.fault)
			}
			var r platform.Receipt
			for tries := 0; tries < 4 && r.Outcome != platform.Delivered; tries++ {
				r = d.Post(d.ctx, post)
				d.clock.Pass(r.RetryAfter)
				if test.restarted && tries == 0 {
					d.anew()
				}
			}
			id := d.delivered(r)
			posts := d.Posts(d.General, thread)
			if len(posts) != 1 || posts[0].TS != id || posts[0].Text != "*Look.*" || len(posts[0].Files) != 1 || string(posts[0].Files[0].Data) != "hello" {
				t.Errorf("there stands %+v", posts)
			}
			if again := d.Post(d.ctx, post); again.ID != id || len(d.Posts(d.General, thread)) != 1 {
				t.Errorf("again it is %+v", again)
			}
		})
	}
}

// Slack sometimes says yes and shares nothing. That is noticed, and made good.
func TestFilesThatSlackHasDroppedAreSharedAgain(t *testing.T) {
	d := newDesk(t)
	d.Fail(slacktest.Fault{}) // nothing is done
	post := platform.Post{Key: "one", Room: d.room(d.General, ""), Files: []platform.File{notes("hello")}, Created: d.clock.Now()}
	if r := d.Post(d.ctx, post); r.Outcome != platform.Unknown {
		t.Fatalf("it is %s", r.Outcome)
	}
	if r := d.Post(d.ctx, post); r.Outcome != platform.Unknown || len(d.Posts(d.General, "")) != 0 {
		t.Errorf("at once it is %s", r.Outcome)
	}
	d.clock.Pass(2 * time.Minute)
	d.delivered(d.Post(d.ctx, post))
	if len(d.Posts(d.General, "")) != 1 {
		t.Error("it does not stand there")
	}
}

func TestFilesThatSlackDoesNotTake(t *testing.T) {
	d := newDesk(t)
	for name, f := range map[string]platform.File{
		"an empty one":   platform.NewFile("empty.txt", "", []byte{}),
		"one over limit": platform.NewFile("large.bin", "", make([]byte, 1<<20+1)),
	} {
		r := d.Post(d.ctx, platform.Post{Key: name, Room: d.room(d.General, ""), Files: []platform.File{f}, Created: d.clock.Now()})
		if r.Outcome != platform.Refused || !strings.Contains(r.Reason, f.Name) {
			t.Errorf("%s is %s: %s", name, r.Outcome, r.Reason)
		}
	}
}

func TestFilesOfPeople(t *testing.T) {
	asked := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	t.Cleanup(elsewhere.Close)
	d := newDesk(t).start()
	large := make([]byte, 1<<20+1)
	for _, test := range []struct {
		name    string
		file    slacktest.File
		fetched bool
	}{
		{"one that fits", slacktest.File{Name: "a.txt", Type: "text/plain", Data: []byte("hello")}, true},
		{"one that is too large", slacktest.File{Name: "b.bin", Data: large}, false},
		{"one that is said to be elsewhere", slacktest.File{Name: "c.txt", Data: []byte("x"), URL: elsewhere.URL + "/c"}, false},
		{"one that is nowhere", slacktest.File{Name: "d.txt", Data: []byte("x"), URL: "file:///etc/passwd"}, false},
		{"one with a name that leads out", slacktest.File{Name: "../../e.txt", Data: []byte("x")}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := d.await(d.WriteLine(d.Ada, d.General, slacktest.Line{Text: "look", Files: []slacktest.File{test.file}}))
			if len(m.Files) != 1 || (m.Files[0].Data != nil) != test.fetched || strings.Contains(m.Files[0].Name, "/") || m.Files[0].Size == 0 {
				t.Errorf("it is %+v", m.Files)
			}
		})
	}
	if asked {
		t.Error("an address that is not Slack's was asked")
	}
}
