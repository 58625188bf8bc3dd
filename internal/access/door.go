// Package access says who may talk to the agent: everyone, the people on a list, or also
// those whom the operator has let in. It imports the store and what a platform is.
//
// Before changing it, know that a person is a platform and that platform's id of them, and
// nothing else: names are chosen by whoever has them, and what is written in a chat opens
// no door. Only the operator's own functions (package operator) let somebody in.
package access

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// An Entry is how people get in on a platform.
type Entry struct {
	Closed  bool     // only those on the list, and those who were let in
	List    []string // the platform's ids, or @handles where it has them
	Pairing bool     // strangers can ask, and are let in by the operator
}

// names tells whether a person is on the list. A name that anybody can take is no handle.
func (e Entry) names(p platform.Person) bool {
	return slices.ContainsFunc(e.List, func(one string) bool {
		return one == p.ID || p.Handle != "" && strings.EqualFold(one, "@"+p.Handle)
	})
}

// A Door is where strangers stop.
type Door struct {
	Store   *store.Store
	Entry   func(platform string) Entry
	NewCode func() string
	Logger  *slog.Logger

	// Notify says something in a room, once for each key.
	Notify func(ctx context.Context, subject string, post platform.Post) (platform.Receipt, error)

	wake chan struct{} // somebody is to be told something
}

// NewDoor returns a door.
func NewDoor(d Door) *Door {
	d.wake = make(chan struct{}, 1)
	return &d
}

const (
	codeTime    = time.Hour // how long a code is good for, and nobody gets another one
	mostPending = 3         // strangers of a platform who wait at a time
	longestName = 100       // of a stranger, in bytes
)

// Knows tells whether the author of a message may talk to the agent.
func (d *Door) Knows(ctx context.Context, m platform.Message) (bool, error) {
	entry := d.Entry(m.Room.Platform)
	if !entry.Closed || entry.names(m.Author) {
		return true, nil
	}
	if !entry.Pairing || m.Author.ID == "" {
		return false, nil
	}
	return d.Store.Approved(ctx, m.Room.Platform, m.Author.ID)
}

// Knock is what a stranger's message comes to: in a direct chat they get a code, once, and
// everywhere else nothing. The message itself is kept nowhere.
func (d *Door) Knock(ctx context.Context, m platform.Message) error {
	if !d.Entry(m.Room.Platform).Pairing || !m.Direct || m.Reaction != nil || m.Edits != "" || m.Author.ID == "" {
		return nil
	}
	if len(m.Author.Name) > longestName {
		m.Author.Name = strings.ToValidUTF8(m.Author.Name[:longestName], "") + "…"
	}
	fresh, err := d.Store.Knock(ctx, m, d.NewCode(), codeTime, mostPending)
	if fresh {
		d.Wake()
	}
	return err
}
