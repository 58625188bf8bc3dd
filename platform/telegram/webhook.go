package telegram

import (
	"context"
	"crypto/subtle"
	"io"
	"net/http"

	"github.com/asidehq/aside/platform"
)

// A hook is where Telegram brings updates to while the adapter runs.
type hook struct {
	turn  chan struct{}   // updates are handled one at a time
	ctx   context.Context // of Run
	inbox platform.Inbox  // nil unless it runs
	parts chan struct{}   // tells that there are parts of albums
}

func newHook() *hook {
	return &hook{turn: make(chan struct{}, 1), parts: make(chan struct{}, 1)}
}

const largestUpdate = 1 << 20

// serve lets the handler take updates until the context ends, and hands albums over when
// nothing more of them comes.
func (t *Telegram) serve(ctx context.Context, inbox platform.Inbox) error {
	t.hook.turn <- struct{}{}
	t.hook.ctx, t.hook.inbox = ctx, inbox
	<-t.hook.turn
	t.gather(ctx)
	// What is being stored is stored before this returns.
	t.hook.turn <- struct{}{}
	t.hook.inbox = nil
	<-t.hook.turn
	return ctx.Err()
}

// gather hands albums over, first those that a process has left.
func (t *Telegram) gather(ctx context.Context) {
	for seen := 0; ; {
		count := t.marks.partCount()
		switch {
		case count > 0 && count == seen: // it has not grown
			t.hook.turn <- struct{}{}
			t.release(ctx, "")
			<-t.hook.turn
			seen = 0
			continue
		case count > 0:
			seen = count
			if t.wait(ctx, albumTime) != nil {
				return
			}
			continue
		}
		select {
		case <-t.hook.parts:
		case <-ctx.Done():
			return
		}
	}
}

// Hook takes what Telegram brings to the webhook, if there is one. It answers 200 when an update is
// stored and not before; after anything else Telegram brings it again.
func (t *Telegram) Hook() http.HandlerFunc {
	if t.options.WebhookURL == "" {
		return nil
	}
	return func(w http.ResponseWriter, r *http.Request) {
		secret := []byte(r.Header.Get("X-Telegram-Bot-Api-Secret-Token"))
		if subtle.ConstantTimeCompare(secret, []byte(t.options.WebhookSecret)) != 1 {
			http.Error(w, "not from Telegram", http.StatusForbidden)
			return
		}
		if r.Method != http.MethodPost {
			http.Error(w, "updates are posted", http.StatusMethodNotAllowed)
			return
		}
		data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestUpdate))
		if err != nil {
			http.Error(w, "the update cannot be read", http.StatusBadRequest)
			return
		}
		if !t.bring(r.Context(), data) {
			http.Error(w, "not stored", http.StatusInternalServerError)
		}
	}
}

// bring handles an update and tells whether it is done with. The request may be given up;
// what it brings is stored as long as the adapter runs.
func (t *Telegram) bring(asked context.Context, data []byte) bool {
	select {
	case t.hook.turn <- struct{}{}:
	case <-asked.Done():
		return false
	}
	defer func() { <-t.hook.turn }()
	ctx := t.hook.ctx
	if t.hook.inbox == nil || ctx.Err() != nil {
		return false
	}
	u := &update{}
	if err := decode(data, u); err != nil {
		t.log.Error("an update of Telegram cannot be read and is passed over", "error", err)
		return true
	}
	if a := albumOf(u); a.id != "" {
		return t.keepPart(ctx, a, data)
	}
	if u.Message != nil && !t.release(ctx, chatPrefix(u.Message.Chat.ID)) {
		return false // what was written before it comes before it
	}
	return t.handle(ctx, t.hook.inbox, u, nil)
}
