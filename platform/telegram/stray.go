package telegram

import (
	"context"
	"strconv"

	"github.com/asidehq/aside/platform"
)

// mostProbes is how many ids are looked at for a placeholder that is left over. It is not
// worth more: it says nothing, and does no harm.
const mostProbes = 20

// nearProbes is how many ids are looked at where no id is known that was there before: what
// was lost a moment ago stands close by.
const nearProbes = 3

// mayBeLeft tells whether a process that has died may have opened this post before. It can
// only be looked for where it is known what else stands there.
func (t *Telegram) mayBeLeft(post platform.Post) bool {
	return t.options.Find != nil && !post.Created.IsZero() && post.Created.Before(t.started)
}

// sweep takes away placeholders that stand between two ids and that nobody knows of. To
// look is to write: a text that is the bot's own would become a placeholder. So nothing is
// looked at that is stored, or that this process has posted. Aside stores where a text is to
// stand before it is written there, so that what is left is a placeholder.
func (t *Telegram) sweep(ctx context.Context, in place, after, before int) {
	if after <= 0 {
		if t.options.Find == nil {
			return // a post of an earlier process could not be told from a placeholder
		}
		after = before - 1 - nearProbes
	}
	for id := max(after+1, 1); id < min(before, after+1+mostProbes) && ctx.Err() == nil; id++ {
		if _, known, err := t.lookUp(ctx, in.chat, id); known != nil || err != nil {
			continue
		}
		err := t.call(ctx, "editMessageText", params{"chat_id": in.chat, "message_id": id, "text": ellipsis}, nil)
		switch {
		case says(err, notModified):
			if t.call(ctx, "deleteMessage", params{"chat_id": in.chat, "message_id": id}, nil) == nil {
				t.log.Info("took away a placeholder that was left over", "room", in.room().String(), "message", id)
			}
		case outcomeOf(err) == platform.Limited:
			return
		}
	}
}

// lookUp finds out what is known of a message: where it stands, and what it is if anything
// is known at all.
func (t *Telegram) lookUp(ctx context.Context, chat int64, id int) (place, *Found, error) {
	in := place{chat: chat}
	if own := t.sent.find(chat, id); own != nil {
		if p, err := t.place(own.room); err == nil {
			in = p
		}
		found := &Found{Message: platform.Message{Room: own.room, ID: strconv.Itoa(id)}, Own: true}
		if t.options.Find != nil {
			if stored, err := t.options.Find(ctx, strconv.FormatInt(chat, 10), strconv.Itoa(id)); err == nil && stored != nil {
				found.Message = stored.Message
			}
		}
		return in, found, nil
	}
	if t.options.Find == nil {
		return in, nil, nil
	}
	found, err := t.options.Find(ctx, strconv.FormatInt(chat, 10), strconv.Itoa(id))
	if err != nil || found == nil {
		return in, nil, err
	}
	if p, err := t.place(found.Message.Room); err == nil && p.chat == chat {
		in = p
	}
	return in, found, nil
}
