package main

import (
	"context"
	"errors"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/task"
)

// newBoard is the board as it is configured.
func newBoard(c *config.Config, s *store.Store) *task.Board {
	return &task.Board{
		Store: s, Prefix: c.Tasks.Prefix, Now: time.Now,
		Labels: task.Labels{Known: c.Tasks.Labels.Known, NoThread: c.Tasks.Labels.NoThread},
	}
}

// switchedOff tells why the actions of a category may not be used at all, in the policy's
// words.
func switchedOff(c *config.Config) func(category string) string {
	rules := policy(c)
	return func(category string) string {
		return rules.Decide(action.Situation{}, &action.Spec{Category: category}).Why
	}
}

// withBoard is with for an operator who has the board that is configured.
func (f *placeFlags) withBoard(ctx context.Context, do func(operator.Operator) error) error {
	c, err := f.load()
	if err != nil {
		return err
	}
	o, err := f.open(ctx)
	if err != nil {
		return err
	}
	if local, ok := o.(operator.Local); ok {
		local.Board, local.Off = newBoard(c, local.Store), switchedOff(c)
		o = local
	}
	return errors.Join(do(o), o.Close())
}
