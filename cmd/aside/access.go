package main

import (
	"crypto/rand"
	"log/slog"

	"github.com/asidehq/aside/internal/access"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// newDoor is who may talk to the agent.
func newDoor(c *config.Config, s *store.Store, out *outbox.Outbox, log *slog.Logger) *access.Door {
	return access.NewDoor(access.Door{
		Store: s, Platforms: out.Platform, Logger: log,
		NewCode: func() string { return access.NewCode(rand.Reader) },
		Entry:   func(name string) access.Entry { return entry(c, name) },
	})
}

// rooms are the room of a message, and the one that it is in if it is a thread: what is
// configured about that counts there too.
func rooms(m platform.Message) []string {
	all := []string{m.Room.String()}
	if m.Parent != "" {
		all = append(all, platform.Room{Platform: m.Room.Platform, ID: m.Parent}.String())
	}
	return all
}

// entry is how people get in on a platform.
func entry(c *config.Config, name string) access.Entry {
	mode, users := c.Platforms.Access(name)
	return access.Entry{Closed: mode != config.AccessOpen, List: users, Pairing: mode == config.AccessPairing}
}
