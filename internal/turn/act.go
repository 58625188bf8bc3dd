package turn

import (
	"context"
	"fmt"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// act runs the actions of a turn in order, each with its row in the ledger, and puts
// what the turn says into the outbox.
func (e *Engine) act(ctx context.Context, t *store.Turn) error {
	ledger, err := e.Store.Actions(ctx, t.ID)
	if err != nil {
		return err
	}
	shown := []string{t.Shown}
	for i := range ledger {
		a := &ledger[i]
		if err := e.run(ctx, t, a); err != nil {
			return err
		}
		if a.Say != "" {
			shown = append(shown, a.Say)
		}
	}
	for _, a := range ledger {
		e.Count.action(a.State)
	}
	if lines := e.reportLines(ledger); lines != "" {
		shown = append(shown, lines)
	}
	t.Shown = strings.TrimSpace(strings.Join(shown, "\n\n"))
	return e.Store.SavePosts(ctx, t, e.posts(t))
}

// run runs one action, unless it has an outcome already.
func (e *Engine) run(ctx context.Context, t *store.Turn, a *store.Action) error {
	if a.State.Ended() {
		return nil
	}
	d := decide(e.Registry, *a)
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
	out := d.spec.Run(ctx, e.call(t, a), d.args)
	if ctx.Err() != nil {
		return ctx.Err() // cut off by a shutdown, not failed
	}
	a.State, a.Summary, a.Say, a.Data = store.Failed, out.Summary, out.Say, out.Data
	if out.OK {
		a.State = store.Done
	} else if out.Refused {
		a.State = store.Refused
	}
	return e.Store.SaveAction(ctx, *a, nil)
}

// call is an action as its Spec gets it. Its key is the same after a crash.
func (e *Engine) call(t *store.Turn, a *store.Action) action.Call {
	m := t.Message
	return action.Call{
		Turn: t.ID, Key: fmt.Sprintf("turn-%d-action-%d", t.ID, a.Ordinal), Flow: action.Flow(t.Flow),
		Platform: m.Room.Platform, Room: m.Room.ID, Message: m.ID, Person: m.Author.ID, Name: m.Author.Name, Direct: m.Direct,
	}
}

// person is who asked, across rooms.
func person(t *store.Turn) string { return t.Message.Room.Platform + "/" + t.Message.Author.ID }

// reportLines tells what the actions came to where they do not speak for themselves.
func (e *Engine) reportLines(ledger []store.Action) string {
	var lines []string
	for _, a := range ledger {
		switch {
		case a.State == store.Failed, a.State == store.Unknown:
			lines = append(lines, "Failed: "+a.Summary)
		case a.State == store.Done && !e.quiet(a):
			line := "Done: " + a.Summary
			if len(a.Data) > 0 {
				line += " " + string(a.Data)
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func (e *Engine) quiet(a store.Action) bool {
	spec := e.Registry.Find(a.Type)
	return spec != nil && spec.Quiet
}

// posts are what a turn says, in parts that fit. The first one may stand in the room
// already.
func (e *Engine) posts(t *store.Turn) []store.Post {
	if t.Shown == "" {
		return nil
	}
	var limits platform.Limits
	if p, ok := e.Outbox.Platform(t.Message.Room.Platform); ok {
		limits = p.Limits()
	}
	var posts []store.Post
	for i, part := range platform.Split(t.Shown, limits) {
		p := store.Post{Key: postKey(t.ID, i), Turn: t.ID, Room: t.Message.Room, Text: part, State: store.Queued}
		if i == 0 {
			p.ReplyTo = t.Message.ID
		}
		posts = append(posts, p)
	}
	return posts
}
