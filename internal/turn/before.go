package turn

import (
	"context"
	"slices"
	"strings"

	"github.com/asidehq/aside/internal/store"
)

// What was said about a message in earlier turns.
type saidBefore struct {
	follows bool   // there are some
	all     string // everything that was said
	held    string // what was held back since
	found   bool   // something was looked up, and what is said now is the answer

	turn    int64  // whose post goes on; 0 is none: what is said is a new post
	text    string // what that post says
	replyTo string // the message that it answers

	// What stands above the correction that the turn answers.
	above     int64 // whose post; 0 if there is no correction
	aboveText string
}

func (e *Engine) saidBefore(ctx context.Context, t *store.Turn) (saidBefore, error) {
	before := saidBefore{replyTo: replyTo(t)}
	if t.Follows == 0 {
		return before, nil
	}
	chain, err := e.Store.Chain(ctx, t)
	if err != nil || len(chain) == 0 {
		return before, err
	}
	joins, err := e.Store.Joins(ctx, t)
	if err != nil {
		return before, err
	}
	before.follows, before.turn = true, chain[0].ID
	said := "" // before the post that goes on
	for _, earlier := range chain {
		if last := lastOf(joins, earlier.ID); last != nil {
			before.turn, before.replyTo, said = earlier.ID, replyTo(last), before.all
		}
		if earlier.Shown != before.all {
			before.all, before.held = earlier.Shown, ""
		}
		before.held = joined([]string{before.held, earlier.Held})
	}
	before.text = behind(before.all, said)
	if before.found, err = e.lookedUp(ctx, t, chain[len(chain)-1]); err != nil {
		return before, err
	}
	last := lastOf(joins, t.ID)
	if len(t.Added) > 0 {
		last = t.Added[len(t.Added)-1]
	}
	if last != nil { // the answer stands below what it answers
		before.above, before.aboveText = before.turn, before.text
		before.turn, before.text, before.replyTo = 0, "", replyTo(last)
	}
	return before, nil
}

// lookedUp tells whether a turn follows from one that has looked something up.
func (e *Engine) lookedUp(ctx context.Context, t, previous *store.Turn) (bool, error) {
	if t.Flow != store.FollowUp {
		return false, nil
	}
	ledger, err := e.Store.Actions(ctx, previous.ID)
	return slices.ContainsFunc(ledger, func(a store.Action) bool {
		spec := e.Registry.Find(a.Type)
		return a.State == store.Done && spec != nil && spec.Query
	}), err
}

// lastOf is the last turn that was joined into one, or nil.
func lastOf(joins []*store.Turn, into int64) (last *store.Turn) {
	for _, j := range joins {
		if j.Joined == into {
			last = j
		}
	}
	return last
}

// behind is what stands in a text behind its beginning.
func behind(text, beginning string) string {
	return strings.TrimSpace(strings.TrimPrefix(text, beginning))
}

// withHeld is what a turn says, with what was held back before it if nothing came of
// that: a text that says nothing, or a failure.
func (s saidBefore) withHeld(t *store.Turn, text string) string {
	// "OK." is an answer to a correction, to what was looked up, and where nothing else is said.
	says := !trivial(text) || text != "" && (s.above != 0 || s.found || s.all == "")
	switch {
	case !s.follows:
		return text
	case s.held != "" && (t.Failure != "" || trivial(text)):
		return joined([]string{s.held, text})
	case !says:
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
