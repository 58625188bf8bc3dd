package turn

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// conclude decides what a turn says and whether the model is asked again, and has both
// stored. The ledger has the outcomes of its actions.
func (e *Engine) conclude(ctx context.Context, t *store.Turn, ledger []store.Action, save func([]store.Post, store.Next) error) error {
	next := e.followUp(t, ledger)
	var reports []string
	for _, a := range ledger {
		reports = append(reports, a.Say)
	}
	asks := slices.ContainsFunc(ledger, func(a store.Action) bool { return a.State == store.Asked })
	buttons := asks && e.hasButtons(t)
	told := ledger
	if t.Brief != nil && t.Brief.Quiet && t.Shown == "" { // there is nothing to report but what went wrong
		told = slices.DeleteFunc(slices.Clone(ledger), func(a store.Action) bool { return a.State == store.Done })
	}
	report := joined(append(reports, e.reportLines(told, next.Flow == store.FollowUp, buttons)))
	if next == (store.Next{}) {
		verdict := e.classify(ctx, t, ledger)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.Output, t.OutputWhy = string(verdict.Type), verdict.Why
		next = e.continuation(t, ledger, verdict)
	}
	if routes(t) {
		return e.route(ctx, t, report, func(posts []store.Post) error { return save(posts, next) })
	}
	if report == "" && (next.Input == GoOn || next.Flow == store.FollowUp && e.replaces(ledger)) {
		return e.hold(ctx, t, func(posts []store.Post) error { return save(posts, next) })
	}
	return e.say(ctx, t, joined([]string{t.Shown, report}), func(posts []store.Post) error {
		if buttons {
			posts = withChoices(posts)
		}
		return save(posts, next)
	})
}

// joined are the parts that say something, as paragraphs.
func joined(parts []string) string {
	var all []string
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return strings.Join(all, "\n\n")
}

// say sets what a turn says and has its posts stored. A follow-up goes on where the
// turn before it stopped: in the same post where the platform can edit.
func (e *Engine) say(ctx context.Context, t *store.Turn, text string, save func([]store.Post) error) error {
	if t.Silent {
		t.Shown = ""
		return save(nil)
	}
	if t.Brief != nil && t.Brief.Unposted {
		t.Shown = text
		return save(nil)
	}
	before, err := e.saidBefore(ctx, t)
	if err != nil {
		return err
	}
	above, err := e.leave(ctx, t, &before)
	if err != nil {
		return err
	}
	text = before.withHeld(t, text)
	if note := e.lateNote(t); note != "" && text != "" && before.all == "" {
		text = note + "\n\n" + text
	}
	posts := append(above, e.posts(t, before, text)...)
	t.Shown = joined([]string{before.all, text})
	return save(posts)
}

// lateNote says from when it is what a turn says, if that is long ago.
func (e *Engine) lateNote(t *store.Turn) string {
	what := "You asked this"
	switch {
	case e.Now().Sub(t.Message.At) <= e.Outbox.MaxAge:
		return ""
	case t.Brief != nil && cmp.Or(t.Origin, t.Flow) == string(action.OnDeferral):
		what = "This was due"
	case t.Brief != nil:
		return "" // its text says what there is to say
	}
	return "(" + what + " at " + t.Message.At.UTC().Format("15:04 UTC on 2 January") + ".)"
}

// leave leaves the post above a correction as it stands, with what was held back and is
// seen there. Where nothing can be edited, nothing of it was seen.
func (e *Engine) leave(ctx context.Context, t *store.Turn, before *saidBefore) ([]store.Post, error) {
	if before.above == 0 || before.held == "" || !e.edits(t) {
		return nil, nil
	}
	p, err := e.Store.PostByKey(ctx, postKey(before.above, 0))
	if err != nil || p == nil {
		return nil, err
	}
	p.Turn, p.Text, p.State = t.ID, joined([]string{before.aboveText, before.held}), store.Queued
	before.held = ""
	return []store.Post{*p}, nil
}

// edits tells whether what stands in the room of a turn can be changed.
func (e *Engine) edits(t *store.Turn) bool {
	p, _ := e.Outbox.Platform(t.Message.Room.Platform)
	_, edits := p.(platform.Editor)
	return edits
}

// posts are what a turn says, in parts that fit, or as a file if that would fill the room.
// The first one may stand there already.
func (e *Engine) posts(t *store.Turn, before saidBefore, text string) []store.Post {
	if text == "" {
		return nil
	}
	owner := t.ID
	if before.turn != 0 && e.edits(t) {
		owner, text = before.turn, joined([]string{before.text, text})
	}
	posts := e.cut(t, t.Message.Room, text, func(part int) string { return postKey(owner, part) })
	if len(posts) > 0 {
		posts[0].ReplyTo = before.replyTo
	}
	return posts
}

// cut are the posts of a text for a room, with a key for each part.
func (e *Engine) cut(t *store.Turn, room platform.Room, text string, key func(part int) string) []store.Post {
	if text == "" {
		return nil
	}
	var limits platform.Limits
	if p, ok := e.Outbox.Platform(room.Platform); ok {
		limits = p.Limits()
	}
	parts, whole := platform.Attach(text, limits, 0)
	if whole != "" && int64(len(whole)) > limits.FileSize {
		parts, whole = platform.Split(text, limits), ""
	}
	var posts []store.Post
	for i, part := range parts {
		posts = append(posts, store.Post{Key: key(i), Turn: t.ID, Room: room, Text: part, State: store.Queued})
	}
	if whole != "" { // a post of its own: the first one may be an edit, which takes no file
		posts = append(posts, store.Post{
			Key: key(len(parts)), Turn: t.ID, Room: room, State: store.Queued,
			Attach: []platform.File{platform.NewFile("reply.md", "text/markdown", []byte(whole))},
		})
	}
	return posts
}

// replyTo is the message that a turn's first post replies to. A reaction is none that
// stands in the room.
func replyTo(t *store.Turn) string {
	if t.Message.Reaction != nil {
		return ""
	}
	return t.Message.Stands()
}
