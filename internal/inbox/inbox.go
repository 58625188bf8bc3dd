// Package inbox is the one way in: every platform hands it what people write, and
// tells the platform "received" only when it has returned.
package inbox

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// An Inbox stores messages and has their sessions worked through.
type Inbox struct {
	Store *store.Store
	Queue Queue
	Rules Rules
	Now   func() time.Time

	// Stop cancels the running turn of a session if it comes before the one of the
	// message that says so. It is asked at once, before that gets its turn.
	Stop func(session string, before int64)

	pace pace

	// Await sees to it that the session of a message whose turn must not begin at once is
	// worked on when it is due. Nil leaves that to the queue's look-out.
	Await func(due time.Time)

	// Heed is told of a message that came while its session is at work, where a model
	// judges what is answered: it may want the work to stop. Nil is told of nothing.
	Heed func(turn int64)
}

// A Queue works through sessions.
type Queue interface {
	// Enqueue lets open open a turn of a session, and sees to it that it is worked
	// on.
	Enqueue(open func(claim bool) (session string, mine bool, err error)) error
}

// StopCommand is what a person writes to cancel the running turn.
const StopCommand = "/stop"

// Receive implements platform.Inbox.
func (in *Inbox) Receive(ctx context.Context, m platform.Message) error {
	if m.Edits != "" {
		return in.change(ctx, m)
	}
	_, err := in.receive(ctx, m)
	return err
}

// receive does with a message what the rules say. fresh is unset where it was stored
// before.
func (in *Inbox) receive(ctx context.Context, m platform.Message) (fresh bool, err error) {
	session := m.Room.String()
	var choice choice
	var fate fate
	fate, err = in.Rules.fateOf(m, in.Now(), awaited{
		stranger: func() (bool, error) {
			if in.Rules.Door == nil {
				return false, nil
			}
			known, err := in.Rules.Door.Knows(ctx, m)
			return !known, err
		},
		choice: func() (*store.Prompt, error) {
			var err error
			choice, err = in.choiceOf(ctx, m)
			return choice.prompt, err
		},
		confirmation: func() (bool, error) {
			asked, err := in.Store.Asked(ctx, session, m.Author.ID, m.ReplyTo)
			return len(asked) > 0, err
		},
	})
	switch {
	case err != nil:
		return false, err
	case fate == ignored:
		return true, nil
	case fate == overheard && m.Edits != "":
		return true, in.Store.Amend(ctx, m)
	case fate == knocks:
		return true, in.Rules.Door.Knock(ctx, m)
	case fate == overheard:
		return true, in.Store.Overhear(ctx, m)
	case fate == chooses:
		return true, in.take(ctx, m, choice)
	case fate == stops:
		in.Stop(session, math.MaxInt64)
		return true, in.Store.StopWaiting(ctx, session)
	}
	how := in.Rules.handling(m, fate)
	paced := in.Rules.isPaced(m)
	if paced {
		in.hurry(m, fate, &how)
	}
	err = in.Queue.Enqueue(func(claim bool) (string, bool, error) {
		r, err := in.Store.ReceiveAs(ctx, m, how, claim)
		if err == nil && r.Fresh && isStop(m) {
			in.Stop(session, r.Turn)
			err = in.Store.StopWaiting(ctx, session)
		}
		if err == nil && r.Fresh && r.Idle && paced {
			in.pace.round(m, in.Now())
		}
		if err == nil && r.Fresh && !r.Due.IsZero() && in.Await != nil {
			in.Await(r.Due)
		}
		if err == nil && r.Fresh && r.Busy && fate == judged && in.Heed != nil {
			in.Heed(r.Turn)
		}
		fresh = r.Fresh
		return session, r.Mine, err
	})
	return fresh, err
}

// isStop tells whether a message says that what is running is to be stopped.
func isStop(m platform.Message) bool { return strings.TrimSpace(m.Text) == StopCommand }

// hurry leaves somebody alone who answers as fast and as long as a bot.
func (in *Inbox) hurry(m platform.Message, f fate, how *store.Handling) {
	hurried, first := in.pace.hurried(m, in.Now())
	if !hurried {
		return
	}
	how.Unanswered = hurriedWhy
	if first && f == answered {
		how.Notice = hurriedNotice()
	}
}
