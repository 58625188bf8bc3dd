package slack

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"github.com/asidehq/aside/platform"
)

const mostRead = 100 // messages at once

// Messages implements platform.Historian. At most a hundred come at once.
func (s *Slack) Messages(ctx context.Context, in platform.Room, page platform.Page) ([]platform.Message, error) {
	at, err := where(in)
	if err != nil {
		return nil, err
	}
	most := min(max(page.Most, 1), mostRead)
	method, values := at.reading()
	for name, ts := range map[string]string{"latest": page.Before, "oldest": page.After} {
		if ts == "" {
			continue
		}
		if !messageTS.MatchString(ts) {
			return nil, platform.Refuse("%q is not the id of a message on Slack", short(ts))
		}
		values.Set(name, ts)
	}
	values.Set("limit", strconv.Itoa(most))
	if at.thread != "" {
		values.Set("limit", "1000") // Slack begins with the oldest
	}
	var answer struct {
		Messages []event `json:"messages"`
	}
	if err := s.call(ctx, method, values, &answer); err != nil {
		return nil, err
	}
	found := answer.Messages
	if at.thread != "" {
		// The first one comes whatever was asked for.
		found = slices.DeleteFunc(found, func(m event) bool {
			return page.Before != "" && !later(page.Before, m.TS) || page.After != "" && !later(m.TS, page.After)
		})
		slices.Reverse(found)
	}
	return s.convertAll(ctx, at, found[:min(most, len(found))])
}

func (s *Slack) convertAll(ctx context.Context, at place, found []event) ([]platform.Message, error) {
	me, err := s.me(ctx)
	if err != nil {
		return nil, err
	}
	var all []platform.Message
	for i := range found {
		found[i].Channel = at.channel
		m := s.convert(ctx, &found[i], me)
		m.Text = s.readable(ctx, m.Text)
		m.Room, m.Parent = at.room(), at.parent()
		all = append(all, m)
	}
	return all, nil
}

// Message implements platform.Historian.
func (s *Slack) Message(ctx context.Context, in platform.Room, id string) (platform.Message, error) {
	at, ts, err := both(in, id)
	if err != nil {
		return platform.Message{}, err
	}
	found, err := s.one(ctx, at.channel, ts)
	if err != nil {
		return platform.Message{}, err
	}
	all, err := s.convertAll(ctx, at, []event{*found})
	if err != nil {
		return platform.Message{}, err
	}
	return all[0], nil
}

// one is a message, in a thread or not. Slack may begin with what the thread is about.
func (s *Slack) one(ctx context.Context, channel, ts string) (*event, error) {
	values := url.Values{"channel": {channel}, "ts": {ts}, "oldest": {ts}, "latest": {ts}, "inclusive": {"true"}, "limit": {"3"}}
	var answer struct {
		Messages []event `json:"messages"`
	}
	if err := s.call(ctx, "conversations.replies", values, &answer); err != nil {
		return nil, err
	}
	for i := range answer.Messages {
		if m := &answer.Messages[i]; m.TS == ts {
			m.Channel = channel
			return m, nil
		}
	}
	return nil, platform.Refuse("%s", reasons["message_not_found"])
}

// Pin implements platform.Pinner.
func (s *Slack) Pin(ctx context.Context, in platform.Room, message string) error {
	return s.pin(ctx, "pins.add", "already_pinned", in, message)
}

// Unpin implements platform.Pinner.
func (s *Slack) Unpin(ctx context.Context, in platform.Room, message string) error {
	return s.pin(ctx, "pins.remove", "no_pin", in, message)
}

func (s *Slack) pin(ctx context.Context, method, already string, in platform.Room, message string) error {
	at, ts, err := both(in, message)
	if err != nil {
		return err
	}
	err = s.call(ctx, method, url.Values{"channel": {at.channel}, "timestamp": {ts}}, nil)
	if is(err, already) {
		return nil
	}
	return err
}

// Pins implements platform.Pinner. They are the channel's: threads have none of their own.
func (s *Slack) Pins(ctx context.Context, in platform.Room) ([]platform.Message, error) {
	at, err := where(in)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Items []struct {
			Type    string `json:"type"`
			Message event  `json:"message"`
		} `json:"items"`
	}
	if err := s.call(ctx, "pins.list", url.Values{"channel": {at.channel}}, &answer); err != nil {
		return nil, err
	}
	var found []event
	for _, item := range answer.Items {
		if item.Type == "message" && item.Message.TS != "" {
			found = append(found, item.Message)
		}
	}
	return s.convertAll(ctx, place{channel: at.channel}, found)
}
