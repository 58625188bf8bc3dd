package telegram_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform/telegram"
)

// A hook is where a webhook leads to.
type hook struct {
	t      *testing.T
	server *httptest.Server

	mu      sync.Mutex
	handler http.Handler
}

func newHook(t *testing.T) *hook {
	h := &hook{t: t}
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		handler := h.handler
		h.mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(h.server.Close)
	return h
}

func (h *hook) url() string { return h.server.URL + "/hooks/telegram" }

func (h *hook) set(handler http.Handler) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.handler = handler
}

// ask asks as Telegram does, or somebody who says so, and gives the status.
func (h *hook) ask(method, secret, body string) int {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.url(), strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	if secret != "" {
		r.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

func TestAWebhookTakesWhatTelegramBrings(t *testing.T) {
	const secret = "a-secret-of-the-hook"
	f := prepare(t)
	hook := newHook(t)
	f.adapter(func(o *telegram.Options) { o.WebhookURL, o.WebhookSecret = hook.url(), secret })
	hook.set(f.Hook())
	f.inbox.FailNext(2)
	f.run()
	if _, got := f.Webhook(); got != secret {
		t.Errorf("the secret is %q", got)
	}
	one, two := f.Write(f.Ada, f.Private, "one"), f.Write(f.Ada, f.Private, "two")
	f.arrived(two)
	if got := strings.Join(f.inbox.Texts(), " "); got != "one two" {
		t.Errorf("what came in is %q", got)
	}
	for _, id := range []string{one, two} {
		select {
		case <-f.Received(f.Private, id):
		case <-f.ctx.Done():
			t.Fatal("it was not confirmed")
		}
	}
	for _, test := range []struct {
		name, method, secret, body string
		status                     int
	}{
		{"without the secret", "POST", "", `{"update_id":1}`, 403},
		{"with a wrong one", "POST", "a-secret-of-the-hooK", `{"update_id":1}`, 403},
		{"something else than a post", "GET", secret, "", 405},
		{"what cannot be read", "POST", secret, `{`, 200},
		{"what is too large", "POST", secret, strings.Repeat(" ", 2<<20), 400},
	} {
		if got := hook.ask(test.method, test.secret, test.body); got != test.status {
			t.Errorf("%s: %d", test.name, got)
		}
	}
	if err := f.stop(); err != nil {
		t.Error(err)
	}
	if got := hook.ask("POST", secret, `{"update_id":1}`); got != 500 {
		t.Errorf("when it has stopped: %d", got)
	}
	// Without a webhook again, the old one is taken away.
	f.adapter()
	f.run()
	must(t, f.Until(f.ctx, func() bool { url, _ := f.Webhook(); return url == "" }))
}

func TestAnAlbumThatIsBroughtInPartsIsOneMessage(t *testing.T) {
	const secret = "a-secret-of-the-hook"
	f := prepare(t)
	hook := newHook(t)
	options := func(o *telegram.Options) {
		o.WebhookURL, o.WebhookSecret = hook.url(), secret
		o.Wait = func(ctx context.Context, d time.Duration) error {
			return errors.Join(f.Until(ctx, func() bool { return f.Pending() == 0 }), f.clock.Wait(ctx, d))
		}
	}
	f.adapter(options)
	hook.set(f.Hook())
	f.run()
	file := func(name string) telegramtest.Attached {
		return telegramtest.Attached{File: telegramtest.File{Name: name, Data: []byte("in " + name)}}
	}
	id := f.WriteLine(f.Ada, f.Private, telegramtest.Line{Text: "look", Files: []telegramtest.Attached{file("a"), file("b"), file("c")}})
	if m := f.arrived(id); len(m.Files) != 3 || m.Text != "look" {
		t.Errorf("%+v", m)
	}
	// What comes after it comes after it.
	id = f.WriteLine(f.Ada, f.Private, telegramtest.Line{Text: "and", Files: []telegramtest.Attached{file("d"), file("e")}})
	f.arrived(f.Write(f.Ada, f.Private, "done"))
	if m := f.arrived(id); len(m.Files) != 2 {
		t.Errorf("%+v", m)
	}
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"look", "and", "done"}) {
		t.Errorf("what came in is %q", got)
	}

	// A part that is accepted is not lost when the program is stopped: the next one has it.
	// One that cannot be stored is not accepted.
	_ = f.stop()
	f.bookmark.Break(errors.New("the disk is full"))
	if got := hook.ask("POST", secret, part(1, 901, "y", "late")); got != 500 {
		t.Errorf("a part that nobody takes is answered with %d", got)
	}
	f.bookmark.Break(nil)
	kept := fmt.Appendf(nil, `{"offset":0,"parts":{"1002/y":[%s,%s,%s]}}`, part(1, 901, "y", "late"), part(2, 902, "y", ""), part(2, 902, "y", ""))
	must(t, f.bookmark.Save(f.ctx, kept))
	f.adapter(options)
	hook.set(f.Hook())
	f.run()
	if m := f.arrived("901"); len(m.Files) != 2 || m.Text != "late" {
		t.Errorf("%+v", m)
	}
}
