package task

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/asidehq/aside/catalogue/tasks"
)

// Labels are the rules for labels.
type Labels struct {
	Known    []string // the only ones there are; none is no such list
	NoThread []string // with one of these a task has no thread in the forum
}

// How many labels a task may have, and how long they may be.
const (
	mostLabels   = 20
	longestLabel = 50
)

// read is the labels that somebody means: each once, in the order given. What the task has
// already may stay.
func (l Labels) read(given, has []string) ([]string, error) {
	var all []string
	for _, one := range given {
		one = label(one)
		if one == "" || slices.Contains(all, one) {
			continue
		}
		if n := utf8.RuneCountInString(one); n > longestLabel {
			return nil, tasks.Mistake(fmt.Sprintf("a tag has at most %d characters, got %d", longestLabel, n))
		}
		if !l.knows(one) && !slices.Contains(has, one) {
			return nil, tasks.Mistake(fmt.Sprintf("there is no tag %q; there are %s", one, strings.Join(l.all(), ", ")))
		}
		all = append(all, one)
	}
	if len(all) > mostLabels {
		return nil, tasks.Mistake(fmt.Sprintf("a task has at most %d tags, got %d", mostLabels, len(all)))
	}
	return all, nil
}

func (l Labels) knows(one string) bool { return len(l.Known) == 0 || slices.Contains(l.all(), one) }

// all are the labels there are, where there is such a list.
func (l Labels) all() []string {
	var all []string
	for _, one := range slices.Concat(l.Known, l.NoThread) {
		if one = label(one); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// noThread tells whether labels opt out of a thread.
func (l Labels) noThread(labels []string) bool {
	return slices.ContainsFunc(l.NoThread, func(one string) bool { return slices.Contains(labels, label(one)) })
}

// label is a label as it is kept: in lower case, with no space in it.
func label(s string) string {
	parts := strings.FieldsFunc(text(s), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	return strings.ToLower(strings.Join(parts, "-"))
}
