package episode

import (
	"math"
	"time"

	"github.com/asidehq/aside/internal/store"
)

const (
	mostMessages = 50     // of an episode
	mostBytes    = 32_000 // of an episode, about: a model has to read it
	endless      = math.MaxInt64
)

// stretch is how many messages, from the oldest on, are an episode: up to where nobody said
// anything for so long, or to where it has become long enough, or up to the last one that no
// prompt tells in full any more. 0 if the conversation goes on.
func stretch(said []store.Said, now time.Time, after time.Duration, folded int64) int {
	size := 0
	for i, one := range said {
		size += len(one.Text) + len(one.Answer)
		ended := now
		if i+1 < len(said) {
			ended = said[i+1].At
		}
		switch {
		case ended.Sub(one.At) >= after:
			return i + 1
		case i+1 == len(said):
		case i+1 == mostMessages || size >= mostBytes:
			return i + 1
		}
	}
	n := 0
	for n < len(said) && said[n].Message <= folded {
		n++
	}
	return n
}

// talk is what people and the agent have said to each other, without what is to be left out.
func talk(said []store.Said, leave func(text string) bool) (talk []store.Said) {
	for _, one := range said {
		if one.Errand {
			one.Text = "" // nobody has said it
		} else if leave != nil && leave(one.Text) {
			continue
		}
		if one.Text != "" || one.Answer != "" {
			talk = append(talk, one)
		}
	}
	return talk
}
