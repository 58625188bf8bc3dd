package main

import (
	"time"

	"github.com/asidehq/aside/internal/config"
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
