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
	turn  chan struct{} // updates are handled one at a time
	ctx   context.Context
	inbox platform.Inbox
}

func newHook() *hook { return &hook{turn: make(chan struct{}, 1)} }

const largestUpdate = 1 << 20

// serve lets the handler take updates until the context ends.
func (t *Telegram) serve(ctx context.Context, inbox platform.Inbox) error {
	t.hook.turn <- struct{}{}
	t.hook.ctx, t.hook.inbox = ctx, inbox
	<-t.hook.turn
	<-ctx.Done()
	// What is being stored is stored before this returns.
	t.hook.turn <- struct{}{}
	t.hook.inbox = nil
	<-t.hook.turn
	return ctx.Err()
}

// Handler takes what Telegram brings to the webhook. It answers 200 when an update is
// stored and not before; after anything else Telegram brings it again.
func (t *Telegram) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secret := []byte(r.Header.Get("X-Telegram-Bot-Api-Secret-Token"))
		if t.options.WebhookURL == "" || subtle.ConstantTimeCompare(secret, []byte(t.options.WebhookSecret)) != 1 {
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
	})
}

// bring handles an update and tells whether it is done with.
func (t *Telegram) bring(ctx context.Context, data []byte) bool {
	select {
	case t.hook.turn <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	defer func() { <-t.hook.turn }()
	if t.hook.inbox == nil {
		return false
	}
	// The request may be given up; what it brings is stored as long as the adapter runs.
	u := &update{}
	if err := decode(data, u); err != nil {
		t.log.Error("an update of Telegram cannot be read and is passed over", "error", err)
		return true
	}
	return t.handle(t.hook.ctx, t.hook.inbox, u, nil)
}
