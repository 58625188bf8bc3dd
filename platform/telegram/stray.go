package telegram

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/asidehq/aside/platform"
)

// mostProbes is how many ids are looked at for a placeholder that is left over before what
// somebody waits for goes on.
const mostProbes = 20

// nearProbes is how many ids are looked at where no id is known that was there before: what
// was lost a moment ago stands close by.
const nearProbes = 3

// furthest is how far back it is looked for what a dead process has left, in ids.
const furthest = 200

// clocksApart is how much the clocks of Telegram, which counts seconds, and of this machine
// may differ.
const clocksApart = 3 * time.Second

// mayBeLeft tells whether a process that has died may have opened this post before. It can
// only be looked for where it is known what else stands there.
func (t *Telegram) mayBeLeft(post platform.Post) bool {
	return t.options.Find != nil && !post.Created.IsZero() && post.Created.Before(t.started)
}

// strays are the ids before that of a new placeholder at which others may stand.
func (t *Telegram) strays(ctx context.Context, chat int64, post platform.Post, before int) (ids []int) {
	if err := t.left.load(ctx); err != nil {
		t.log.Error("what is left over could not be looked up", "error", err)
	}
	if after := t.left.lostAfter(chat); after != 0 {
		ids = t.lostBetween(ctx, chat, after, before)
	}
	if t.mayBeLeft(post) && t.sent.seek(keyOf(post)) {
		ids = union(ids, t.leftByTheDead(ctx, chat, post, before))
	}
	return ids
}

// lostBetween are ids between two of a chat of which nothing is known. If they are many, what
// was lost is most likely close to one of the two.
func (t *Telegram) lostBetween(ctx context.Context, chat int64, after, before int) (ids []int) {
	if after <= 1 { // nothing stands before the first message
		if t.options.Find == nil {
			return nil // a post of an earlier process could not be told from a placeholder
		}
		after = max(before-1-nearProbes, 0)
	}
	for id := max(after, before-furthest) + 1; id < before; id++ {
		if t.sent.elsewhere(chat, id) {
			continue
		}
		if _, known, err := t.lookUp(ctx, chat, id); known == nil && err == nil {
			ids = append(ids, id)
		}
	}
	if len(ids) > mostProbes {
		ids = slices.Concat(ids[:mostProbes/2], ids[len(ids)-mostProbes/2:])
	}
	return ids
}

// leftByTheDead are the ids at which a process that has died may have left a placeholder for a
// post: behind the message that the post answers, and behind everything that is older than the
// post. They are those of which nothing is known, the last ones first. Where nobody knows
// where they begin there are none.
func (t *Telegram) leftByTheDead(ctx context.Context, chat int64, post platform.Post, before int) (ids []int) {
	after, _ := strconv.Atoi(post.ReplyTo)
	id := before - 1
	for ; id > max(0, before-furthest) && len(ids) < mostProbes; id-- {
		if id == after {
			return ids
		}
		if t.sent.elsewhere(chat, id) {
			continue
		}
		_, known, err := t.lookUp(ctx, chat, id)
		switch {
		case err != nil:
			return nil
		case known == nil:
			ids = append(ids, id)
		case olderThan(known, post.Created):
			return ids
		}
	}
	if after > 0 && after < id {
		return ids
	}
	return nil
}

// olderThan tells whether a message certainly stood there at some time.
func olderThan(known *Found, when time.Time) bool {
	at := known.Message.At
	if !known.Own {
		at = at.Add(clocksApart)
	}
	return !known.Message.At.IsZero() && at.Before(when)
}

// sweep takes placeholders away: those that are left in a chat, and those among some ids
// that nobody knows of. To look is to write: a text that is the bot's own would become a
// placeholder. So nothing is looked at that is stored, or that this process has posted. Aside
// stores where a text is to stand before it is written there, so that what is left is a
// placeholder. What cannot be finished is kept for the next time.
func (t *Telegram) sweep(ctx context.Context, in place, maybe []int) {
	var still left
	var done []int
	old := t.left.in(in.chat)
	for _, id := range old.Sure {
		if t.drop(ctx, in, id) {
			done = append(done, id)
		}
	}
	for i, id := range union(maybe, old.Maybe) {
		if i >= mostProbes || ctx.Err() != nil {
			still.Maybe = append(still.Maybe, id)
			continue
		}
		switch gone, sure := t.sweepOne(ctx, in, id); {
		case gone:
			done = append(done, id)
		case sure:
			done, still.Sure = append(done, id), append(still.Sure, id)
		default:
			still.Maybe = append(still.Maybe, id)
		}
	}
	t.left.note(in.chat, still, done...)
	t.saveLeft(ctx)
}

// sweepAgain goes on with what is left in a chat, if anything is.
func (t *Telegram) sweepAgain(ctx context.Context, in place) {
	if l := t.left.in(in.chat); len(l.Sure)+len(l.Maybe) == 0 {
		return
	}
	leave, err := t.doors.enter(ctx, in.chat)
	if err != nil {
		return
	}
	defer leave()
	t.sweep(ctx, in, nil)
}

// sweepOne takes a message away if it is a placeholder that nobody knows of. It tells whether
// nothing is left to do, and else whether it is known to be one.
func (t *Telegram) sweepOne(ctx context.Context, in place, id int) (gone, sure bool) {
	if _, known, err := t.lookUp(ctx, in.chat, id); known != nil || err != nil {
		return known != nil, false
	}
	err := t.probe(ctx, in, id)
	if outcomeOf(err) == platform.Unknown {
		err = t.probe(ctx, in, id)
	}
	switch {
	case says(err, notModified):
		if gone = t.drop(ctx, in, id); gone {
			t.log.Info("took away a placeholder that was left over", "room", in.room().String(), "message", id)
		}
		return gone, true
	case err == nil, outcomeOf(err) == platform.Refused:
		return true, false
	}
	return false, false
}

// probe asks what a message is: of a placeholder Telegram says that it is not modified.
func (t *Telegram) probe(ctx context.Context, in place, id int) error {
	return t.call(ctx, "editMessageText", params{"chat_id": in.chat, "message_id": id, "text": ellipsis}, nil)
}

// drop deletes a placeholder and tells whether it is gone, or cannot be deleted.
func (t *Telegram) drop(ctx context.Context, in place, id int) bool {
	for range 2 {
		err := t.call(ctx, "deleteMessage", params{"chat_id": in.chat, "message_id": id}, nil)
		if err == nil || outcomeOf(err) == platform.Refused {
			return true
		}
		if outcomeOf(err) != platform.Unknown {
			break
		}
	}
	return false
}

// takeAway deletes a placeholder that has done its work. One that stays is kept in mind.
func (t *Telegram) takeAway(ctx context.Context, in place, id int) {
	t.sent.forget(in.chat, id)
	if !t.drop(ctx, in, id) {
		t.left.note(in.chat, left{Sure: []int{id}})
		t.saveLeft(ctx)
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
