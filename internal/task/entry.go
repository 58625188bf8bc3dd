package task

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// An entry is a line of an import.
type entry struct {
	line    int
	id      string // as it stands there
	task    store.Task
	labels  []string
	owner   string
	history []store.TaskChange
	notes   []string
}

// statuses are what statuses are called elsewhere.
var statuses = map[string]store.TaskStatus{
	"": store.TaskOpen, "open": store.TaskOpen, "todo": store.TaskOpen, "new": store.TaskOpen, "ready": store.TaskOpen, "pending": store.TaskOpen, "reopened": store.TaskOpen,
	"inprogress": store.TaskInProgress, "doing": store.TaskInProgress, "started": store.TaskInProgress, "active": store.TaskInProgress,
	"blocked": store.TaskBlocked, "waiting": store.TaskBlocked, "onhold": store.TaskBlocked, "deferred": store.TaskBlocked,
	"closed": store.TaskClosed, "done": store.TaskClosed, "completed": store.TaskClosed, "complete": store.TaskClosed,
	"resolved": store.TaskClosed, "cancelled": store.TaskClosed, "canceled": store.TaskClosed, "wontfix": store.TaskClosed,
}

// readEntry reads a line. One that is empty is none.
func readEntry(line []byte, trouble error, n int) (e *entry, wrong string) {
	if trouble != nil && !errors.Is(trouble, io.EOF) {
		return nil, trouble.Error()
	}
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
	if len(line) == 0 {
		return nil, ""
	}
	var given record
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	if err := decoder.Decode(&given); err != nil || given == nil || decoder.More() {
		return nil, "it is not a JSON object"
	}
	e = &entry{line: n, id: clip(given.line("id"), longestLabel), owner: given.line("owner", "assignee", "created_by")}
	if e.labels = given.list("labels", "tags"); len(e.labels) > mostLabels {
		e.notes = append(e.notes, fmt.Sprintf("only %d of its %d labels were kept", mostLabels, len(e.labels)))
		e.labels = e.labels[:mostLabels]
	}
	if kind := given.line("issue_type"); kind != "" && kind != "task" && len(e.labels) < mostLabels {
		e.labels = append(e.labels, kind)
	}
	if wrong := e.read(given); wrong != "" {
		return nil, wrong
	}
	e.task.Key = e.key(given)
	return e, ""
}

// read reads the fields that a task has.
func (e *entry) read(given record) (wrong string) {
	t := &e.task
	if match := named.FindStringSubmatch(strings.ToLower(e.id)); match != nil {
		t.Prefix, t.Number = match[1], number(match[2])
	}
	t.Title = e.fit("title", given.line("title", "name"), mostTitle)
	t.Description = e.fit("description", given.text("description", "body"), mostDescription)
	status := given.line("status", "state")
	var ok bool
	if t.Status, ok = statuses[strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(status))]; !ok {
		return fmt.Sprintf("nobody knows the status %q; there are open, in_progress, blocked and closed", clip(status, longestLabel))
	}
	if t.Priority, ok = given.priority(); !ok {
		return fmt.Sprintf("its priority %q is no number from 0 to %d", clip(given.line("priority"), longestLabel), lowestPriority)
	}
	for _, field := range []struct {
		name string
		into *time.Time
	}{{"created_at", &t.Created}, {"updated_at", &t.Updated}, {"closed_at", &t.Closed}} {
		if *field.into, ok = given.time(field.name); !ok {
			return fmt.Sprintf("its %s %q is no time, such as 2026-03-01T12:00:00Z", field.name, clip(given.line(field.name), longestLabel))
		}
	}
	if t.Updated.IsZero() {
		t.Updated = t.Created
	}
	if t.Status == store.TaskClosed {
		t.CloseReason = e.fit("reason", given.line("close_reason"), mostReason)
		if t.Closed.IsZero() {
			t.Closed = t.Updated
		}
	} else {
		t.Closed = time.Time{}
	}
	ref := given.line("external_ref")
	if id, ok := strings.CutPrefix(ref, "discord:"); ok && thread.MatchString(id) {
		t.Thread = platform.Room{Platform: "discord", ID: id}
	} else {
		t.ExternalRef = clip(ref, mostTitle)
	}
	e.history = append(e.history, given.comments()...)
	return ""
}

