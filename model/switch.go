package model

import (
	"context"
	"iter"
	"sync/atomic"
)

// A Switch is a model that can be exchanged for another one while it is used. A request
// stays with the model that it was begun with.
type Switch struct {
	now atomic.Pointer[Model]
}

// NewSwitch is a switch that begins with a model.
func NewSwitch(m Model) *Switch {
	s := &Switch{}
	s.Set(m)
	return s
}

// Set exchanges the model.
func (s *Switch) Set(m Model) { s.now.Store(&m) }

// Stream asks the model of this moment.
func (s *Switch) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	return (*s.now.Load()).Stream(ctx, r)
}
