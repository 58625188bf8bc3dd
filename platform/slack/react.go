package slack

import (
	"context"
	"net/url"

	"github.com/asidehq/aside/platform"
)

// React implements platform.Reactor.
func (s *Slack) React(ctx context.Context, in platform.Room, message, emoji string) platform.Receipt {
	return receipt(message, s.react(ctx, "reactions.add", in, message, emoji))
}

// Unreact implements platform.Reactor.
func (s *Slack) Unreact(ctx context.Context, in platform.Room, message, emoji string) platform.Receipt {
	err := s.react(ctx, "reactions.remove", in, message, emoji)
	if is(err, "message_not_found") {
		err = nil // nothing stands on what is gone
	}
	return receipt(message, err)
}

func (s *Slack) react(ctx context.Context, method string, in platform.Room, message, emoji string) error {
	at, ts, err := both(in, message)
	if err != nil {
		return err
	}
	names, err := spellings(emoji)
	if err != nil {
		return err
	}
	for _, name := range names {
		err = s.call(ctx, method, url.Values{"channel": {at.channel}, "timestamp": {ts}, "name": {name}}, nil)
		if is(err, "already_reacted", "no_reaction") {
			return nil
		}
		if !is(err, "invalid_name") {
			return err
		}
	}
	return err
}
