package slack

import (
	"context"
	"net/url"
	"strings"

	"github.com/asidehq/aside/platform"
)

const mostLists = 10 // answers of a list that are read, of 200 each

// list gives the channels of a method that lists them to each.
func (s *Slack) list(ctx context.Context, method string, values url.Values, each func(channel)) error {
	values.Set("exclude_archived", "true")
	values.Set("limit", "200")
	for range mostLists {
		var page struct {
			Channels []channel `json:"channels"`
			cursor
		}
		if err := s.call(ctx, method, values, &page); err != nil {
			return err
		}
		for _, c := range page.Channels {
			each(c)
		}
		if page.Metadata.Next == "" {
			return nil
		}
		values.Set("cursor", page.Metadata.Next)
	}
	return nil
}

// info says about a channel what people want to know.
func info(c channel) platform.RoomInfo {
	i := platform.RoomInfo{Room: place{channel: c.ID}.room(), Name: c.Name, Topic: c.Topic.Value, Kind: platform.TextRoom, Archived: c.Archived}
	if c.IsDirect || c.IsGroup {
		i.Kind = platform.DirectRoom
	}
	return i
}

// Rooms implements platform.RoomKeeper: the public channels, which everybody but guests
// may see, and the person's own as far as the bot is in them. Threads are not listed.
func (s *Slack) Rooms(ctx context.Context, _ platform.Room, person string) ([]platform.RoomInfo, error) {
	u, err := s.user(ctx, person, true)
	if err != nil || u.Deleted {
		return nil, err
	}
	var rooms []platform.RoomInfo
	seen := map[string]bool{}
	add := func(c channel) {
		if !seen[c.ID] {
			seen[c.ID] = true
			rooms = append(rooms, info(c))
		}
	}
	if !u.Restricted {
		if err := s.list(ctx, "conversations.list", url.Values{"types": {"public_channel"}}, add); err != nil {
			return nil, err
		}
	}
	err = s.list(ctx, "users.conversations", url.Values{"types": {"public_channel,private_channel"}, "user": {u.ID}}, add)
	return rooms, err
}

// RoomInfo implements platform.RoomKeeper.
func (s *Slack) RoomInfo(ctx context.Context, in platform.Room) (platform.RoomInfo, error) {
	at, err := where(in)
	if err != nil {
		return platform.RoomInfo{}, err
	}
	c, err := s.freshChannel(ctx, at.channel)
	if err != nil {
		return platform.RoomInfo{}, err
	}
	return s.infoAt(ctx, at, c), nil
}

func (s *Slack) infoAt(ctx context.Context, at place, c channel) platform.RoomInfo {
	i := info(c)
	if c.IsDirect && c.User != "" {
		i.Name = s.person(ctx, c.User).Name
	}
	if at.thread != "" {
		i.Room, i.Kind, i.Parent, i.Topic = at.room(), platform.ThreadRoom, at.channel, ""
		i.Name = "a thread in #" + c.Name
	}
	return i
}

// channelName is a name as Slack takes it: small letters, no spaces.
func channelName(name string) string {
	name = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(name), "#"))
	return strings.Join(strings.Fields(name), "-")
}

// CreateRoom implements platform.RoomKeeper.
func (s *Slack) CreateRoom(ctx context.Context, _ platform.Room, wanted platform.NewRoom) (platform.RoomInfo, error) {
	switch {
	case wanted.Kind != "" && wanted.Kind != platform.TextRoom:
		return platform.RoomInfo{}, platform.Refuse("Slack has no %s rooms, only channels", wanted.Kind)
	case wanted.Parent != "":
		return platform.RoomInfo{}, platform.Refuse("Slack has no categories that apps could use")
	}
	var made struct {
		Channel channel `json:"channel"`
	}
	if err := s.call(ctx, "conversations.create", url.Values{"name": {channelName(wanted.Name)}}, &made); err != nil {
		return platform.RoomInfo{}, err
	}
	if made.Channel.ID == "" {
		return platform.RoomInfo{}, &platform.Problem{Outcome: platform.Unknown, Reason: "Slack does not say what became of the channel"}
	}
	if wanted.Topic != "" {
		// The channel is there. What became of the topic is another matter, and is said.
		if err := s.setTopic(ctx, made.Channel.ID, wanted.Topic); err != nil {
			return info(made.Channel), err
		}
		made.Channel.Topic.Value = wanted.Topic
	}
	return info(made.Channel), nil
}

