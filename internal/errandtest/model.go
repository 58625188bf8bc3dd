package errandtest

import (
	"context"
	"iter"
	"strings"
	"sync"
	"time"

	"github.com/asidehq/aside/model"
)

// A Model says what a test wants it to.
type Model struct {
	mu      sync.Mutex
	answers []answer
	asked   []string
}

type answer struct {
	to  string
	say func(ctx context.Context) (string, error)
}

// Answers has it answer what holds a text with another one.
func (m *Model) Answers(to, with string) {
	m.Does(to, func(context.Context) (string, error) { return with, nil })
}

// Does has it answer what holds a text in some way. What was said last counts.
func (m *Model) Does(to string, say func(ctx context.Context) (string, error)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answers = append([]answer{{to, say}}, m.answers...)
}

// Asked are the messages that it was asked which hold a text.
func (m *Model) Asked(holding string) (all []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, asked := range m.asked {
		if strings.Contains(asked, holding) {
			all = append(all, asked)
		}
	}
	return all
}

// Stream implements model.Model. What nobody has told it about it answers with "OK.".
func (m *Model) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	asked := r.Messages[len(r.Messages)-1].Text
	say := func(context.Context) (string, error) { return "OK.", nil }
	m.mu.Lock()
	m.asked = append(m.asked, asked)
	for _, a := range m.answers {
		if strings.Contains(asked, a.to) {
			say = a.say
			break
		}
	}
	m.mu.Unlock()
	return func(yield func(model.Delta, error) bool) {
		text, err := say(ctx)
		if text != "" && !yield(model.Delta{Text: text}, nil) {
			return
		}
		if err != nil {
			yield(model.Delta{}, err)
			return
		}
		yield(model.Delta{End: model.Done}, nil)
	}
}

// A Clock is moved by hand.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock begins at noon on 1 March 2026.
func NewClock() *Clock { return &Clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

// Now is the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Move moves it on.
func (c *Clock) Move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
