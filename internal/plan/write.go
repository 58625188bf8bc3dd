package plan

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// What a run or a person's decision has come to stands in the store first. The file is
// brought in line afterwards, as often as it takes: an entry that it has already is found by
// its marker, so that a crash neither loses nor doubles it.

// Write brings the file of a plan in line with the store.
func (p *Plans) Write(ctx context.Context, number int) error {
	stored, err := p.Store.Plan(ctx, number)
	if err != nil || stored == nil {
		return err
	}
	entries, err := p.Store.UnwrittenEntries(ctx, number)
	if err != nil || stored.Wanted == "" && len(entries) == 0 {
		return err
	}
	_, err = p.Folder.Change(number, func(d *Document) error {
		for _, e := range entries {
			if log, _ := d.Section(AuditLog); hasMarker(log, e.Marker) {
				continue
			}
			if err := d.Append(AuditLog, marked(e.Marker)+"\n"+e.Text); err != nil {
				return err
			}
		}
		if next := wantedStatus(d.Status(), Status(stored.Wanted)); stored.Wanted != "" && next != d.Status() {
			return d.SetHeader(State, string(next))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.Store.PlanWritten(ctx, number, stored.Wanted, entries)
}

func marked(marker string) string {
	return "<!-- " + strings.NewReplacer("<", "", ">", "", "--", "-").Replace(marker) + " -->"
}

// hasMarker tells whether a log has an entry: its marker stands on a line of its own, where
// nothing that a model has said can stand.
func hasMarker(log, marker string) bool {
	return strings.Contains("\n"+log+"\n", "\n"+marked(marker)+"\n")
}

// A Writer writes the files that are not what they are to be. It is a schedule.Book.
type Writer struct {
	Plans *Plans

	mu     sync.Mutex
	failed map[int]failure // what could not be written
}

// A failure is a file that cannot be written: a person has to do something about it.
type failure struct {
	why   string
	again time.Time
}

// rest is how long a file that cannot be written is left alone.
const rest = 15 * time.Second

// overdue is when something is due that nobody has tried to write yet: before any clock.
var overdue = time.Unix(1, 0)

// Next is when something is to be written.
func (w *Writer) Next(ctx context.Context) (next time.Time, err error) {
	numbers, err := w.Plans.Store.Unwritten(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range numbers {
		at := overdue
		if f, ok := w.failed[n]; ok {
			at = f.again
		}
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return next, err
}

// Ring writes what can be written.
func (w *Writer) Ring(ctx context.Context, now time.Time) error {
	numbers, err := w.Plans.Store.Unwritten(ctx)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil {
		w.failed = map[int]failure{}
	}
	for _, n := range numbers {
		if f, ok := w.failed[n]; ok && now.Before(f.again) {
			continue
		}
		err := w.Plans.Write(ctx, n)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			delete(w.failed, n)
		default:
			w.fail(n, err, now)
		}
	}
	return nil
}

// fail says what is wrong, once.
func (w *Writer) fail(number int, err error, now time.Time) {
	if w.failed[number].why != err.Error() {
		var problem *Problem
		if errors.As(err, &problem) || errors.Is(err, ErrNoPlan) {
			w.Plans.Logger.Warn("the file of a plan is not up to date until a person has put it right", "plan", IDOf(number), "problem", err)
		} else {
			w.Plans.Logger.Error("the file of a plan could not be written", "plan", IDOf(number), "error", err)
		}
	}
	w.failed[number] = failure{err.Error(), now.Add(rest)}
}

// pending tells whoever writes files that there is something.
func (p *Plans) pending() {
	if p.Changed != nil {
		p.Changed()
	}
}

// log stores what is to stand in the audit log of a plan.
func (p *Plans) log(ctx context.Context, tx store.Tx, number int, key, text string) error {
	return tx.LogPlan(ctx, p.entry(number, key, text))
}
