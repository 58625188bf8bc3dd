package web_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

func TestOnlyWhileItRuns(t *testing.T) {
	p := newPage(t, nil)
	requests := []struct{ method, path string }{
		{"POST", "/api/v1/rooms/lobby/messages"},
		{"GET", "/api/v1/rooms/lobby/messages"},
		{"GET", "/api/v1/rooms/lobby/events"},
		{"GET", "/api/v1/files/f1"},
		{"GET", "/api/v1/turns/1"},
		{"GET", "/api/v1/turns?message=m1"},
		{"GET", "/readyz"},
	}
	notNow := func() {
		t.Helper()
		for _, r := range requests {
			a := p.answer(p.request(r.method, r.path, `{"text":"Hi"}`))
			if why := errorOf(t, a.body); a.status != 503 || why != "Aside is starting or stopping; try again in a moment" || a.header.Get("Retry-After") != "1" {
				t.Errorf("%s %s: got %d %q", r.method, r.path, a.status, why)
			}
		}
		if status, body := p.do("GET", "/healthz", ""); status != 200 || body != "ok\n" {
			t.Errorf("/healthz is %d %q", status, body)
		}
	}
	notNow()
	for range 2 { // it can be run again
		p.start()
		p.post("lobby", `{"text":"Hi"}`)
		if status, body := p.do("GET", "/readyz", ""); status != 200 || body != "ok\n" {
			t.Errorf("/readyz is %d %q", status, body)
		}
		p.endRun()
		notNow()
	}
}

func TestItRunsOnce(t *testing.T) {
	p := newRunningPage(t, nil)
	if err := p.Run(t.Context(), p.inbox); err == nil {
		t.Error("it runs twice at once")
	}
	p.post("lobby", `{"text":"Hi"}`)
}

func TestRunWaitsForTheMessageOnItsWay(t *testing.T) {
	tests := []struct {
		name    string
		patient bool
		status  int
		stored  int
	}{
		{"which is still stored", true, http.StatusAccepted, 1},
		{"which was given up, so that its sender tries again", false, http.StatusServiceUnavailable, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newPage(t, nil)
			arrived, goOn := make(chan struct{}), make(chan struct{})
			p.inbox.patient, p.inbox.givenUp = test.patient, !test.patient
			p.inbox.before = func(platform.Message) error {
				close(arrived)
				<-goOn
				return nil
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- p.Run(ctx, p.inbox) }()
			p.awaitReady(http.StatusOK)
			answered := make(chan int, 1)
			go func() {
				status, _ := p.do("POST", "/api/v1/rooms/lobby/messages", `{"text":"Hi"}`)
				answered <- status
			}()
			<-arrived
			cancel()
			p.awaitReady(http.StatusServiceUnavailable)
			select {
			case <-ended:
				t.Error("Run has not waited")
			default:
			}
			close(goOn)
			if status := <-answered; status != test.status {
				t.Errorf("got %d, want %d", status, test.status)
			}
			if err := <-ended; err != nil {
				t.Errorf("Run ended with %v", err)
			}
			got, err := p.log.Entries(t.Context(), "lobby", "", 10)
			if err != nil || len(got) != test.stored || len(p.inbox.received()) != test.stored {
				t.Errorf("received %v, in the room %v, %v", p.inbox.received(), got, err)
			}
		})
	}
}

func TestAMessageIsStoredThoughItsSenderIsGone(t *testing.T) {
	p := newPage(t, nil)
	ctx, leave := context.WithCancel(t.Context())
	stored := make(chan struct{})
	p.inbox.before = func(platform.Message) error { leave(); return nil }
	p.inbox.after = func(platform.Message) { close(stored) }
	p.start()
	r := p.request("POST", "/api/v1/rooms/lobby/messages", `{"text":"Hi"}`).WithContext(ctx)
	if response, err := p.server.Client().Do(r); err == nil {
		response.Body.Close()
	}
	<-stored
	p.endRun() // waits until it is in the log too
	if got, err := p.log.Entries(t.Context(), "lobby", "", 10); len(got) != 1 || err != nil {
		t.Errorf("the room has %+v, %v", got, err)
	}
}

