package telegram

import (
	"context"

	"github.com/asidehq/aside/platform"
)

// Edit implements platform.Editor.
func (t *Telegram) Edit(ctx context.Context, room platform.Room, post, text string) platform.Receipt {
	return t.EditChoices(ctx, room, post, text, nil)
}

// EditChoices implements platform.Chooser.
func (t *Telegram) EditChoices(ctx context.Context, room platform.Room, post, text string, choices []string) platform.Receipt {
	ids, err := numbers(post)
	if err == nil && len(ids) == 0 {
		err = platform.Refuse("there is no such message on Telegram")
	}
	if err == nil {
		_, err = parts(platform.Post{Text: text})
	}
	if err != nil {
		return receipt("", err)
	}
	return receipt(post, t.fill(ctx, room, ids[0], part{text: text, choices: choices}))
}

// Delete implements platform.Deleter.
func (t *Telegram) Delete(ctx context.Context, room platform.Room, post string) platform.Receipt {
	ids, err := numbers(post)
	for _, id := range ids {
		err = t.at(ctx, room, func(in place) error {
			err := t.call(ctx, "deleteMessage", params{"chat_id": in.chat, "message_id": id}, nil)
			if says(err, noSuchDelete) {
				err = nil // it is gone
			}
			if err == nil {
				t.sent.forget(in.chat, id)
			}
			return err
		})
		if err != nil {
			break
		}
	}
	return receipt(post, err)
}

// Typing implements platform.Typist.
func (t *Telegram) Typing(ctx context.Context, room platform.Room) error {
	return t.at(ctx, room, func(in place) error {
		body := params{"chat_id": in.chat, "action": "typing"}
		if in.thread != 0 {
			body["message_thread_id"] = in.thread
		}
		return t.call(ctx, "sendChatAction", body, nil)
	})
}
