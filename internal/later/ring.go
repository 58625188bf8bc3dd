package later

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/schedule"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

var _ schedule.Book = (*Book)(nil)

// Next implements schedule.Book.
func (b *Book) Next(ctx context.Context) (time.Time, error) { return b.Store.NextAppointment(ctx) }

// atOnce is how many appointments are looked at together.
const atOnce = 100

// Ring implements schedule.Book: it begins with everything that is due.
func (b *Book) Ring(ctx context.Context, now time.Time) error {
	for {
		due, err := b.Store.DueAppointments(ctx, now, atOnce)
		if err != nil {
			return err
		}
		for _, a := range due {
			opened, err := b.Store.KeepAppointment(ctx, a, after(a, now), errand(a, now))
			if err != nil {
				return err
			}
			if opened && b.Await != nil {
				b.Await(b.Store.Now())
			}
		}
		if len(due) < atOnce {
			return nil
		}
	}
}

// after is when a loop is due next. It goes by when it was due, not by when somebody looked:
// what is missed is made up for once.
func after(a store.Appointment, now time.Time) time.Time {
	if a.Every <= 0 {
		return a.Due
	}
	missed := now.Sub(a.Due) / a.Every
	return a.Due.Add((missed + 1) * a.Every)
}

// errand is what is done when an appointment is due. A deferral belongs to the conversation
// of its room; a loop has one of its own, so that it neither fills that of the room nor keeps
// people waiting, and knows what it said before.
func errand(a store.Appointment, now time.Time) store.Errand {
	e := store.Errand{
		Key: a.ID(), Flow: string(action.OnDeferral), Room: a.Room, Parent: a.Parent, Direct: a.Direct, Person: a.Person,
		At: a.Due, Text: text(a, now), Brief: store.Brief{Job: a.ID()},
	}
	if a.Kind == store.Loop {
		e.Key, e.Flow, e.Session = fmt.Sprintf("%s/%d", a.ID(), a.Rounds+1), string(action.OnLoop), "loop/"+a.ID()
	}
	return e
}

const clockTime = "15:04 UTC on 2 January 2006"

// slack is how late something may be without being called late.
const slack = time.Minute

// text is what the model is told.
func text(a store.Appointment, now time.Time) string {
	who := cmp.Or(oneLine(a.Person.Name), a.Person.ID)
	var b strings.Builder
	if a.Kind == store.Loop {
		fmt.Fprintf(&b, "[%s%s: round %d of a loop, every %s. ", a.ID(), inBrackets(a.Label), a.Rounds+1, platform.DurationText(a.Every))
	} else {
		fmt.Fprintf(&b, "[%s: something that was put off. ", a.ID())
	}
	fmt.Fprintf(&b, "%s asked for it at %s. It was due at %s", who, a.Created.UTC().Format(clockTime), a.Due.UTC().Format(clockTime))
	if late := now.Sub(a.Due); late > slack {
		fmt.Fprintf(&b, ", and is %s late, because Aside was not running or not reachable; say so", platform.DurationText(late))
	}
	b.WriteString(". Nobody has written anything just now: do what is asked below, and write what the room is to read.]\n\n" + a.Prompt)
	return b.String()
}

func inBrackets(label string) string {
	if label = oneLine(label); label == "" {
		return ""
	}
	return " (" + label + ")"
}

// oneLine keeps what a person has chosen from looking like something else.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("[", "(", "]", ")").Replace(text)), " ")
}
