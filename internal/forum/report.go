package forum

import (
	"fmt"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

// A Report is what a sync has done.
type Report struct {
	Threads int // that were there

	Made, Adopted, Renamed, Retagged, Rewritten, Archived, Opened int

	Closed, Reopened, Updated []string // items

	Orphans  []platform.ForumThread
	Waiting  int      // threads that the platform asks to wait for
	Problems []string // what could not be done, and why
	TagMap   string   // what is wrong with it
	Later    time.Time
}

// later notes when there is more to do.
func (r *Report) later(at time.Time) {
	if !at.IsZero() && (r.Later.IsZero() || at.Before(r.Later)) {
		r.Later = at
	}
}

// quiet tells whether nothing was done and nothing went wrong.
func (r *Report) quiet() bool {
	return r.Made+r.Adopted+r.Renamed+r.Retagged+r.Rewritten+r.Archived+r.Opened+r.Waiting+len(r.Closed)+len(r.Reopened)+len(r.Updated)+len(r.Problems) == 0 && r.TagMap == ""
}

// mostNamed is how many of something are named; the rest is counted.
const mostNamed = 10

// Text is the report for people.
func (r *Report) Text(w Words) string {
	var parts []string
	say := func(n int, one, many, what string) {
		if n > 0 {
			parts = append(parts, count(n, one, many)+" "+what)
		}
	}
	say(r.Made, "thread", "threads", "made")
	say(r.Adopted, "thread", "threads", "taken over")
	say(r.Renamed, "thread", "threads", "renamed")
	say(r.Retagged, "thread", "threads", "tagged anew")
	say(r.Rewritten, "thread", "threads", "written anew")
	say(r.Archived, "thread", "threads", "archived")
	say(r.Opened, "thread", "threads", "opened")
	name := func(ids []string, what, one, many string) {
		if len(ids) > 0 {
			why := one
			if len(ids) > 1 {
				why = many
			}
			parts = append(parts, fmt.Sprintf("%s %s because %s (%s)", count(len(ids), w.One, w.Many), what, why, some(ids)))
		}
	}
	name(r.Closed, w.Closed, "its thread was archived", "their threads were archived")
	name(r.Reopened, w.Reopened, "its thread was opened", "their threads were opened")
	name(r.Updated, "changed", "its thread's first message was edited", "their threads' first messages were edited")
	if len(parts) == 0 {
		parts = append(parts, "nothing to mend, "+count(r.Threads, "thread", "threads"))
	}
	say(r.Waiting, "thread", "threads", "left for later because the platform asks to wait")
	if len(r.Orphans) > 0 {
		var names []string
		for _, t := range r.Orphans {
			names = append(names, t.Name)
		}
		parts = append(parts, fmt.Sprintf("%s to no %s: %s", count(len(r.Orphans), "orphan that belongs", "orphans that belong"), w.One, some(names)))
	}
	if len(r.Problems) > 0 {
		parts = append(parts, count(len(r.Problems), "problem", "problems")+": "+some(r.Problems))
	}
	if r.TagMap != "" {
		parts = append(parts, "in the tag map "+r.TagMap)
	}
	return strings.Join(parts, ", ")
}

// some are the first of some names, and how many more there are.
func some(names []string) string {
	text := strings.Join(names[:min(len(names), mostNamed)], ", ")
	if more := len(names) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