func (s *Slack) setTopic(ctx context.Context, channel, topic string) error {
	return s.call(ctx, "conversations.setTopic", url.Values{"channel": {channel}, "topic": {topic}}, nil)
}

// EditRoom implements platform.RoomKeeper.
func (s *Slack) EditRoom(ctx context.Context, in platform.Room, change platform.RoomChange) (platform.RoomInfo, error) {
	at, err := where(in)
	switch {
	case err != nil:
		return platform.RoomInfo{}, err
	case at.thread != "":
		return platform.RoomInfo{}, platform.Refuse("Slack's threads have neither a name nor a topic")
	case change.Position != nil || change.Parent != nil:
		return platform.RoomInfo{}, platform.Refuse("on Slack everybody arranges the channels for themselves")
	}
	if change.Name != nil {
		if err := s.call(ctx, "conversations.rename", url.Values{"channel": {at.channel}, "name": {channelName(*change.Name)}}, nil); err != nil {
			return platform.RoomInfo{}, err
		}
	}
	if change.Topic != nil {
		if err := s.setTopic(ctx, at.channel, *change.Topic); err != nil {
			return platform.RoomInfo{}, err
		}
	}
	return s.RoomInfo(ctx, in)
}

// DeleteRoom implements platform.RoomKeeper. Apps cannot delete channels: it is archived.
func (s *Slack) DeleteRoom(ctx context.Context, in platform.Room) error {
	at, err := where(in)
	if err != nil {
		return err
	}
	if at.thread != "" {
		return platform.Refuse("a thread on Slack cannot be deleted, only its messages")
	}
	err = s.call(ctx, "conversations.archive", url.Values{"channel": {at.channel}}, nil)
	if is(err, "already_archived") {
		return nil
	}
	return err
}

// CreateThread implements platform.Threader. A thread on Slack is the answers to a message:
// to the one that is named, or to a new one that says the thread's name.
func (s *Slack) CreateThread(ctx context.Context, t platform.NewThread) (platform.RoomInfo, error) {
	at, err := where(t.Room)
	if err != nil {
		return platform.RoomInfo{}, err
	}
	at.thread = ""
	switch {
	case t.Message != "" && !messageTS.MatchString(t.Message):
		return platform.RoomInfo{}, platform.Refuse("%q is not the id of a message on Slack", short(t.Message))
	case t.Message != "":
		at.thread = t.Message
		if found, err := s.one(ctx, at.channel, t.Message); err != nil {
			return platform.RoomInfo{}, err
		} else if found.thread() != "" {
			at.thread = found.thread() // there are no threads in threads
		}
	case strings.TrimSpace(t.Name) == "":
		return platform.RoomInfo{}, platform.Refuse("a thread on Slack begins with a message: say what it is called, or which message it answers")
	default:
		if at.thread, err = s.create(ctx, at, platform.Post{Text: t.Name}); err != nil {
			return platform.RoomInfo{}, err
		}
	}
	made := platform.RoomInfo{Room: at.room(), Name: t.Name, Kind: platform.ThreadRoom, Parent: at.channel}
	if t.Text != "" {
		// The thread is there. What became of the text is another matter, and is said.
		if _, err := s.create(ctx, at, platform.Post{Text: t.Text}); err != nil {
			return made, err
		}
	}
	return made, nil
}

// ArchivedThreads implements platform.Threader.
func (s *Slack) ArchivedThreads(context.Context, platform.Room, int) ([]platform.RoomInfo, error) {
	return nil, platform.Refuse("Slack does not archive threads")
}

// EditThread implements platform.Threader.
func (s *Slack) EditThread(context.Context, platform.Room, platform.ThreadChange) (platform.RoomInfo, error) {
	return platform.RoomInfo{}, platform.Refuse("Slack's threads have no names and no tags, and are not archived")
}
