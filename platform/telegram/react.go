package telegram

import (
	"context"

	"github.com/asidehq/aside/platform"
)

// A bot has one reaction on a message: another one takes its place.

// React implements platform.Reactor, with the nearest emoji that Telegram takes.
func (t *Telegram) React(ctx context.Context, room platform.Room, message, emoji string) platform.Receipt {
	near := t.Nearest(emoji)
	if near == "" {
		return receipt("", platform.Refuse("Telegram does not take %s as a reaction, nor anything like it", short(emoji)))
	}
	return t.Mark(ctx, room, message, near)
}

// Unreact implements platform.Reactor.
func (t *Telegram) Unreact(ctx context.Context, room platform.Room, message, _ string) platform.Receipt {
	return t.Mark(ctx, room, message, "")
}

// Mark implements platform.Marker.
func (t *Telegram) Mark(ctx context.Context, room platform.Room, message, glyph string) platform.Receipt {
	id, err := first(message)
	if err != nil {
		return receipt("", err)
	}
	all := []params{}
	if glyph != "" {
		near := t.Nearest(glyph)
		if near == "" {
			return receipt("", platform.Refuse("Telegram does not take %s as a reaction, nor anything like it", short(glyph)))
		}
		all = append(all, params{"type": "emoji", "emoji": near})
	}
	err = t.at(ctx, room, func(in place) error {
		err := t.call(ctx, "setMessageReaction", params{"chat_id": in.chat, "message_id": id, "reaction": all}, nil)
		if glyph == "" && says(err, "message to react not found", idInvalid) {
			return nil // nothing stands on what is gone
		}
		return err
	})
	return receipt(message, err)
}

// first is the first message of a post, or the message.
func first(id string) (int, error) {
	all, err := numbers(id)
	if err == nil && len(all) == 0 {
		err = platform.Refuse("there is no such message on Telegram")
	}
	if err != nil {
		return 0, err
	}
	return all[0], nil
}
