package task

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A Report is what came of an import.
type Report struct {
	Added     int       `json:"added"`
	Unchanged int       `json:"unchanged"` // were imported before
	Notes     []Problem `json:"notes"`     // about what was added in another way than it stands there
	Refused   []Problem `json:"refused"`
}

// A Problem is about a line.
type Problem struct {
	Line int    `json:"line"`
	Why  string `json:"why"`
}

const (
	// longestLine is how long a line may be, in bytes.
	longestLine = 1 << 20
	// mostAtOnce is how many lines share a transaction.
	mostAtOnce = 100
)

// Import adds tasks from JSON Lines, a task in each. What was imported before stays as it is
// on the board. A line that cannot be read is reported, and the others are imported.
func (b *Board) Import(ctx context.Context, by tasks.By, from io.Reader) (Report, error) {
	report := Report{Notes: []Problem{}, Refused: []Problem{}}
	var batch []entry
	read := bufio.NewReaderSize(from, 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(read)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errLong) {
			return report, fmt.Errorf("read line %d: %w", n, err)
		}
		if e, wrong := readEntry(line, err, n); wrong != "" {
			report.Refused = append(report.Refused, Problem{n, wrong})
		} else if e != nil {
			batch = append(batch, *e)
		}
		end := errors.Is(err, io.EOF)
		if len(batch) == mostAtOnce || end {
			if err := b.add(ctx, by, batch, &report); err != nil {
				return report, err
			}
			batch = nil
		}
		if end {
			return report, nil
		}
	}
}

var errLong = fmt.Errorf("it is longer than %d KB", longestLine>>10)

// readLine reads a line, without its end. Of one that is too long the rest is skipped.
func readLine(r *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, more, err := r.ReadLine()
		if err != nil {
			return nil, err
		}
		if long = long || len(line)+len(part) > longestLine; !long {
			line = append(line, part...)
		}
		switch {
		case more:
		case long:
			return nil, errLong
		default:
			return line, nil
		}
	}
}

// add stores what some lines say, in one transaction.
func (b *Board) add(ctx context.Context, by tasks.By, batch []entry, report *Report) error {
	var stored Report
	err := b.in(ctx, func(tx store.Tx) (bool, error) {
		stored = Report{}
		for _, e := range batch {
			if err := b.addEntry(ctx, tx, by, e, &stored); err != nil {
				return false, fmt.Errorf("import line %d: %w", e.line, err)
			}
		}
		return stored.Added > 0, nil
	})
	if err != nil {
		return err
	}
	report.Added += stored.Added
	report.Unchanged += stored.Unchanged
	report.Notes = append(report.Notes, stored.Notes...)
	report.Refused = append(report.Refused, stored.Refused...)
	slices.SortStableFunc(report.Refused, func(a, b Problem) int { return a.Line - b.Line })
	return nil
}

func (b *Board) addEntry(ctx context.Context, tx store.Tx, by tasks.By, e entry, report *Report) error {
	task, notes := e.task, e.notes
	// It had its labels before there was a list of those there are.
	labels, err := Labels{}.read(e.labels, nil)
	if err = errors.Join(err, check(task)); err != nil {
		report.Refused = append(report.Refused, Problem{e.line, line(err.Error())})
		return nil
	}
	task.Labels = labels
	taken, err := exists(ctx, tx, store.TaskName{Prefix: task.Prefix, Number: task.Number})
	if err != nil {
		return err
	}
	if task.Number == 0 || taken {
		task.Prefix, task.Number = b.Prefix, 0
		task.ExternalRef = joined(e.id, task.ExternalRef)
	}
	if taken, err = exists(ctx, tx, store.TaskName{Thread: threadOf(task)}); err != nil {
		return err
	} else if taken {
		task.ExternalRef = joined(task.ExternalRef, "discord:"+task.Thread.ID)
		task.Thread = platform.Room{}
		notes = append(notes, "another task has its thread")
	}
	task.Creator = e.creator(authorOf(by))
	task, fresh, err := tx.AddTask(ctx, task, task.Creator, e.told(b.Now(), authorOf(by))...)
	if err != nil {
		return err
	}
	if !fresh {
		report.Unchanged++
		return nil
	}
	report.Added++
	if e.id != "" && (e.task.Number == 0 || e.task.ID() != task.ID()) {
		notes = append(notes, fmt.Sprintf("%s is now %s", e.id, task.ID()))
	}
	for _, why := range notes {
		report.Notes = append(report.Notes, Problem{e.line, why})
	}
	return nil
}

// exists tells whether there is a task of a name.
func exists(ctx context.Context, tx store.Tx, name store.TaskName) (bool, error) {
	_, err := tx.Task(ctx, name)
	if errors.Is(err, store.ErrNoSuchTask) {
		return false, nil
	}
	return err == nil, err
}

func threadOf(t store.Task) string {
	if t.Thread.ID == "" {
		return ""
	}
	return t.Thread.String()
}

// joined is two names that a task has elsewhere.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}
