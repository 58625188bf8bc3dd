package turn

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// act runs the actions of a turn in order, each with its row in the ledger, and puts
// what the turn says into the outbox. One that fails stops none of the others.
func (e *Engine) act(ctx context.Context, t *store.Turn) error {
	ledger, err := e.Store.Actions(ctx, t.ID)
	if err != nil {
		return err
	}
	for i := 0; i < len(ledger); {
		n := e.together(ledger[i:])
		if err := e.runAll(ctx, t, ledger[i:i+n]); err != nil {
			return err
		}
		i += n
	}
	tell := e.tell(t, ledger)
	said := []string{t.Shown}
	for _, a := range ledger {
		said = append(said, a.Say)
	}
	buttons := e.hasButtons(t)
	said = append(said, e.reportLines(ledger, tell != "", buttons))
	return e.say(ctx, t, joined(said), func(posts []store.Post) error {
		if buttons && slices.ContainsFunc(ledger, func(a store.Action) bool { return a.State == store.Asked }) {
			posts = withChoices(posts)
		}
		return e.Store.SavePosts(ctx, t, posts, tell)
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

// together is how many of the next actions may run at the same time: queries change
// nothing, so they do not need each other's turn.
func (e *Engine) together(next []store.Action) int {
	n := 0
	for n < len(next) {
		if spec := e.Registry.Find(next[n].Type); spec == nil || !spec.Query || !spec.Repeatable {
			break
		}
		n++
	}
	return max(n, 1)
}

func (e *Engine) runAll(ctx context.Context, t *store.Turn, ledger []store.Action) error {
	if len(ledger) == 1 {
		return e.outcome(ctx, t, &ledger[0])
	}
	errs := make([]error, len(ledger))
	var running sync.WaitGroup
	for i := range ledger {
		running.Go(func() { errs[i] = e.outcome(ctx, t, &ledger[i]) })
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// actionTime is how long an action may take.
const actionTime = time.Minute

// run runs one action.
func (e *Engine) run(ctx context.Context, t *store.Turn, a *store.Action) error {
	d := e.Decider().decide(ctx, t, *a)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if d.state != store.Planned {
		a.State, a.Summary = d.state, d.why
		return e.Store.SaveAction(ctx, *a, nil)
	}
	if !d.spec.Repeatable {
		a.State = store.Started
		if err := e.Store.SaveAction(ctx, *a, nil); err != nil {
			return err
		}
	}
	running, cancel := context.WithTimeoutCause(ctx, actionTime, errTooSlow)
	defer cancel()
	out := d.spec.Run(running, e.call(t, a), d.args)
	if ctx.Err() != nil {
		return ctx.Err() // cut off by a shutdown, not failed
	}
	a.State, a.Summary, a.Say, a.Data = store.Failed, out.Summary, out.Say, out.Data
	switch {
	case out.OK:
		a.State = store.Done
	case out.Refused:
		a.State = store.Refused
	case running.Err() != nil && d.spec.Repeatable:
		a.Summary = fmt.Sprintf("%s took longer than %s", d.spec.Name, actionTime)
	case running.Err() != nil:
		a.State, a.Summary = store.Unknown, fmt.Sprintf("%s took longer than %s; it may or may not have happened", d.spec.Name, actionTime)
	}
	return e.Store.SaveAction(ctx, *a, nil)
}

// call is an action as its Spec gets it. Its key is the same after a crash.
func (e *Engine) call(t *store.Turn, a *store.Action) action.Call {
	m := t.Message
	return action.Call{
		Turn: t.ID, Key: actionKey(t.ID, a.Ordinal), Flow: action.Flow(t.Flow),
		Platform: m.Room.Platform, Room: m.Room.ID, Message: m.Stands(), Person: m.Author.ID, Name: m.Author.Name, Direct: m.Direct,
	}
}

// actionKey names an action: what it does is done once for each.
func actionKey(turn int64, ordinal int) string {
	return fmt.Sprintf("turn-%d-action-%d", turn, ordinal)
}

// person is who asked, across rooms.
func person(t *store.Turn) string { return t.Message.Room.Platform + "/" + t.Message.Author.ID }

// reportLines tells people what the actions came to where they do not speak for
// themselves. What a query found is for the model, if it is asked again.
func (e *Engine) reportLines(ledger []store.Action, follows, buttons bool) string {
	var lines []string
	for _, a := range ledger {
		spec := e.Registry.Find(a.Type)
		switch {
		case a.State == store.Failed, a.State == store.Unknown:
			lines = append(lines, "Failed: "+a.Summary)
		case a.State == store.Refused && a.Summary != brokeOff:
			lines = append(lines, "Refused: "+a.Summary)
		case a.State == store.Asked:
			lines = append(lines, e.question(a, buttons))
		case a.State == store.Done && spec != nil && !spec.Quiet && !(spec.Query && follows):
			lines = append(lines, strings.TrimSpace("Done: "+a.Summary+" "+string(a.Data)))
		}
	}
	return strings.Join(lines, "\n")
}

// say sets what a turn says and has its posts stored. A follow-up goes on where the
// turn before it stopped: in the same post where the platform can edit.
func (e *Engine) say(ctx context.Context, t *store.Turn, text string, save func([]store.Post) error) error {
	before, err := e.saidBefore(ctx, t)
	if err != nil {
		return err
	}
	if before.turn != 0 && trivial(text) {
		text = ""
	}
	posts := e.posts(t, before, text)
	t.Shown = joined([]string{before.text, text})
	return save(posts)
}

// posts are what a turn says, in parts that fit, or as a file if that would fill the room.
// The first one may stand there already.
func (e *Engine) posts(t *store.Turn, before saidBefore, text string) []store.Post {
	if text == "" {
		return nil
	}
	var limits platform.Limits
	owner := t.ID
	if p, ok := e.Outbox.Platform(t.Message.Room.Platform); ok {
		limits = p.Limits()
		if _, edits := p.(platform.Editor); edits && before.turn != 0 {
			owner, text = before.turn, joined([]string{before.text, text})
		}
	}
	parts, whole := platform.Attach(text, limits, 0)
	if whole != "" && int64(len(whole)) > limits.FileSize {
		parts, whole = platform.Split(text, limits), ""
	}
	var posts []store.Post
	for i, part := range parts {
		p := store.Post{Key: postKey(owner, i), Turn: t.ID, Room: t.Message.Room, Text: part, State: store.Queued}
		if i == 0 {
			p.ReplyTo = replyTo(t)
		}
		posts = append(posts, p)
	}
	if whole != "" { // a post of its own: the first one may be an edit, which takes no file
		posts = append(posts, store.Post{
			Key: postKey(owner, len(parts)), Turn: t.ID, Room: t.Message.Room, State: store.Queued,
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
