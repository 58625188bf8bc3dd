package discord

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

const (
	// overlap is fetched once more: ids of different rooms do not come in order.
	overlap = time.Minute

	mostPage  = 100  // messages in an answer
	mostFetch = 1000 // messages of a room
)

// since is from where on messages may have been missed.
func (s *shard) since() snowflake.ID {
	return max(s.d.marks.start(), s.position-min(s.position, snowflake.ID(overlap.Milliseconds()<<22)))
}

// catchUp fetches what was written in a guild's rooms while nobody was connected. At
// the very first start there is nothing to catch up with, and the latest message tells
// where to begin.
func (s *shard) catchUp(ctx context.Context, channels map[snowflake.ID]channel) error {
	since := s.since()
	var missed []channel
	for _, c := range channels {
		if s.position == 0 {
			s.newest = max(s.newest, c.ID, c.Last)
			continue
		}
		if c.Last > since && c.Type != categoryChannel && c.Type != forumChannel && c.Type != mediaChannel && s.allowed(c) {
			missed = append(missed, c)
		}
	}
	// The room that was silent for longest comes first.
	slices.SortFunc(missed, func(a, b channel) int { return cmp.Compare(a.Last, b.Last) })
	for _, c := range missed {
		if err := s.fetch(ctx, c.ID, c.Guild, since); err != nil {
			return err
		}
	}
	return nil
}

// allowed tells whether a room is one of those the agent is in, or a thread in one.
func (s *shard) allowed(c channel) bool {
	rooms := s.d.options.Rooms
	return len(rooms) == 0 || slices.Contains(rooms, c.ID.String()) || c.isThread() && slices.Contains(rooms, c.Parent.String())
}

// parent is the room that a thread is in, "" for every other room. Whether a message is
// for the agent may depend on it, so it is not guessed: Discord is asked about a room that
// it has not told of.
func (s *shard) parent(ctx context.Context, in, guild snowflake.ID) (string, error) {
	if guild == 0 {
		return "", nil
	}
	c, known := s.d.guilds.channel(in)
	if !known {
		err := s.insist(ctx, func() error {
			c = channel{}
			return s.d.call(ctx, rest.GetChannel.Compile(nil, in), nil, &c)
		})
		if err != nil {
			return "", err
		}
		if c.ID == in && c.Guild == guild {
			s.d.guilds.putChannel(c)
		}
	}
	if !c.isThread() || c.Parent == 0 {
		return "", nil
	}
	return c.Parent.String(), nil
}

// catchUpDirect does the same for direct chats. Discord does not tell which there are:
// those that are known, and those with people who are allowed to talk to the agent.
func (s *shard) catchUpDirect(ctx context.Context) error {
	if s.position == 0 {
		return nil
	}
	rooms := s.d.marks.directs()
	for _, text := range s.d.options.AllowUsers {
		id, err := parse("person", text)
		if err != nil {
			continue
		}
		var c channel
		err = s.insist(ctx, func() error {
			return s.d.call(ctx, rest.CreateDMChannel.Compile(nil), map[string]any{"recipient_id": id}, &c)
		})
		if err != nil {
			return err
		}
		if c.ID != 0 && c.Last > s.since() && !slices.Contains(rooms, c.ID) {
			rooms = append(rooms, c.ID)
		}
	}
	for _, id := range rooms {
		if err := s.fetch(ctx, id, 0, s.since()); err != nil {
			return err
		}
	}
	return nil
}

// fetch hands over what was written in a room since, oldest first.
func (s *shard) fetch(ctx context.Context, in, guild, since snowflake.ID) error {
	var missed []message
	query := discord.QueryValues{"limit": mostPage}
	for {
		var page []message
		err := s.insist(ctx, func() error {
			page = nil
			return s.d.call(ctx, rest.GetMessages.Compile(query, in), nil, &page)
		})
		if err != nil {
			return err
		}
		end := len(page) < mostPage
		for _, m := range page {
			if m.ID <= since {
				end = true
				break
			}
			missed = append(missed, m)
		}
		if end {
			break
		}
		if len(missed) >= mostFetch {
			s.log.Error("so much was written while Discord was not connected that the oldest of it is left out", "room", in.String(), "fetched", len(missed))
			break
		}
		query["before"] = missed[len(missed)-1].ID
	}
	for _, m := range slices.Backward(missed) {
		m.Channel = in
		if err := s.receive(ctx, &m, guild); err != nil {
			return err
		}
	}
	return nil
}

// insist asks until there is an answer. What Discord refuses is let go: the bot may not
// read everything.
func (s *shard) insist(ctx context.Context, ask func() error) error {
	for tries := 0; ; tries++ {
		err := ask()
		if err == nil {
			return nil
		}
		var p *platform.Problem
		if errors.As(err, &p) && p.Outcome == platform.Refused {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		pause := backoff(tries)
		if p != nil {
			pause = max(pause, p.RetryAfter)
		}
		if err := s.d.wait(ctx, pause); err != nil {
			return err
		}
	}
}
