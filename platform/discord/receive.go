package discord

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

func (s *shard) onMessage(ctx context.Context, f frame) error {
	var m message
	if err := decode(f, &m); err != nil {
		return err
	}
	if err := s.receive(ctx, &m, m.Guild); err != nil {
		return err
	}
	s.advance(ctx)
	return nil
}

// receive hands a message over, unless it is the agent's own or nobody's.
func (s *shard) receive(ctx context.Context, m *message, guild snowflake.ID) error {
	if m.ID == 0 || m.Channel == 0 {
		return errors.New("a message has no id")
	}
	self, err := s.d.me(ctx)
	if err != nil {
		return err
	}
	switch {
	case m.Author.ID == self:
		s.d.sent.add(m.Nonce, m.ID)
	case m.written():
		if guild == 0 && !s.d.marks.direct(m.Channel) {
			s.save(ctx, true) // Discord would not tell about this chat after a restart
		}
		out, err := s.complete(ctx, m, guild, self)
		if err != nil {
			return err
		}
		if err := s.hand(ctx, out); err != nil {
			return err
		}
		if m.Edited != nil { // it was fetched, and may have been received as it was before
			if err := s.hand(ctx, change(out, *m.Edited)); err != nil {
				return err
			}
		}
	}
	s.newest = max(s.newest, m.ID)
	return nil
}

// complete is a message with all that is to be known about it.
func (s *shard) complete(ctx context.Context, m *message, guild, self snowflake.ID) (out platform.Message, err error) {
	out = s.d.convert(m, guild, self)
	out.Text = s.d.addressed(out.Text, guild, self)
	if out.Parent, err = s.parent(ctx, m.Channel, guild); err != nil {
		return out, err
	}
	return out, s.download(ctx, m, &out)
}

// onMessageChange hands over what somebody has changed a message to. Discord tells of a
// message also when it has found a preview for a link, or when somebody pins it. Then it
// either was never edited, or the time of its last edit is that of one that is known.
func (s *shard) onMessageChange(ctx context.Context, f frame) error {
	var m message
	if err := decode(f, &m); err != nil {
		return err
	}
	if m.ID == 0 || m.Channel == 0 || m.Edited == nil {
		return nil
	}
	self, err := s.d.me(ctx)
	if err != nil {
		return err
	}
	guild := m.Guild
	if m.Author.ID == 0 || !has(f, "content") {
		whole := message{}
		err := s.insist(ctx, func() error {
			whole = message{}
			return s.d.call(ctx, rest.GetMessage.Compile(nil, m.Channel, m.ID), nil, &whole)
		})
		if err != nil {
			return err
		}
		if whole.ID == 0 || whole.Edited == nil {
			return nil // it is gone
		}
		m = whole
	}
	if c, known := s.d.guilds.channel(m.Channel); known && m.ID == m.Channel {
		s.watched(c, platform.ThreadRewritten)
	}
	if m.Author.ID == self || !m.written() {
		return nil
	}
	out, err := s.complete(ctx, &m, guild, self)
	if err != nil {
		return err
	}
	return s.hand(ctx, change(out, *m.Edited))
}

// change makes of a message that was edited the message that this is.
func change(m platform.Message, at time.Time) platform.Message {
	m.Edits, m.At = m.ID, at
	m.ID = fmt.Sprintf("%s-edit-%d", m.ID, at.UnixMicro())
	return m
}
