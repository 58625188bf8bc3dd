package main

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"sync"

	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/model"
)

// A script is a model that says what it was told to when it reads the case's name, and
// nothing much about results.
type script struct {
	mu      sync.Mutex
	replies []string
	heard   []string // what it was told about results
}

// will makes it reply with this to who says the name that is returned.
func (s *script) will(reply string) (name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = append(s.replies, reply)
	return fmt.Sprintf("case-%d.", len(s.replies)-1)
}

var caseName = regexp.MustCompile(`case-(\d+)\.`)

func (s *script) Stream(_ context.Context, request model.Request) iter.Seq2[model.Delta, error] {
	last := request.Messages[len(request.Messages)-1].Text
	reply := "Done."
	s.mu.Lock()
	if found := caseName.FindStringSubmatch(last); found != nil && !strings.Contains(last, turn.ResultsMark) {
		var n int
		_, _ = fmt.Sscan(found[1], &n) // digits
		reply = s.replies[n]
	} else {
		s.heard = append(s.heard, last)
	}
	s.mu.Unlock()
	return func(yield func(model.Delta, error) bool) {
		yield(model.Delta{Text: reply, End: model.Done}, nil)
	}
}
