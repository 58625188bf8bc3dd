package discord

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// onReaction hands over that somebody has put an emoji on a message or taken one off.
// The event says little of the message: it is fetched.
func (s *shard) onReaction(ctx context.Context, f frame) error {
	var e struct {
		User    snowflake.ID `json:"user_id"`
		Channel snowflake.ID `json:"channel_id"`
		Message snowflake.ID `json:"message_id"`
		Guild   snowflake.ID `json:"guild_id"`
		Author  snowflake.ID `json:"message_author_id"`
		Member  *member      `json:"member"`
		Emoji   emoji        `json:"emoji"`
	}
	if err := decode(f, &e); err != nil {
		return err
	}
	self, err := s.d.me(ctx)
	if err != nil {
		return err
	}
	if e.User == self || e.User == 0 || e.Message == 0 || e.Emoji.Name == "" {
		return nil
	}
	parent, err := s.parent(ctx, e.Channel, e.Guild)
	if err != nil {
		return err
	}
	// To know more about it is worth a moment, not the time of everybody else.
	brief, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	// Nothing in the event is unique to it; its place in the session is.
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", s.session, f.Seq))
	m := platform.Message{
		Room:    room(e.Channel),
		ID:      "reaction-" + base64.RawURLEncoding.EncodeToString(sum[:12]),
		Author:  s.d.someone(brief, e.User, e.Guild, e.Member),
		ReplyTo: e.Message.String(),
		At:      s.d.now(),
		Direct:  e.Guild == 0,
		Parent:  parent,
		Reaction: &platform.Reaction{
			Emoji:   e.Emoji.String(),
			Removed: f.Type == "MESSAGE_REACTION_REMOVE",
			To:      platform.Message{Room: room(e.Channel), ID: e.Message.String()},
			ToAgent: e.Author == self,
		},
	}
	var to message
	if err := s.d.call(brief, rest.GetMessage.Compile(nil, e.Channel, e.Message), nil, &to); err == nil {
		m.Reaction.To = s.d.convert(&to, e.Guild, self)
		m.Reaction.ToAgent = to.Author.ID == self
	} else if ctx.Err() != nil {
		return ctx.Err()
	}
	m.Mentioned = m.Reaction.ToAgent
	return s.hand(ctx, m)
}

// someone is a person of whom an event has only the id, or also the member. A person
// whose name cannot be found out is their id.
func (d *Discord) someone(ctx context.Context, id, guild snowflake.ID, m *member) platform.Person {
	if m != nil && m.User.ID == id {
		return person(m.User, m)
	}
	if guild != 0 {
		if m, err := d.member(ctx, guild, id); err == nil {
			return person(m.User, &m)
		}
	}
	var u user
	if err := d.call(ctx, rest.GetUser.Compile(nil, id), nil, &u); err == nil {
		return person(u, nil)
	}
	return platform.Person{ID: id.String(), Name: id.String()}
}
