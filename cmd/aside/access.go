package main

import (
	"crypto/rand"
	"fmt"
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
		Store: s, Notify: out.Notify, Logger: log,
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

// limits are the daily limits that a message counts for.
func limits(c *config.Config, m platform.Message) (all []store.Limit) {
	const again = "I answer again after midnight UTC."
	if most := c.Limits.PerPersonDaily; most > 0 && m.Author.ID != "" {
		all = append(all, store.Limit{
			Whose: "person " + m.Room.Platform + "/" + m.Author.ID, Most: most,
			Why:    "The person had reached the daily limit (limits.per_person_daily).",
			Notice: fmt.Sprintf("You have reached today's limit of %s. %s", messages(most), again),
		})
	}
	if most := c.RoomLimit(rooms(m)...); most > 0 {
		all = append(all, store.Limit{
			Whose: "room " + m.Room.String(), Most: most,
			Why:    "The room had reached its daily limit.",
			Notice: fmt.Sprintf("This room has reached today's limit of %s. %s", messages(most), again),
		})
	}
	return all
}

func messages(n int) string {
	if n == 1 {
		return "1 message"
	}
	return fmt.Sprintf("%d messages", n)
}

// entry is how people get in on a platform.
func entry(c *config.Config, name string) access.Entry {
	mode, users := c.Platforms.Access(name)
	return access.Entry{Closed: mode != config.AccessOpen, List: users, Pairing: mode == config.AccessPairing}
}
