// Package episode makes episodes of conversations that have ended, and finds them again. It
// imports the store.
//
// Before changing it, know that nothing is deleted here: what was said stays where it is, and
// an episode is what is kept in mind of it. Making one takes a model and can be cut off at any
// point; the transaction that keeps it moves the session's mark on, so that there is one
// however often it was begun.
package episode

import (
	"context"
	"log/slog"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// An Archivist makes episodes. One at a time works on a store.
type Archivist struct {
	Store  *store.Store
	Model  model.Model   // that summarises; nil where there is none: then the first lines are kept
	After  time.Duration // how long nobody has said anything when a conversation has ended
	Now    func() time.Time
	Logger *slog.Logger

	// Leave tells which messages are not talk, such as commands: they are in no episode.
	Leave func(text string) bool

	failed map[string]int // how often the model failed at the next episode of a session
}

const (
	every       = time.Minute      // it looks for what has ended
	late        = 10 * time.Minute // what came later is looked at next time; see store.Notice
	mostAtOnce  = 100              // sessions that are looked at in one go
	mostTries   = 3                // of a model, before the first lines have to do
	readAtOnce  = 2 * mostMessages
	mostIndexed = 100_000 // of a message, in bytes, which can be searched
)

// Run makes episodes until the context ends. wait waits for a time, or returns the context's
// error.
func (a *Archivist) Run(ctx context.Context, wait func(context.Context, time.Duration) error) error {
	for {
		more, err := a.Sweep(ctx)
		if err != nil && ctx.Err() == nil {
			a.Logger.Error("conversations that have ended were not kept as episodes; it is tried again", "error", err)
		}
		if more && err == nil {
			continue
		}
		if wait(ctx, min(every, a.After)) != nil {
			return nil
		}
	}
}

// Sweep makes episodes of what has ended by now. It tells whether there is more to do.
func (a *Archivist) Sweep(ctx context.Context) (more bool, err error) {
	now := a.Now()
	if more, err = a.Store.Notice(ctx, now.Add(-min(late, a.After))); err != nil {
		return false, err
	}
	pending, err := a.Store.Pending(ctx, now.Add(-a.After), mostAtOnce)
	if err != nil {
		return false, err
	}
	for _, p := range pending {
		went, err := a.archive(ctx, p, now)
		if err != nil {
			return false, err
		}
		more = more || went
	}
	return more, nil
}

// archive makes the next episode of a session, and tells whether it went on.
func (a *Archivist) archive(ctx context.Context, p store.Pending, now time.Time) (bool, error) {
	said, err := a.Store.Said(ctx, p.Session, p.Until, endless, readAtOnce)
	if err != nil {
		return false, err
	}
	n := stretch(said, now, a.After, p.Folded)
	if n == 0 {
		return false, nil
	}
	last := said[n-1].Message
	talk := talk(said[:n], a.Leave)
	if len(talk) == 0 {
		return true, a.Store.Archive(ctx, p, last, nil, "")
	}
	summary, ok := a.summary(ctx, p.Session, talk)
	if !ok {
		return false, ctx.Err()
	}
	e := store.Episode{
		Session: p.Session, Direct: talk[0].Direct, First: said[0].Message, Last: last,
		Began: talk[0].At, Ended: talk[len(talk)-1].At, Messages: len(talk), Title: title(talk), Summary: summary,
	}
	for _, one := range talk {
		if !one.Errand {
			e.People = append(e.People, one.Person)
		}
	}
	return true, a.Store.Archive(ctx, p, last, &e, indexed(talk, summary))
}
