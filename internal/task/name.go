package task

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/asidehq/aside/internal/store"
)

var (
	named   = regexp.MustCompile(`^([a-z][a-z0-9_]*(?:-[a-z0-9_]+)*)-(\d{1,9})$`)
	counted = regexp.MustCompile(`^\d{1,9}$`)
	thread  = regexp.MustCompile(`^(?:<#(\d{10,20})>|https://[a-z.]*discord\.com/channels/[^/]+/(\d{10,20})(?:/\d*)?|(\d{10,20}))$`)
)

// name is the task that somebody means: ws-001, 001, 1, [001], the thread's mention, id or
// link, or what the task is called elsewhere.
func (b *Board) name(id string) store.TaskName {
	id = strings.Trim(strings.TrimSpace(id), "`\"'“”")
	if id = strings.TrimSpace(id); strings.HasPrefix(id, "[") && strings.HasSuffix(id, "]") {
		id = id[1 : len(id)-1]
	}
	name := store.TaskName{Ref: id}
	lower := strings.ToLower(strings.TrimPrefix(id, "#"))
	switch match, of := named.FindStringSubmatch(lower), thread.FindStringSubmatch(id); {
	case match != nil:
		name.Prefix, name.Number = match[1], number(match[2])
	case counted.MatchString(lower):
		name.Prefix, name.Number = b.Prefix, number(lower)
	case of != nil:
		name.Thread = of[1] + of[2] + of[3]
	case strings.Contains(id, "/"):
		name.Thread = id
	}
	return name
}

// number reads digits, of which there are few enough.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