func TestReceipts(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) { o.Agent = "Robin" })
	ctx := t.Context()
	message := p.post("lobby", `{"text":"Hi"}`)
	first := p.Post(ctx, platform.Post{Key: "turn-1", Room: lobby, Text: "Hello"})
	if first.Outcome != platform.Delivered || len(first.ID) != 23 || first.ID[0] != 'a' {
		t.Fatalf("got %+v", first)
	}
	if again := p.Post(ctx, platform.Post{Key: "turn-1", Room: lobby, Text: "Hello"}); again != first {
		t.Errorf("the same key again is %+v, want %+v", again, first)
	}
	got := p.messages("lobby", "")
	if len(got) != 2 || got[1].Author != "Robin" || got[1].Kind != "agent" {
		t.Fatalf("the room has %+v", got)
	}

	tests := []struct {
		name    string
		do      func() platform.Receipt
		outcome platform.Outcome
		reason  string
	}{
		{"an edit", func() platform.Receipt { return p.Edit(ctx, lobby, first.ID, "Hello!") }, platform.Delivered, ""},
		{"the same edit again", func() platform.Receipt { return p.Edit(ctx, lobby, first.ID, "Hello!") }, platform.Delivered, ""},
		{
			"an edit of what a person wrote", func() platform.Receipt { return p.Edit(ctx, lobby, message, "Bye") },
			platform.Refused, "only the agent's own posts can be edited",
		},
		{"a reaction", func() platform.Receipt { return p.React(ctx, lobby, message, "👍") }, platform.Delivered, ""},
		{"the same reaction again", func() platform.Receipt { return p.React(ctx, lobby, message, "👍") }, platform.Delivered, ""},
		{"a reaction taken off", func() platform.Receipt { return p.Unreact(ctx, lobby, message, "👍") }, platform.Delivered, ""},
		{"a reaction taken off again", func() platform.Receipt { return p.Unreact(ctx, lobby, message, "👍") }, platform.Delivered, ""},
		{
			"a reaction on nothing", func() platform.Receipt { return p.React(ctx, lobby, "m99", "👍") },
			platform.Refused, "it does not stand in the room any more",
		},
		{
			"a reaction in the wrong room", func() platform.Receipt {
				return p.React(ctx, platform.Room{Platform: "web", ID: "attic"}, message, "👍")
			},
			platform.Refused, "it does not stand in the room any more",
		},
		{
			"a post in a room that cannot be", func() platform.Receipt {
				return p.Post(ctx, platform.Post{Key: "turn-2", Room: platform.Room{Platform: "web", ID: "a b"}})
			},
			platform.Refused, "the web page has no such room: a room is 1 to 100 letters (a to z), digits, - _ or .",
		},
		{"a deletion", func() platform.Receipt { return p.Delete(ctx, lobby, first.ID) }, platform.Delivered, ""},
		{"the same deletion again", func() platform.Receipt { return p.Delete(ctx, lobby, first.ID) }, platform.Delivered, ""},
		{
			"an edit of what was deleted", func() platform.Receipt { return p.Edit(ctx, lobby, first.ID, "Hello") },
			platform.Refused, "it does not stand in the room any more",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.do(); got.Outcome != test.outcome || got.Reason != test.reason {
				t.Errorf("got %+v, want %s %q", got, test.outcome, test.reason)
			}
		})
	}
}

func TestReceiptsOfALogThatFails(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name string
		ctx  context.Context
		err  error
		want platform.Receipt
	}{
		{
			"an error is a failure with a reason for a person", t.Context(), errors.New("disk on fire"),
			platform.Receipt{Outcome: platform.Failed, Reason: "the room could not be written; the log says why"},
		},
		{
			"a context that ended leaves it open", ended, errors.New("interrupted"),
			platform.Receipt{Outcome: platform.Unknown, Reason: "it was interrupted"},
		},
		{
			"so does a deadline of the log's own", t.Context(), context.DeadlineExceeded,
			platform.Receipt{Outcome: platform.Unknown, Reason: "it was interrupted"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newPage(t, func(o *web.Options) { o.Log = brokenLog{err: test.err} })
			for what, got := range map[string]platform.Receipt{
				"post":    p.Post(test.ctx, platform.Post{Key: "1", Room: lobby, Text: "Hi"}),
				"edit":    p.Edit(test.ctx, lobby, "a1", "Hi"),
				"delete":  p.Delete(test.ctx, lobby, "a1"),
				"react":   p.React(test.ctx, lobby, "m1", "👍"),
				"unreact": p.Unreact(test.ctx, lobby, "m1", "👍"),
			} {
				if got != test.want {
					t.Errorf("%s: got %+v, want %+v", what, got, test.want)
				}
			}
		})
	}
}

func TestWhatItIs(t *testing.T) {
	p := newPage(t, nil)
	if got, want := p.Limits(), (platform.Limits{EditEvery: 50 * time.Millisecond, FileSize: 20 << 20}); p.Name() != "web" || got != want {
		t.Errorf("%s has %+v, want %+v", p.Name(), got, want)
	}
}

func TestDefaults(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) { *o = web.Options{Log: o.Log, Listen: o.Listen} })
	p.follow("lobby", "")
	first, second := p.post("lobby", `{"text":"a"}`), p.post("lobby", `{"text":"b"}`)
	if first == second || time.Since(p.messages("lobby", "")[0].At) > time.Hour {
		t.Errorf("ids are %s and %s", first, second)
	}
}
