package forum

import (
	"context"
	"errors"
	"fmt"

	"github.com/asidehq/aside/platform"
)

// decide closes an item whose thread somebody has archived, or reopens it. The thread is
// looked at once more, and closely: what was planned may be of a moment ago, and somebody who
// only writes to an archived thread opens it too.
func (a *applier) decide(ctx context.Context, s Step) error {
	t, err := a.Keeper.ForumThread(ctx, s.Thread.Room)
	if err != nil {
		return a.failed(ctx, s.Item, s.Thread.Room, "look at its thread", err)
	}
	a.again = true
	if t.Archived != s.Thread.Archived {
		return nil // the next round sees what it is now
	}
	if t.Drifted {
		m := a.mirrors[s.Item.ID]
		m.Drifted = t.Changed
		return a.save(ctx, s.Item, m)
	}
	who, err := a.Keeper.ArchivedBy(ctx, s.Thread.Room)
	if err != nil {
		return a.failed(ctx, s.Item, s.Thread.Room, "find out who has changed its thread", err)
	}
	if who.ID != "" {
		allowed, err := a.Allowed(ctx, who, s.Thread.Room)
		if err != nil {
			return err
		}
		if !allowed {
			return a.undo(ctx, s, who)
		}
	}
	if s.Do == Close {
		err = a.Board.Close(ctx, s.Item, By{who, why(who, "archived")})
	} else {
		err = a.Board.Reopen(ctx, s.Item, By{who, why(who, "opened")})
	}
	var refusal Refusal
	if errors.As(err, &refusal) {
		a.report.Problems = append(a.report.Problems, fmt.Sprintf("%s: %s", s.Item.ID, refusal))
		return a.undo(ctx, s, platform.Person{})
	}
	if err != nil {
		return err
	}
	if s.Do == Close {
		a.report.Closed = append(a.report.Closed, s.Item.ID)
	} else {
		a.report.Reopened = append(a.report.Reopened, s.Item.ID)
	}
	m := a.mirrors[s.Item.ID]
	m.Closed = t.Archived
	return a.save(ctx, s.Item, m)
}

func why(who platform.Person, what string) string {
	if who.Name == "" {
		return "its thread was " + what
	}
	return fmt.Sprintf("its thread was %s by %s", what, who.Name)
}

// undo puts a thread back that somebody has archived or opened who is not to.
func (a *applier) undo(ctx context.Context, s Step, who platform.Person) error {
	if who.ID != "" {
		a.report.Problems = append(a.report.Problems, fmt.Sprintf("%s: %s, who may not talk to the agent, so it stays as it was", s.Item.ID, why(who, verb(s.Do))))
	}
	s.Do = Edit
	s.Change.Archived = &s.Item.Closed
	return a.edit(ctx, s)
}

func verb(do Do) string {
	if do == Close {
		return "archived"
	}
	return "opened"
}

// rewrite changes an item whose starter somebody has edited. A text that cannot be taken is
// noted too, or it would be refused at every sync.
func (a *applier) rewrite(ctx context.Context, s Step) error {
	author := a.world.Starters[s.Thread.Room].Author
	m := a.mirrors[s.Item.ID]
	first := m.Text == ""
	m.Text = digest(*s.Text)
	allowed, err := a.Allowed(ctx, author, s.Thread.Room)
	switch {
	case err != nil:
		return err
	case first: // that is how it was when the thread was taken over
		return a.save(ctx, s.Item, m)
	case !allowed || author.Bot:
		a.report.Problems = append(a.report.Problems, fmt.Sprintf("%s: its first message was edited by %s, who may not talk to the agent", s.Item.ID, author.Name))
		return a.save(ctx, s.Item, m)
	}
	err = a.Board.(Rewriter).Rewrite(ctx, s.Item, author, *s.Text)
	var refusal Refusal
	switch {
	case errors.As(err, &refusal):
		a.report.Problems = append(a.report.Problems, fmt.Sprintf("%s: its first message was edited, and cannot be taken: %s", s.Item.ID, refusal))
	case err != nil:
		return err
	default:
		a.report.Updated = append(a.report.Updated, s.Item.ID)
		a.again = true
	}
	return a.save(ctx, s.Item, m)
}
