package slack

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/asidehq/aside/platform"
)

// onEvent handles an event and tells whether it has: if not, the context has ended, and
// the event is to come again.
func (r *receiver) onEvent(ctx context.Context, e *event) (handled bool) {
	if !r.caughtUp(ctx, e.place().channel) {
		return false
	}
	switch e.Type {
	case "message", "app_mention":
		return r.onMessage(ctx, e)
	case "reaction_added", "reaction_removed":
		return r.onReaction(ctx, e)
	}
	return true
}

// place is where an event has happened, as far as it says.
func (e *event) place() place {
	at := place{channel: e.Channel}
	if e.Item.Channel != "" {
		at.channel = e.Item.Channel
	}
	return at
}

// written are the subtypes of messages that somebody has written. Others are Slack's, about
// a new member or a new topic.
var written = []string{"", "file_share", "thread_broadcast", "me_message", "bot_message"}

func (r *receiver) onMessage(ctx context.Context, e *event) bool {
	if e.Subtype == "message_changed" {
		return r.onChange(ctx, e)
	}
	if !slices.Contains(written, e.Subtype) || !channelID.MatchString(e.Channel) || !messageTS.MatchString(e.TS) {
		return true
	}
	if e.Type == "app_mention" && r.s.marks.at(e.Channel, e.TS) {
		return true // it came as a message as well
	}
	if r.me.own(e.User, e.BotID) {
		// It may be one whose answer was lost.
		r.s.sent.add(sentKey(place{e.Channel, e.thread()}, cmp.Or(e.Metadata.key(), e.TS)), e.TS)
		r.reach(ctx, e)
		return true
	}
	m, err := r.message(ctx, e)
	if err != nil {
		return ctx.Err() == nil
	}
	if !r.download(ctx, e, &m) || !r.hand(ctx, m) {
		return false
	}
	r.reach(ctx, e)
	return true
}

// thread is the thread that a message stands in, "" if it begins one or is in none.
func (e *event) thread() string {
	if e.ThreadTS == e.TS || !messageTS.MatchString(e.ThreadTS) {
		return ""
	}
	return e.ThreadTS
}

// message makes a message of Slack's one of ours.
func (r *receiver) message(ctx context.Context, e *event) (platform.Message, error) {
	m := r.s.convert(ctx, e, r.me)
	at := place{e.Channel, e.thread()}
	called := mentioned(e.Text, r.me.User)
	switch {
	case at.direct() || called:
		m.Mentioned = true
	case at.thread != "":
		engaged, err := r.engaged(ctx, at, e.ParentUser)
		if err != nil {
			return m, err
		}
		m.Mentioned = engaged
	}
	if called && at.thread == "" && !at.direct() {
		at.thread = e.TS // what is answered begins a thread
	}
	m.Room, m.Parent = at.room(), at.parent()
	m.Text = r.s.readable(ctx, addressed(e.Text, r.me.User))
	return m, ctx.Err()
}

// engaged tells whether the agent takes part in a thread.
func (r *receiver) engaged(ctx context.Context, at place, parent string) (bool, error) {
	if parent == r.me.User || r.s.sent.wrote(at) {
		return true, nil
	}
	if r.s.options.Threads == nil {
		return false, nil
	}
	for tries := 0; ; tries++ {
		yes, err := r.s.options.Threads.Engaged(ctx, at.room())
		if err == nil || ctx.Err() != nil {
			return yes, ctx.Err()
		}
		r.s.log.Error("nobody knows whether the agent takes part in a thread; it is asked again", "room", at.room().String(), "error", err)
		if err := r.s.wait(ctx, backoff(tries)/10); err != nil {
			return false, err
		}
	}
}

// convert is a message as it stands, wherever it was found.
func (s *Slack) convert(ctx context.Context, e *event, me self) platform.Message {
	at := place{e.Channel, e.thread()}
	m := platform.Message{
		Room: at.room(), Parent: at.parent(), ID: e.TS, At: moment(e.TS), Direct: at.direct(), Text: e.Text,
		Mentioned: mentioned(e.Text, me.User),
	}
	switch {
	case me.own(e.User, e.BotID):
		m.Author = platform.Person{ID: me.User, Name: me.Name, Bot: true}
	case e.User != "":
		m.Author = s.person(ctx, e.User)
	default:
		m.Author = platform.Person{ID: e.BotID, Name: e.BotID}
		if e.Username != "" {
			m.Author.Name = e.Username
		}
	}
	if e.BotID != "" || e.Subtype == "bot_message" {
		m.Author.Bot = true
	}
	if m.Text == "" && len(e.Attachments) > 0 { // it was forwarded, or is an app's
		m.Text = e.Attachments[0].Text
		if m.Text == "" {
			m.Text = e.Attachments[0].Fallback
		}
	}
	for _, f := range e.Files {
		m.Files = append(m.Files, f.file(nil))
	}
	return m
}

