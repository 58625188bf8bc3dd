package task

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/store"
)

// How much a task may hold, in characters.
const (
	mostTitle       = 200
	mostDescription = 1900
	mostReason      = 500
	lowestPriority  = 4
)

// apply makes a change to a task and says what has become different.
func (b *Board) apply(t *store.Task, c tasks.Change) (what []string, err error) {
	if c.Labels != nil {
		labels, err := b.Labels.read(*c.Labels, t.Labels)
		if err != nil {
			return nil, err
		}
		if !slices.Equal(labels, t.Labels) {
			what = append(what, fmt.Sprintf("labels: %s → %s", orNone(t.Labels), orNone(labels)))
			t.Labels = labels
		}
	}
	if c.Title != nil && line(*c.Title) != t.Title {
		what = append(what, fmt.Sprintf("title: %q → %q", t.Title, line(*c.Title)))
		t.Title = line(*c.Title)
	}
	if c.Description != nil && text(*c.Description) != t.Description {
		what = append(what, "description")
		t.Description = text(*c.Description)
	}
	if c.Priority != nil && *c.Priority != t.Priority {
		what = append(what, fmt.Sprintf("priority: %d → %d", t.Priority, *c.Priority))
		t.Priority = *c.Priority
	}
	if c.Status != nil && store.TaskStatus(*c.Status) != t.Status {
		what = append(what, b.move(t, c))
	}
	return what, check(*t)
}

// move gives a task another status.
func (b *Board) move(t *store.Task, c tasks.Change) string {
	what := fmt.Sprintf("status: %s → %s", t.Status, *c.Status)
	t.Status = store.TaskStatus(*c.Status)
	if t.Status != store.TaskClosed {
		t.Closed, t.CloseReason = time.Time{}, ""
		return what
	}
	t.Closed = b.Now().UTC().Truncate(time.Microsecond) // as it is stored
	if c.Reason != nil {
		t.CloseReason = line(*c.Reason)
	}
	if t.CloseReason != "" {
		what += ": " + t.CloseReason
	}
	return what
}

// check says what is wrong with a task.
func check(t store.Task) error {
	switch title := utf8.RuneCountInString(t.Title); {
	case title == 0:
		return tasks.Mistake("a task needs a title")
	case title > mostTitle:
		return tasks.Mistake(fmt.Sprintf("a title has at most %d characters, got %d; put the rest into the description", mostTitle, title))
	}
	if n := utf8.RuneCountInString(t.Description); n > mostDescription {
		return tasks.Mistake(fmt.Sprintf("a description has at most %d characters, got %d", mostDescription, n))
	}
	if n := utf8.RuneCountInString(t.CloseReason); n > mostReason {
		return tasks.Mistake(fmt.Sprintf("a reason has at most %d characters, got %d", mostReason, n))
	}
	if t.Priority < 0 || t.Priority > lowestPriority {
		return tasks.Mistake(fmt.Sprintf("a priority is a number from 0, the most urgent, to %d, got %d", lowestPriority, t.Priority))
	}
	if !slices.Contains(store.TaskStatuses(), t.Status) {
		return wrongStatus(string(t.Status))
	}
	return nil
}

func wrongStatus(status string) error {
	return tasks.Mistake(fmt.Sprintf("a status is one of %s, got %q", strings.Join(tasks.Statuses(), ", "), status))
}

// line is a text in one line, of what can be shown and stored.
func line(s string) string { return strings.Join(strings.Fields(text(s)), " ") }

// text is a text without what cannot be shown or stored.
func text(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(s, "�")))
}

func orNone(labels []string) string {
	if len(labels) == 0 {
		return "none"
	}
	return strings.Join(labels, ", ")
}
