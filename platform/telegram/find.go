package telegram

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/asidehq/aside/platform"
)

// people remembers who has written lately. Telegram does not tell a bot whose a username
// is.
type people struct {
	mu    sync.Mutex
	names map[string]user // by the username in lower case
}

const mostPeople = 2000

func newPeople() *people { return &people{names: map[string]user{}} }

func (p *people) meet(u *user) {
	if u == nil || u.Username == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.names) >= mostPeople {
		clear(p.names)
	}
	p.names[strings.ToLower(u.Username)] = *u
}

func (p *people) find(username string) (user, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	u, ok := p.names[strings.ToLower(username)]
	return u, ok
}

// FindRoom implements platform.Finder. Chats have ids; a public one has a name as well.
func (t *Telegram) FindRoom(ctx context.Context, near platform.Room, name string) (platform.Room, error) {
	name = strings.TrimSpace(strings.TrimPrefix(name, "#"))
	if public, ok := strings.CutPrefix(name, "@"); ok && strings.Trim(public, wordCharacters) == "" {
		var found chat
		if err := t.call(ctx, "getChat", params{"chat_id": "@" + public}, &found); err != nil {
			return platform.Room{}, err
		}
		return place{chat: found.ID}.room(), nil
	}
	in, err := t.place(platform.Room{Platform: name, ID: name})
	if err != nil {
		return platform.Room{}, platform.Refuse("there is no chat called %q; on Telegram a chat is named by its id, and a public one by its @name", short(name))
	}
	return in.room(), nil
}

// FindPerson implements platform.Finder, for ids and for the usernames of those who have
// written since the program started.
func (t *Telegram) FindPerson(ctx context.Context, near platform.Room, name string) (platform.Person, error) {
	name = strings.TrimSpace(name)
	id, err := strconv.ParseInt(name, 10, 64)
	if err != nil {
		u, ok := t.people.find(strings.TrimPrefix(name, "@"))
		if !ok {
			return platform.Person{}, platform.Refuse("nobody called %q has written here lately; use the person's id", short(name))
		}
		return person(u), nil
	}
	var m member
	err = t.at(ctx, near, func(in place) (err error) {
		m, err = t.member(ctx, in, id)
		return err
	})
	if err != nil {
		return platform.Person{}, err
	}
	return person(m.User), nil
}

// FindRole implements platform.Finder.
func (t *Telegram) FindRole(context.Context, platform.Room, string) (platform.Role, error) {
	return platform.Role{}, platform.Refuse("Telegram has no roles")
}
