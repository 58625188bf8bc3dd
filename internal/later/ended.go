package later

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/asidehq/aside/internal/store"
)

// mostFailures is how often in a row a loop may fail.
const mostFailures = 5

// Ended notes what an errand of an appointment came to, in the transaction that settles its
// last turn.
func (b *Book) Ended(ctx context.Context, tx store.Tx, t *store.Turn) error {
	return tx.EndErrand(ctx, t.Message.ID, func(a store.Appointment) (store.Ending, error) {
		failure := t.Failure
		if failure == "" && t.Unanswered == "" {
			undelivered, err := tx.Undelivered(ctx, t.ID)
			if err != nil {
				return store.Ending{}, err
			}
			if undelivered {
				failure = "what it said could not be delivered"
			}
		}
		if a.Kind == store.Deferral {
			return deferred(t, failure), nil
		}
		to := looped(a, t, failure)
		if to.State == store.AppointmentPaused && failure != "" {
			return to, tx.Say(ctx, farewell(a, t), fmt.Sprintf(
				"%s%s has failed %d times in a row and is paused: %s Cancel it with loopCancel, and create it again when that is mended.",
				a.ID(), inBrackets(a.Label), to.Failures, sentence(failure)))
		}
		return to, nil
	})
}

// deferred is what has become of a deferral.
func deferred(t *store.Turn, failure string) store.Ending {
	switch {
	case t.Unanswered != "":
		return store.Ending{State: store.AppointmentBarred, Reason: t.Unanswered}
	case failure == store.StoppedByPerson:
		return store.Ending{State: store.AppointmentCancelled, Reason: "a person has stopped it"}
	case failure != "":
		return store.Ending{State: store.AppointmentFailed, Reason: failure}
	}
	return store.Ending{State: store.AppointmentDone}
}

// looped is what has become of a loop.
func looped(a store.Appointment, t *store.Turn, failure string) store.Ending {
	switch {
	case t.Unanswered != "":
		return store.Ending{State: store.AppointmentPaused, Reason: t.Unanswered, Failures: a.Failures}
	case failure == "" || failure == store.StoppedByPerson: // which is no fault of the loop's
		return store.Ending{State: a.State}
	case a.Failures+1 >= mostFailures:
		return store.Ending{State: store.AppointmentPaused, Reason: fmt.Sprintf("it has failed %d times in a row: %s", a.Failures+1, failure), Failures: a.Failures + 1}
	}
	return store.Ending{State: a.State, Reason: "the last round failed: " + failure, Failures: a.Failures + 1}
}

// farewell is how a room learns that a loop has ended by itself.
func farewell(a store.Appointment, t *store.Turn) store.Errand {
	return store.Errand{
		Key: a.ID() + "/paused", Flow: cmp.Or(t.Origin, t.Flow), Session: t.Session, Room: a.Room, Parent: a.Parent, Direct: a.Direct, Person: a.Person,
		Text: "[" + a.ID() + " is paused]", At: t.Message.At, Brief: store.Brief{Job: a.ID()},
	}
}

// sentence is a reason that ends like one.
func sentence(reason string) string {
	return strings.TrimRight(reason, ".!?") + "."
}