// onChange hands over that somebody has changed what they wrote. Slack changes messages
// too, to show what stands behind a link.
func (r *receiver) onChange(ctx context.Context, e *event) bool {
	now, before := e.Message, e.Previous
	switch {
	case now == nil || now.Edited == nil || !messageTS.MatchString(now.TS) || !messageTS.MatchString(now.Edited.TS) || !channelID.MatchString(e.Channel):
		return true
	case before != nil && before.Edited != nil && before.Edited.TS == now.Edited.TS, before != nil && before.Text == now.Text:
		return true
	case now.BotID != "" || r.me.own(now.User, now.BotID) || !slices.Contains(written, now.Subtype):
		return true
	}
	now.Channel = e.Channel
	m, err := r.message(ctx, now)
	if err != nil {
		return ctx.Err() == nil
	}
	if m.Parent == "" && !m.Direct {
		// The name may have been taken out of what has begun a thread.
		if began := (place{e.Channel, now.TS}); now.ThreadTS == now.TS {
			yes, err := r.engaged(ctx, began, "")
			if err != nil {
				return false
			}
			if yes {
				m.Room, m.Parent = began.room(), began.parent()
			}
		}
	}
	m.ID, m.Edits, m.At, m.Files = now.TS+"-edit-"+now.Edited.TS, now.TS, moment(now.Edited.TS), nil
	return r.hand(ctx, m)
}

// onReaction hands over that somebody has put an emoji on a message or taken one off. The
// event says little of the message, not even which thread it is in: it is fetched.
func (r *receiver) onReaction(ctx context.Context, e *event) bool {
	if e.Item.Type != "message" || e.User == "" || e.User == r.me.User || e.Reaction == "" ||
		!channelID.MatchString(e.Item.Channel) || !messageTS.MatchString(e.Item.TS) {
		return true
	}
	at := place{channel: e.Item.Channel}
	m := platform.Message{
		ID: "reaction-" + digest(e.User, e.Item.Channel, e.Item.TS, e.Reaction, e.Type, e.EventTS), Author: r.s.person(ctx, e.User), ReplyTo: e.Item.TS,
		At: moment(e.EventTS), Direct: at.direct(),
		Reaction: &platform.Reaction{
			Emoji: character(e.Reaction), Removed: e.Type == "reaction_removed",
			To: platform.Message{Room: at.room(), ID: e.Item.TS, At: moment(e.Item.TS)}, ToAgent: e.ItemUser == r.me.User,
		},
	}
	if to, err := r.s.one(ctx, at.channel, e.Item.TS); err == nil {
		m.Reaction.To = r.s.convert(ctx, to, r.me)
		m.Reaction.To.Text = r.s.readable(ctx, m.Reaction.To.Text)
		m.Reaction.ToAgent = r.me.own(to.User, to.BotID)
		at.thread = to.thread()
		if at.thread == "" && !at.direct() && !m.Reaction.ToAgent && mentioned(to.Text, r.me.User) {
			at.thread = to.TS
		}
		m.Reaction.To.Room, m.Reaction.To.Parent = at.room(), at.parent()
	} else if ctx.Err() != nil {
		return false
	}
	m.Room, m.Parent, m.Mentioned = at.room(), at.parent(), m.Reaction.ToAgent
	return r.hand(ctx, m)
}

// digest is a short name for something that has happened.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// hand hands something over until it is stored. Everything after it in its channel waits.
func (r *receiver) hand(ctx context.Context, m platform.Message) bool {
	for tries := 0; ; tries++ {
		err := r.inbox.Receive(ctx, m)
		if err == nil {
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		r.s.log.Error("a message could not be stored and is tried again", "room", m.Room.String(), "message", m.ID, "error", err)
		if r.s.wait(ctx, backoff(tries)/10) != nil {
			return false
		}
	}
}

// reach notes that a message was handled.
func (r *receiver) reach(ctx context.Context, e *event) {
	r.s.marks.reach(e.Channel, e.TS)
	r.save(ctx, false)
}
