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
		if err := e.outcome(ctx, t, a); err != nil {
			return err
		}
		if a.Say != "" {
			shown = append(shown, a.Say)
		}
	}
	if lines := e.reportLines(ledger); lines != "" {
		shown = append(shown, lines)
	}
	t.Shown = strings.TrimSpace(strings.Join(shown, "\n\n"))
	return e.Store.SavePosts(ctx, t, e.posts(t))
}

// run runs one action.
func (e *Engine) run(ctx context.Context, t *store.Turn, a *store.Action) error {
	spec := e.Registry.Find(a.Type)
	switch {
	case spec == nil:
		a.State, a.Summary = store.Failed, fmt.Sprintf("there is no action %q", a.Type)
		return e.Store.SaveAction(ctx, *a, nil)
	case a.State == store.Started && !spec.Repeatable:
		a.State, a.Summary = store.Unknown, spec.Name+" was interrupted; it may or may not have happened"
		return e.Store.SaveAction(ctx, *a, nil)
	}
	args, err := spec.Decode(a.Args)
	if err != nil {
		a.State, a.Summary = store.Failed, err.Error()
		return e.Store.SaveAction(ctx, *a, nil)
	}
	if !spec.Repeatable {
		a.State = store.Started
		if err := e.Store.SaveAction(ctx, *a, nil); err != nil {
			return err
		}
	}
	out := spec.Run(ctx, e.call(t, a, args))
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
func (e *Engine) call(t *store.Turn, a *store.Action, args map[string]string) action.Call {
	return action.Call{
		Turn: t.ID, Key: fmt.Sprintf("turn-%d-action-%d", t.ID, a.Ordinal),
		Platform: t.Message.Room.Platform, Room: t.Message.Room.ID, Message: t.Message.ID, Person: person(t), Args: args,
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
