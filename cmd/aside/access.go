package main

import (
	"crypto/rand"
	"log/slog"

	"github.com/asidehq/aside/internal/access"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/store"
)

// newDoor is who may talk to the agent.
func newDoor(c *config.Config, s *store.Store, out *outbox.Outbox, log *slog.Logger) *access.Door {
	return access.NewDoor(access.Door{
		Store: s, Platforms: out.Platform, Logger: log,
		NewCode: func() string { return access.NewCode(rand.Reader) },
		Entry:   func(platform string) access.Entry { return entry(c, platform) },
	})
}

// entry is how people get in on a platform.
func entry(c *config.Config, platform string) access.Entry {
	mode, users := c.Platforms.Access(platform)
	return access.Entry{Closed: mode != config.AccessOpen, List: users, Pairing: mode == config.AccessPairing}
}