// fit is a text that a task has room for. What is longer is kept whole in its history.
func (e *entry) fit(what, s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	e.notes = append(e.notes, fmt.Sprintf("its %s is longer than %d characters; it is whole in its history", what, most))
	e.history = append(e.history, store.TaskChange{By: store.Author{Platform: imported}, What: what + ": " + s})
	return clip(s, most)
}

// told is the history that a task comes with, and that it was imported.
func (e *entry) told(now time.Time, by store.Author) []store.TaskChange {
	all := slices.Clone(e.history)
	for i := range all {
		if all[i].At.IsZero() {
			all[i].At = now
		}
	}
	return append(all, store.TaskChange{Key: e.task.Key, By: by, What: "imported", At: now})
}

// imported is the platform of people whom an import names.
const imported = "import"

// creator is who is named as the owner, or else who imports it.
func (e *entry) creator(by store.Author) store.Author {
	if e.owner == "" {
		return by
	}
	return store.Author{Platform: imported, Name: clip(e.owner, mostTitle)}
}

// key is the same for the same task, whatever has become of it since.
func (e *entry) key(given record) string {
	what := []string{e.id, given.line("created_at")}
	if slices.Contains(what, "") {
		what = append(what, given.line("title", "name"))
	}
	sum := sha256.Sum256([]byte(strings.Join(what, "\n")))
	return "import-" + hex.EncodeToString(sum[:16])
}

// A record is a line as it was written, where one thing may be written in many ways.
type record map[string]any

// text is the first of some fields that says something.
func (r record) text(names ...string) string {
	for _, name := range names {
		switch value := r[name].(type) {
		case string:
			if value = text(value); value != "" {
				return value
			}
		case json.Number:
			return value.String()
		}
	}
	return ""
}

func (r record) line(names ...string) string { return line(r.text(names...)) }

// list is a list of texts, or a text with commas.
func (r record) list(names ...string) (all []string) {
	for _, name := range names {
		switch value := r[name].(type) {
		case string:
			all = append(all, strings.Split(value, ",")...)
		case []any:
			for _, one := range value {
				if one, ok := one.(string); ok {
					all = append(all, one)
				}
			}
		}
	}
	return all
}

// priority is 2, P2 or nothing, which is 2.
func (r record) priority() (int, bool) {
	s := strings.TrimPrefix(strings.ToLower(r.line("priority")), "p")
	if given := r["priority"]; given == nil || given == "" {
		return 2, true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n <= lowestPriority
}

// time is a time as RFC 3339 has it, or in seconds or milliseconds since 1970; nothing is
// the zero time.
func (r record) time(name string) (time.Time, bool) {
	s := r.line(name)
	if s == "" {
		return time.Time{}, true
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > 0 && n < 1<<53 {
		if n < 1e11 {
			n *= 1000
		}
		return time.UnixMilli(n).UTC(), true
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", time.DateTime, time.DateOnly} {
		if at, err := time.Parse(layout, s); err == nil && at.Year() > 0 {
			return at.UTC().Truncate(time.Microsecond), true
		}
	}
	return time.Time{}, false
}

// comments are what was said about a task.
func (r record) comments() (all []store.TaskChange) {
	list, _ := r["comments"].([]any)
	for _, one := range list {
		var c record
		switch one := one.(type) {
		case string:
			c = record{"text": one}
		case map[string]any:
			c = one
		}
		said := c.text("text", "body", "content", "comment")
		if said == "" {
			continue
		}
		at, _ := c.time("created_at")
		all = append(all, store.TaskChange{
			By: store.Author{Platform: imported, Name: clip(c.line("author", "by", "user"), mostTitle)}, What: "comment: " + said, At: at,
		})
	}
	return all
}

// clip is a text of at most so many characters.
func clip(s string, most int) string {
	if all := []rune(s); len(all) > most {
		return string(all[:most-1]) + "…"
	}
	return s
}
