package turn

import (
	"context"
	"strings"

	"github.com/asidehq/aside/internal/store"
)

// What was said about a message in earlier turns.
type saidBefore struct {
	turn int64  // the first one, whose post is written to; 0 if there is none
	text string // what it says
	held string // what was held back since
}

func (e *Engine) saidBefore(ctx context.Context, t *store.Turn) (saidBefore, error) {
	if t.Follows == 0 {
		return saidBefore{}, nil
	}
	chain, err := e.Store.Chain(ctx, t)
	if err != nil || len(chain) == 0 {
		return saidBefore{}, err
	}
	before := saidBefore{turn: chain[0].ID}
	for _, earlier := range chain {
		if earlier.Shown != before.text {
			before.text, before.held = earlier.Shown, ""
		}
		before.held = joined([]string{before.held, earlier.Held})
	}
	return before, nil
}

// withHeld is what a turn says, with what was held back before it if nothing came of
// that: a text that says nothing, or a failure.
func (s saidBefore) withHeld(t *store.Turn, text string) string {
	switch {
	case s.turn == 0:
		return text
	case s.held != "" && (t.Failure != "" || trivial(text)):
		return joined([]string{s.held, text})
	case trivial(text):
		return ""
	}
	return text
}

// trivial tells whether a turn that follows another one says nothing that is worth a post.
func trivial(text string) bool {
	switch strings.ToLower(strings.Trim(strings.TrimSpace(text), ".!✅👍 ")) {
	case "", "ok", "okay", "done", "all done", "noted", "got it", "great", "fine":
		return true
	}
	return false
}
