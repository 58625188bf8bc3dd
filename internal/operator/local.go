package operator

import (
	"context"
	"errors"

	"github.com/asidehq/aside/catalogue/forges"
	"github.com/asidehq/aside/internal/cron"
	"github.com/asidehq/aside/internal/later"
	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/task"
)

// Local works on the store itself.
type Local struct {
	Store *store.Store

	// Queue is the running process's own, or nil where none runs on the store: then the
	// next one takes up what is open.
	Queue Queue

	// Gatherer makes prompts, with so many tokens of history; nil where nobody asks for
	// one.
	Gatherer Gatherer
	Budget   int

	// Board has the tasks; nil where nobody asks for one.
	Board *task.Board

	// Planning has the plans; nil where nobody asks for them.
	Planning *plan.Plans

	// Forges forges plans; nil where nobody asks for that.
	Forges forges.Forges

	// Off says why the actions of a category may not be used, "" if they may; nil if all
	// may. What is switched off for people is for operators, too.
	Off func(category string) string

	// Jobs are those of the running process, or nil where none runs on the store.
	Jobs *cron.Book

	// Told is called when somebody is to be told that they were let in; nil where no Aside
	// runs on the store: then the next one tells them.
	Told func()

	// Leave tells which messages are not talk, such as commands; nil is none.
	Leave func(text string) bool

	// Later keeps what is to be done later; nil where no Aside runs on the store.
	Later *later.Book
}

// A Queue works through sessions.
type Queue interface {
	Enqueue(open func(claim bool) (session string, mine bool, err error)) error
}

// Turn returns a turn, or ErrNoSuchTurn.
func (l Local) Turn(ctx context.Context, id int64) (*Turn, error) {
	t, err := l.Store.Turn(ctx, id)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, ErrNoSuchTurn
	}
	return l.complete(ctx, t)
}

// Turns returns turns, newest first.
func (l Local) Turns(ctx context.Context, q Query) ([]*Turn, error) {
	in, err := q.check()
	if err != nil {
		return nil, err
	}
	turns, err := l.Store.Turns(ctx, in)
	if err != nil {
		return nil, err
	}
	return l.completeAll(ctx, turns)
}

// TurnsOf returns the turns that a message has started, oldest first.
func (l Local) TurnsOf(ctx context.Context, platform, message string) ([]*Turn, error) {
	turns, err := l.Store.TurnsOf(ctx, platform, message)
	if err != nil {
		return nil, err
	}
	return l.completeAll(ctx, turns)
}

func (l Local) completeAll(ctx context.Context, turns []*store.Turn) ([]*Turn, error) {
	all := make([]*Turn, len(turns))
	for i, t := range turns {
		var err error
		if all[i], err = l.complete(ctx, t); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// complete adds a turn's ledger and receipts.
func (l Local) complete(ctx context.Context, t *store.Turn) (*Turn, error) {
	turn := &Turn{
		ID: t.ID, Session: t.Session, Room: t.Message.Room.String(), Flow: t.Flow, State: t.Stage,
		Message: t.Message.ID, Author: t.Message.Author.Name, Text: t.Message.Text,
		Reply: t.Reply, Shown: t.Shown, Failure: t.Failure, Unanswered: t.Unanswered, Silent: t.Silent, Joined: t.Joined, Held: t.Held, Output: t.Output, Why: t.OutputWhy, Actions: []Action{}, Receipts: []Receipt{},
		Problems: t.Problems, Timings: t.Timings, Created: t.Created, Updated: t.Updated,
	}
	if t.Brief != nil {
		turn.Role = t.Brief.Role
	}
	actions, err := l.Store.Actions(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	for _, a := range actions {
		turn.Actions = append(turn.Actions, Action{a.Dialect, a.Type, a.Args, a.State, a.Summary, a.Data})
	}
	posts, err := l.Store.Posts(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	for _, p := range posts {
		turn.Receipts = append(turn.Receipts, Receipt{p.Key, p.Room.String(), p.PostID, p.State, p.Reason, p.Tries})
	}
	return turn, nil
}

// Dead returns the dead letters, oldest first.
func (l Local) Dead(ctx context.Context) ([]Letter, error) {
	posts, err := l.Store.DeadPosts(ctx)
	if err != nil {
		return nil, err
	}
	letters := []Letter{}
	for _, p := range posts {
		letters = append(letters, Letter{p.Key, p.Turn, p.Room.String(), p.Text, p.State, p.Reason, p.Created})
	}
	return letters, nil
}

// Resend puts a dead letter back into the outbox, as if it were new.
func (l Local) Resend(ctx context.Context, key string) error {
	open := func(claim bool) (string, bool, error) { return l.Store.Requeue(ctx, key, claim) }
	if l.Queue == nil {
		_, _, err := open(false)
		return letterError(err)
	}
	return letterError(l.Queue.Enqueue(open))
}

// Drop gives a dead letter up.
func (l Local) Drop(ctx context.Context, key string) error {
	return letterError(l.Store.Drop(ctx, key))
}

func letterError(err error) error {
	if errors.Is(err, store.ErrNoSuchPost) {
		return ErrNoSuchLetter
	}
	return err
}

// Close closes the store.
func (l Local) Close() error { return l.Store.Close() }
