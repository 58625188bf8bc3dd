// Package spawn asks further agents for one that is at work, and waits for what they say. It
// imports the store and what the action spawnAgent wants (catalogue/spawn).
//
// Before changing it, know what makes a crash harmless: an agent is an errand with the key of
// the call. Whoever runs the call again finds the same one, which has gone on or has ended
// meanwhile. Only a person's stop and the end of its time stop it; the end of the process
// does not.
package spawn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/spawn"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/internal/store"
)

// Agents asks agents.
type Agents struct {
	Store *store.Store
	Now   func() time.Time

	// Open opens an errand and sees to it that it is worked on, also if no place is free.
	Open func(ctx context.Context, e store.Errand) (turn int64, err error)

	// StopTurn cancels a turn that is being worked on.
	StopTurn func(session string, turn int64)

	// Wait waits for a time, or returns the context's error.
	Wait func(ctx context.Context, d time.Duration) error
}

var _ spawn.Agents = (*Agents)(nil)

// lookEvery is how often it is looked whether an agent has ended, which another process may
// be working on.
const lookEvery = 100 * time.Millisecond

var errStore = errors.New("nothing can be stored at the moment; try again later")

// Ask implements spawn.Agents.
func (s *Agents) Ask(ctx context.Context, a spawn.Agent) (string, error) {
	e, err := s.errand(ctx, a)
	if err == nil {
		_, err = s.Open(ctx, e)
	}
	for err == nil {
		var last *store.Turn
		if last, err = s.ended(ctx, e); last != nil {
			return answer(last)
		}
		if err == nil {
			err = s.Wait(ctx, lookEvery)
		}
	}
	if ctx.Err() == nil {
		return "", errStore
	}
	return "", errors.Join(ctx.Err(), s.stop(ctx, e))
}

// errand is what an agent is asked to do. Whatever its parent may not do, it may not do
// either.
func (s *Agents) errand(ctx context.Context, a spawn.Agent) (store.Errand, error) {
	parent, err := s.Store.Turn(ctx, a.Turn)
	if err != nil || parent == nil {
		return store.Errand{}, errors.Join(err, errStore)
	}
	e := store.Errand{
		Key: a.Key, Flow: string(action.OnSpawn), Session: store.SpawnSession + a.Key,
		Room: a.Room, Parent: a.Parent, Direct: a.Direct, Person: a.Person, Depth: a.Depth, At: s.Now(),
		Text:  "[Another agent has asked you to do this for " + venue.Called(a.Person) + ". Do it, and answer with what you have found out or done; say so if you could not.]\n\n" + a.Prompt,
		Brief: store.Brief{Job: a.Label, Model: a.Model, Unposted: !a.Posted, Within: cmp.Or(parent.Origin, parent.Flow)},
	}
	if parent.Brief != nil {
		e.Only, e.Role = parent.Brief.Only, parent.Brief.Role
	}
	return e, nil
}

// ended is the last turn of an errand, once it is settled.
func (s *Agents) ended(ctx context.Context, e store.Errand) (*store.Turn, error) {
	turns, err := s.Store.TurnsOf(ctx, e.Room.Platform, e.Key)
	if err != nil {
		return nil, err
	}
	for _, t := range turns {
		if t.Stage != store.Settled {
			return nil, nil
		}
	}
	if len(turns) == 0 {
		return nil, fmt.Errorf("there is no errand %s", e.Key)
	}
	return turns[len(turns)-1], nil
}

// answer is what an agent has said, or why it has said nothing.
func answer(last *store.Turn) (string, error) {
	switch {
	case last.Unanswered != "":
		return "", errors.New(last.Unanswered)
	case last.Failure != "":
		return "", errors.New(last.Failure)
	case last.Shown == "":
		return "(it has said nothing)", nil
	}
	return last.Shown, nil
}

// stop stops an agent that nobody waits for any more. When the process ends, the next one
// waits for it.
func (s *Agents) stop(ctx context.Context, e store.Errand) error {
	why := context.Cause(ctx)
	if !errors.Is(why, action.ErrTooSlow) && !errors.Is(why, action.ErrStopped) {
		return nil
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	open, err := s.Store.CancelErrand(stopping, e.Room, e.Key, "the agent that has asked does not wait any more")
	for _, t := range open {
		s.StopTurn(t.Session, t.Turn)
	}
	return err
}

// stopTime is how long it may take to note that an agent is stopped.
const stopTime = 5 * time.Second
