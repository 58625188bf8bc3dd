package forum

import (
	"slices"
	"strings"
)

// mostTags is how many tags a thread has at most.
const mostTags = 5

// Tags say which tags of a forum the items of a board have. The zero value leaves all tags
// as they are.
type Tags struct {
	labels   map[string]string // the id of a tag, by label
	statuses map[string]string // and by status
}

// of are the tags that an item has: those of its labels, in their order, and that of its
// status.
func (t Tags) of(i Item) []string {
	var ids []string
	add := func(id string) {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, label := range i.Labels {
		add(t.labels[strings.ToLower(label)])
	}
	add(t.statuses[i.Status])
	return ids[:min(len(ids), mostTags)]
}

// want are the tags that a thread is to have: those of its item, and what people have put
// there that the map does not speak of.
func (t Tags) want(i Item, has []string) []string {
	if len(t.labels) == 0 && len(t.statuses) == 0 {
		return has
	}
	ids := t.of(i)
	for _, id := range has {
		if !t.speaksOf(id) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids[:min(len(ids), mostTags)]
}

func (t Tags) speaksOf(id string) bool {
	for _, of := range []map[string]string{t.labels, t.statuses} {
		for _, known := range of {
			if known == id {
				return true
			}
		}
	}
	return false
}
