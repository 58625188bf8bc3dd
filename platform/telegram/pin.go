package telegram

import (
	"context"

	"github.com/asidehq/aside/platform"
)

// Pin implements platform.Pinner. Nobody is notified.
func (t *Telegram) Pin(ctx context.Context, room platform.Room, message string) error {
	return t.pin(ctx, room, message, "pinChatMessage", params{"disable_notification": true})
}

// Unpin implements platform.Pinner.
func (t *Telegram) Unpin(ctx context.Context, room platform.Room, message string) error {
	err := t.pin(ctx, room, message, "unpinChatMessage", params{})
	if says(err, "message to unpin not found", "message to pin not found") {
		return nil // nothing is pinned that is gone
	}
	return err
}

func (t *Telegram) pin(ctx context.Context, room platform.Room, message, method string, body params) error {
	id, err := first(message)
	if err != nil {
		return err
	}
	return t.at(ctx, room, func(in place) error {
		body["chat_id"], body["message_id"] = in.chat, id
		return t.call(ctx, method, body, nil)
	})
}

// Pins implements platform.Pinner. Telegram tells a bot only the latest one.
func (t *Telegram) Pins(ctx context.Context, room platform.Room) ([]platform.Message, error) {
	var found struct {
		Pinned *message `json:"pinned_message"`
	}
	err := t.at(ctx, room, func(in place) error {
		return t.call(ctx, "getChat", params{"chat_id": in.chat}, &found)
	})
	if err != nil || found.Pinned == nil {
		return nil, err
	}
	m, _ := t.convert(found.Pinned, []*message{found.Pinned})
	if found.Pinned.From != nil && m.Author.ID == "" {
		m.Author = person(*found.Pinned.From) // the agent's own
	}
	return []platform.Message{m}, nil
}
