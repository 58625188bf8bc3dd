package telegram

import (
	"context"
	"crypto/sha256"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/asidehq/aside/platform"
)

// handle handles an update and tells whether it has: if not, the context has ended, and the
// update is to come again. One that cannot be handled is logged and counts as handled,
// since it would not be any better the next time. parts are all of an album, or none.
func (t *Telegram) handle(ctx context.Context, inbox platform.Inbox, u *update, parts []*message) (handled bool) {
	defer func() {
		if r := recover(); r != nil {
			t.log.Error("an update of Telegram could not be handled", "update", u.ID, "stack", string(debug.Stack()))
			handled = true
		}
	}()
	if ctx.Err() != nil {
		return false
	}
	var err error
	switch {
	case u.Message != nil:
		err = t.onMessage(ctx, inbox, u.Message, parts)
	case u.Edited != nil:
		err = t.onEdit(ctx, inbox, u.Edited)
	case u.Reaction != nil:
		err = t.onReaction(ctx, inbox, u)
	case u.Callback != nil:
		err = t.onCallback(ctx, inbox, u.Callback)
	case u.Standing != nil:
		t.log.Info("what the bot is in a chat has changed", "chat", u.Standing.Chat.ID, "is", short(u.Standing.New.Status))
	}
	if err != nil && ctx.Err() != nil {
		return false
	}
	if err != nil {
		t.log.Error("an update of Telegram could not be handled", "update", u.ID, "error", err)
	}
	return true
}

func (t *Telegram) onMessage(ctx context.Context, inbox platform.Inbox, m *message, parts []*message) error {
	if m.ID == 0 || m.Chat.ID == 0 {
		return fmt.Errorf("a message has no id")
	}
	t.sent.seen(m.Chat.ID, m.ID)
	t.people.meet(m.From)
	if m.MovedTo != 0 {
		t.moved(ctx, m.Chat.ID, m.MovedTo)
	}
	if m.MovedFrom != 0 {
		t.moved(ctx, m.MovedFrom, m.Chat.ID)
	}
	if len(parts) == 0 {
		parts = []*message{m}
	}
	out, media := t.convert(m, parts)
	if !written(m, out, media) {
		return nil
	}
	if err := t.download(ctx, media, &out); err != nil {
		return err
	}
	return t.hand(ctx, inbox, out)
}

func (t *Telegram) onEdit(ctx context.Context, inbox platform.Inbox, m *message) error {
	if m.ID == 0 || m.Chat.ID == 0 {
		return fmt.Errorf("a message has no id")
	}
	out, media := t.convert(m, []*message{m})
	if !written(m, out, media) {
		return nil
	}
	if err := t.download(ctx, media, &out); err != nil {
		return err
	}
	out.Edits = out.ID
	out.ID = editID(out.Edits, m.EditDate, out.Text)
	if m.EditDate != 0 {
		out.At = time.Unix(m.EditDate, 0).UTC()
	}
	return t.hand(ctx, inbox, out)
}

// editID is the id of a change. Telegram counts time in seconds, and somebody may make two
// changes in one; the same change may come twice.
func editID(message string, date int64, text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%s-edit-%d-%x", message, date, sum[:6])
}

// written tells whether a message is one that somebody has written, and not one of
// Telegram's about a new member, a new title or a pin; nor one of the agent's own.
func written(m *message, out platform.Message, media []media) bool {
	return out.Author.ID != "" && (out.Text != "" || len(media) > 0) && m.TopicMade == nil
}

// onCallback hands over that somebody has pressed a button, and then tells them that it was
// noticed.
func (t *Telegram) onCallback(ctx context.Context, inbox platform.Inbox, c *callback) error {
	if c.Message == nil || c.Message.Chat.ID == 0 || c.ID == "" || c.From.ID == 0 {
		return nil
	}
	to, _ := t.convert(c.Message, []*message{c.Message})
	in := t.where(ctx, c.Message)
	to.Room = in.room()
	m := platform.Message{
		Room: in.room(), Parent: in.parent(), ID: "button-" + c.ID, Author: person(c.From), ReplyTo: strconv.Itoa(c.Message.ID),
		At: t.now(), Direct: c.Message.Chat.Type == "private", Mentioned: true,
		Reaction: &platform.Reaction{Emoji: c.Data, To: to, ToAgent: true},
	}
	if err := t.hand(ctx, inbox, m); err != nil {
		return err
	}
	// It is only a little wheel on the button that would turn on.
	if err := t.call(ctx, "answerCallbackQuery", params{"callback_query_id": c.ID}, nil); err != nil && ctx.Err() == nil {
		t.log.Debug("a button could not be answered", "reason", err)
	}
	return nil
}

// where is the place of a message of which the topic may be left out.
func (t *Telegram) where(ctx context.Context, m *message) place {
	if m.Date != 0 {
		return m.place()
	}
	in, _, _ := t.lookUp(ctx, m.Chat.ID, m.ID)
	return in
}

// hand hands something over until it is stored. Everything after it waits.
func (t *Telegram) hand(ctx context.Context, inbox platform.Inbox, m platform.Message) error {
	for tries := 0; ; tries++ {
		err := inbox.Receive(ctx, m)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.log.Error("a message could not be stored and is tried again", "room", m.Room.String(), "message", m.ID, "error", err)
		if err := t.wait(ctx, backoff(tries)/10); err != nil {
			return err
		}
	}
}
