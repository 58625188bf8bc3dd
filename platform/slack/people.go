package slack

import (
	"context"
	"net/url"
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// people remembers who is who, for a while: names change, and rights do.
type people struct {
	mu       sync.Mutex
	users    map[string]known[user]
	channels map[string]known[channel]
}

type known[E any] struct {
	what  E
	until time.Time
}

const (
	nameAge    = 10 * time.Minute
	mostKnown  = 5000
	briefAsked = 5 * time.Second // to know a name is worth a moment, not the time of everybody else
)

func newPeople() *people {
	return &people{users: map[string]known[user]{}, channels: map[string]known[channel]{}}
}

func remember[E any](p *people, all map[string]known[E], id string, what E, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(all) >= mostKnown {
		clear(all)
	}
	all[id] = known[E]{what, until}
}

func recall[E any](p *people, all map[string]known[E], id string, now time.Time) (E, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k, ok := all[id]
	return k.what, ok && now.Before(k.until)
}

// user is somebody in the workspace. fresh asks Slack, whatever is remembered: rights are
// not decided on by what was.
func (s *Slack) user(ctx context.Context, id string, fresh bool) (user, error) {
	if !userID.MatchString(id) {
		return user{}, platform.Refuse("%q is not the id of a person on Slack", short(id))
	}
	if u, ok := recall(s.people, s.people.users, id, s.now()); ok && !fresh {
		return u, nil
	}
	var answer struct {
		User user `json:"user"`
	}
	if err := s.call(ctx, "users.info", url.Values{"user": {id}}, &answer); err != nil {
		return user{}, err
	}
	remember(s.people, s.people.users, id, answer.User, s.now().Add(nameAge))
	return answer.User, nil
}

// channel is what a conversation is.
func (s *Slack) channel(ctx context.Context, id string) (channel, error) {
	if !channelID.MatchString(id) {
		return channel{}, platform.Refuse("%q is not the id of a channel on Slack", short(id))
	}
	if c, ok := recall(s.people, s.people.channels, id, s.now()); ok {
		return c, nil
	}
	return s.freshChannel(ctx, id)
}

func (s *Slack) freshChannel(ctx context.Context, id string) (channel, error) {
	var answer struct {
		Channel channel `json:"channel"`
	}
	if err := s.call(ctx, "conversations.info", url.Values{"channel": {id}}, &answer); err != nil {
		return channel{}, err
	}
	remember(s.people, s.people.channels, id, answer.Channel, s.now().Add(nameAge))
	return answer.Channel, nil
}

// person is somebody as they are called. Whose name cannot be found out is their id.
func (s *Slack) person(ctx context.Context, id string) platform.Person {
	brief, cancel := context.WithTimeout(ctx, briefAsked)
	defer cancel()
	u, err := s.user(brief, id, false)
	if err != nil {
		return platform.Person{ID: id, Name: id}
	}
	return u.person()
}

func (u user) person() platform.Person {
	p := platform.Person{ID: u.ID, Name: u.ID, Bot: u.IsBot || u.ID == "USLACKBOT"}
	for _, name := range []string{u.Profile.Display, u.Profile.RealName, u.RealName, u.Name} {
		if name != "" {
			p.Name = name
			break
		}
	}
	return p
}
