package telegram

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

// To look for files that were sent without an answer. Ids in a chat grow, so they stand
// behind what was known to be there before them. What stands there is found out in two
// steps, neither of which changes anything that people read:
//
//  1. An edit to "…" is tried on each id of which nothing is known, as when placeholders are
//     swept up. Messages of others cannot be edited; of a file of the bot's own Telegram says
//     that there is no text in it.
//  2. If there are as many files as were sent, the first one is read: a "…" that replies to it
//     is sent without a sound, Telegram's answer has in it what is replied to, and the "…" is
//     deleted. Nothing that sends nothing tells what stands in a message.
//
// Files that are there have arrived. That there are none proves nothing: Telegram may carry
// out a request long after the connection has ended. So what is not found is never sent
// again, and the receipt says that nobody knows.

const (
	mostLooked = 20 // messages at a time: it was sent right after what was known
	mostAhead  = 10 // ids behind the last one that is known to be there
	fewAhead   = 3  // once there is enough: there may be more than was sent
	lookTimes  = 3
	askTimes   = 5                // for each id: what asks is repeatable
	longestAsk = 10 * time.Second // to wait before asking again, if Telegram wants that
)

// lookEvery is how long to wait before each look.
var lookEvery = [lookTimes]time.Duration{0, 2 * time.Second, 8 * time.Second}

// lookFor looks for files that may have been sent, a few times. Its receipt is Delivered, or
// Unknown: Final if looking on leads to nothing, else it is to be tried again.
func (t *Telegram) lookFor(ctx context.Context, in place, post platform.Post, after int, p part) ([]int, platform.Receipt) {
	if raw, _, _ := strings.Cut(post.Room.ID, ":"); raw != strconv.FormatInt(in.chat, 10) {
		// The ids of the chat that it was are others.
		return nil, platform.Receipt{Outcome: platform.Unknown, Reason: "the group has moved meanwhile", Final: true}
	}
	s := search{next: after + 1, enough: len(p.together)}
	for _, pause := range lookEvery {
		if err := t.wait(ctx, pause); err != nil {
			return nil, platform.Receipt{Outcome: platform.Unknown, Reason: "Telegram was not asked"}
		}
		err := t.look(ctx, in, &s)
		if err != nil {
			return nil, platform.Receipt{Outcome: platform.Unknown, Reason: receipt("", err).Reason}
		}
		if len(s.files) < len(p.together) {
			continue // not yet, or not all of them
		}
		var is *message
		if len(s.files) == len(p.together) {
			if is, err = t.read(ctx, in, s.files[0]); err != nil {
				return nil, platform.Receipt{Outcome: platform.Unknown, Reason: receipt("", err).Reason}
			}
		}
		if is != nil && looksLike(*is, in, p) {
			return s.files, platform.Receipt{Outcome: platform.Delivered}
		}
		return nil, platform.Receipt{Outcome: platform.Unknown, Reason: "something else was sent at the same time", Final: true}
	}
	return nil, platform.Receipt{Outcome: platform.Unknown, Reason: "Telegram did not answer", Final: true}
}

// A search is how far a chat was looked at. Ids grow, so that nothing appears any more before
// one that is known to be there.
type search struct {
	next   int
	enough int   // files
	files  []int // of the bot's, of which nothing is known
}

// look looks at what stands in a chat and was not looked at before, and at some ids more:
// nobody tells which is the last one.
func (t *Telegram) look(ctx context.Context, in place, s *search) error {
	known := max(t.sent.last(in.chat), s.next-1)
	end := known + mostAhead
	for id, looked := s.next, 0; id <= end && looked < mostLooked; id++ {
		if slices.Contains(s.files, id) || t.sent.elsewhere(in.chat, id) {
			continue
		}
		looked++
		_, stored, err := t.lookUp(ctx, in.chat, id)
		if err != nil {
			return err
		}
		if stored != nil {
			continue
		}
		file, err := t.isFile(ctx, in, id)
		if err != nil {
			return err
		}
		if !file {
			continue
		}
		if s.files = append(s.files, id); len(s.files) >= s.enough {
			end = id + fewAhead
		}
	}
	s.next = known + 1
	return nil
}

// isFile tells whether a message is a file of the bot's own.
func (t *Telegram) isFile(ctx context.Context, in place, id int) (is bool, err error) {
	for tries := range askTimes {
		err = t.probe(ctx, in, id)
		if says(err, notModified) { // a placeholder that nobody knows of
			t.takeAway(ctx, in, id)
			return false, nil
		}
		if err == nil || outcomeOf(err) == platform.Refused {
			return says(err, noTextThere), nil
		}
		if !t.pause(ctx, tries, err) {
			return false, err
		}
	}
	return false, err
}

// pause waits before something is asked again, and tells whether that makes sense.
func (t *Telegram) pause(ctx context.Context, tries int, err error) bool {
	pause := backoff(tries)
	if r := receipt("", err); r.Outcome == platform.Limited {
		if pause = r.RetryAfter; pause > longestAsk {
			return false
		}
	}
	return t.wait(ctx, pause) == nil
}

// read is a message that stands in a chat, or nil if it cannot be read.
func (t *Telegram) read(ctx context.Context, in place, id int) (*message, error) {
	body := params{"chat_id": in.chat, "text": ellipsis, "disable_notification": true, "reply_parameters": params{"message_id": id}}
	if in.thread != 0 {
		body["message_thread_id"] = in.thread
	}
	// It is stored first that something may be left: whoever takes the post up after a crash
	// may not read again.
	before := max(t.sent.last(in.chat), id)
	lost := t.left.in(in.chat).After != 0
	t.left.lose(in.chat, before)
	t.saveLeft(ctx)
	var made message
	err := t.call(ctx, "sendMessage", body, &made)
	if outcomeOf(err) != platform.Unknown && !lost {
		t.left.lostAfter(in.chat)
		defer t.saveLeft(ctx)
	}
	switch {
	case outcomeOf(err) == platform.Unknown:
		return nil, err
	case outcomeOf(err) == platform.Refused:
		return nil, nil
	case err != nil:
		return nil, err
	}
	t.sent.seen(in.chat, made.ID)
	t.takeAway(ctx, in, made.ID)
	return made.ReplyTo, nil
}

// looksLike tells whether a message is the first of files that were sent.
func looksLike(m message, in place, p part) bool {
	first := p.together[0]
	if m.place().thread != in.thread || (m.Album != "") != (len(p.together) > 1) || (m.Caption != "") != (strings.TrimSpace(p.text) != "") {
		return false
	}
	if len(p.together) == 1 {
		return m.Voice != nil && m.Voice.Size == int64(len(first.Data))
	}
	switch kindOf(first) {
	case "photo":
		return len(m.Photo) > 0
	case "video":
		return m.Video != nil
	case "audio":
		return m.Audio != nil && m.Audio.Size == int64(len(first.Data))
	}
	return m.Document != nil && m.Document.Size == int64(len(first.Data))
}
