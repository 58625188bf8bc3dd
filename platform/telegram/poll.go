package telegram

import (
	"context"
	"time"

	"github.com/asidehq/aside/platform"
)

// longestPoll is how long Telegram keeps a poll open by itself.
const longestPoll = 2_628_000 * time.Second

// Poll implements platform.Pollster. A poll cannot be put in the place of a placeholder: one
// whose answer was lost is Unknown, and whoever asked must not try again.
func (t *Telegram) Poll(ctx context.Context, p platform.Poll) platform.Receipt {
	key := p.Room.ID + "\x00" + p.Key
	if o, ok := t.sent.open(key); ok {
		return receipt(o.text(), nil)
	}
	var options []params
	for _, a := range p.Answers {
		options = append(options, params{"text": a})
	}
	body := params{"question": p.Question, "options": options, "allows_multiple_answers": p.Several}
	if p.For > 0 {
		body["open_period"] = int(min(max(p.For, 5*time.Second), longestPoll).Seconds())
	}
	var o opened
	err := t.at(ctx, p.Room, func(in place) error {
		body["chat_id"] = in.chat
		if in.thread != 0 {
			body["message_thread_id"] = in.thread
		}
		var made message
		err := t.call(ctx, "sendPoll", body, &made)
		if says(err, "open_period", "close date") {
			// Servers of an older kind close polls within minutes. It stays open there.
			delete(body, "open_period")
			err = t.call(ctx, "sendPoll", body, &made)
		}
		if err == nil {
			o = opened{chat: in.chat, ids: []int{made.ID}}
			t.sent.placed(in, made.ID)
			t.sent.filled(in.chat, made.ID)
			t.sent.keep(key, o)
		}
		return err
	})
	if outcomeOf(err) == platform.Unknown {
		err = unknown("Telegram did not answer; the poll may or may not stand there")
	}
	return receipt(o.text(), err)
}
