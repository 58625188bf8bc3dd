package slack

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"github.com/asidehq/aside/platform"
)

// metadata is what a post carries that people do not see.
type metadata struct {
	Type    string `json:"event_type"`
	Payload struct {
		Key string `json:"key"`
	} `json:"event_payload"`
}

const postEvent = "aside_post"

func metadataOf(key string) metadata {
	m := metadata{Type: postEvent}
	m.Payload.Key = key
	return m
}

// key is the key of a post of the agent's, or "".
func (m metadata) key() string {
	if m.Type != postEvent {
		return ""
	}
	return m.Payload.Key
}

// Post implements platform.Platform.
//
// Slack takes the same post twice. So the post carries its key as metadata, and is looked
// for before it is tried again: when an answer was lost, and when another process may have
// made it. What the post answers is not said: a thread is a room of its own.
func (s *Slack) Post(ctx context.Context, post platform.Post) platform.Receipt {
	at, err := where(post.Room)
	if err != nil {
		return receipt("", err)
	}
	key := sentKey(at, post.Key)
	before := s.sent.get(key)
	if before.done {
		return receipt(before.id, nil)
	}
	if before.doubt || s.mayBeThere(post.Created) {
		id, err := s.find(ctx, at, post, before)
		switch {
		case err != nil && before.doubt && outcome(err) != platform.Limited:
			return platform.Receipt{Outcome: platform.Unknown, Reason: "Slack does not tell whether the message stands there: " + err.Error()}
		case err != nil && outcome(err) != platform.Refused:
			return receipt("", err)
		case id != "":
			s.sent.add(key, id)
			if len(post.Files) > 0 {
				return receipt(id, nil)
			}
			// An earlier try made it, with the text that there was then.
			return s.EditChoices(ctx, post.Room, id, post.Text, post.Choices)
		}
	}
	var id string
	if len(post.Files) > 0 {
		id, err = s.upload(ctx, at, post, key)
	} else {
		id, err = s.create(ctx, at, post)
	}
	switch {
	case err == nil:
		s.sent.add(key, id)
	case outcome(err) == platform.Unknown:
		s.sent.doubt(key)
	}
	return receipt(id, err)
}

// sentKey is the key of a post together with its room.
func sentKey(at place, key string) string { return at.room().ID + " " + key }

// create makes a message.
func (s *Slack) create(ctx context.Context, at place, post platform.Post) (string, error) {
	values, err := draft(post.Text, post.Choices)
	if err != nil {
		return "", err
	}
	packed, err := json.Marshal(metadataOf(post.Key))
	if err != nil {
		return "", err
	}
	values.Set("channel", at.channel)
	values.Set("metadata", string(packed))
	values.Set("unfurl_links", "false")
	values.Set("unfurl_media", "false")
	if at.thread != "" {
		values.Set("thread_ts", at.thread)
	}
	var made struct {
		TS string `json:"ts"`
	}
	if err := s.call(ctx, "chat.postMessage", values, &made); err != nil {
		return "", err
	}
	if !messageTS.MatchString(made.TS) {
		return "", &platform.Problem{Outcome: platform.Unknown, Reason: "Slack does not say where the message stands"}
	}
	return made.TS, nil
}

// Edit implements platform.Editor.
func (s *Slack) Edit(ctx context.Context, in platform.Room, post, text string) platform.Receipt {
	return s.EditChoices(ctx, in, post, text, nil)
}

// EditChoices implements platform.Chooser.
func (s *Slack) EditChoices(ctx context.Context, in platform.Room, post, text string, choices []string) platform.Receipt {
	at, ts, err := both(in, post)
	if err != nil {
		return receipt(post, err)
	}
	values, err := draft(text, choices)
	if err != nil {
		return receipt(post, err)
	}
	values.Set("channel", at.channel)
	values.Set("ts", ts)
	if !values.Has("blocks") {
		values.Set("blocks", "[]") // or the buttons of before would stay
	}
	return receipt(post, s.call(ctx, "chat.update", values, nil))
}

// Delete implements platform.Deleter.
func (s *Slack) Delete(ctx context.Context, in platform.Room, post string) platform.Receipt {
	at, ts, err := both(in, post)
	if err == nil {
		err = s.call(ctx, "chat.delete", url.Values{"channel": {at.channel}, "ts": {ts}}, nil)
		if is(err, "message_not_found") {
			err = nil // it is gone
		}
	}
	return receipt(post, err)
}

// refused tells whether Slack will not do something, now or later.
func refused(err error) bool {
	var p *platform.Problem
	return errors.As(err, &p) && p.Outcome == platform.Refused
}
