package discord

import (
	"cmp"
	"context"
	"slices"

	"github.com/disgoorg/disgo/rest"

	"github.com/asidehq/aside/platform"
)

// kinds are Discord's kinds of channels that have a name here.
var kinds = map[int]platform.RoomKind{
	textChannel:         platform.TextRoom,
	directChannel:       platform.DirectRoom,
	groupChannel:        platform.DirectRoom,
	voiceChannel:        platform.VoiceRoom,
	categoryChannel:     platform.CategoryRoom,
	announcementChannel: platform.AnnouncementRoom,
	announcementThread:  platform.ThreadRoom,
	publicThread:        platform.ThreadRoom,
	privateThread:       platform.ThreadRoom,
	stageChannel:        platform.StageRoom,
	forumChannel:        platform.ForumRoom,
	mediaChannel:        platform.ForumRoom,
}

// info says about a channel what people want to know. A kind that is not known here is
// taken for a text room: there is a name to show, at least.
func info(c channel) platform.RoomInfo {
	i := platform.RoomInfo{
		Room: room(c.ID), Name: c.Name, Topic: c.Topic, Kind: kinds[c.Type], Position: c.Position, Archived: c.Thread.Archived,
	}
	if i.Kind == "" {
		i.Kind = platform.TextRoom
	}
	if c.Parent != 0 {
		i.Parent = c.Parent.String()
	}
	if c.isDirect() && len(c.Recipients) > 0 {
		i.Name = person(c.Recipients[0], nil).Name
	}
	for _, id := range c.Applied {
		i.Tags = append(i.Tags, id.String())
	}
	return i
}

// Rooms implements platform.RoomKeeper. Threads are not listed.
func (d *Discord) Rooms(ctx context.Context, near platform.Room, person string) ([]platform.RoomInfo, error) {
	visible, err := d.visible(ctx, near, person, viewChannel)
	var rooms []platform.RoomInfo
	for _, c := range visible {
		if !c.isThread() {
			rooms = append(rooms, info(c))
		}
	}
	return rooms, err
}

// visible are the channels and active threads near a room in which a person has rights,
// in Discord's order.
func (d *Discord) visible(ctx context.Context, in platform.Room, person string, need rights) ([]channel, error) {
	who, err := parse("person", person)
	if err != nil {
		return nil, err
	}
	_, id, err := d.near(ctx, in)
	if err != nil {
		return nil, err
	}
	g, m, err := d.standing(ctx, id, who)
	if err != nil || m == nil {
		return nil, err
	}
	all, err := d.channelsOf(ctx, id)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b channel) int { return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ID, b.ID)) })
	var visible []channel
	for _, c := range all {
		has, err := d.rights(ctx, g, m, c)
		if err != nil {
			return nil, err
		}
		if has&need == need {
			visible = append(visible, c)
		}
	}
	return visible, nil
}

// RoomInfo implements platform.RoomKeeper.
func (d *Discord) RoomInfo(ctx context.Context, in platform.Room) (platform.RoomInfo, error) {
	id, err := parse("room", in.ID)
	if err != nil {
		return platform.RoomInfo{}, err
	}
	c, err := d.channel(ctx, id)
	if err != nil {
		return platform.RoomInfo{}, err
	}
	return info(c), nil
}

// newKinds are the kinds of rooms that can be made.
var newKinds = map[platform.RoomKind]int{
	"":                        textChannel,
	platform.TextRoom:         textChannel,
	platform.VoiceRoom:        voiceChannel,
	platform.AnnouncementRoom: announcementChannel,
	platform.StageRoom:        stageChannel,
	platform.ForumRoom:        forumChannel,
	platform.CategoryRoom:     categoryChannel,
}

// CreateRoom implements platform.RoomKeeper.
func (d *Discord) CreateRoom(ctx context.Context, in platform.Room, wanted platform.NewRoom) (platform.RoomInfo, error) {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return platform.RoomInfo{}, err
	}
	kind, ok := newKinds[wanted.Kind]
	if !ok {
		return platform.RoomInfo{}, platform.Refuse("a %s room cannot be made on Discord this way", wanted.Kind)
	}
	body := map[string]any{"name": wanted.Name, "type": kind}
	if wanted.Topic != "" {
		body["topic"] = wanted.Topic
	}
	if wanted.Position != nil {
		body["position"] = *wanted.Position
	}
	if wanted.Parent != "" {
		if body["parent_id"], err = parse("category", wanted.Parent); err != nil {
			return platform.RoomInfo{}, err
		}
	}
	var c channel
	err = d.call(ctx, rest.CreateGuildChannel.Compile(nil, guild), body, &c)
	return settled(c, err)
}

// settled is what is known about a channel that was made or changed.
func settled(c channel, err error) (platform.RoomInfo, error) {
	if err != nil {
		return platform.RoomInfo{}, err
	}
	return info(c), nil
}

// EditRoom implements platform.RoomKeeper.
func (d *Discord) EditRoom(ctx context.Context, in platform.Room, change platform.RoomChange) (platform.RoomInfo, error) {
	id, err := parse("room", in.ID)
	if err != nil {
		return platform.RoomInfo{}, err
	}
	body := map[string]any{}
	if change.Name != nil {
		body["name"] = *change.Name
	}
	if change.Topic != nil {
		body["topic"] = *change.Topic
	}
	if change.Position != nil {
		body["position"] = *change.Position
	}
	if change.Parent != nil {
		body["parent_id"] = nil
		if *change.Parent != "" {
			if body["parent_id"], err = parse("category", *change.Parent); err != nil {
				return platform.RoomInfo{}, err
			}
		}
	}
	var c channel
	err = d.call(ctx, rest.UpdateChannel.Compile(nil, id), body, &c)
	return settled(c, err)
}

// DeleteRoom implements platform.RoomKeeper.
func (d *Discord) DeleteRoom(ctx context.Context, in platform.Room) error {
	id, err := parse("room", in.ID)
	if err != nil {
		return err
	}
	return d.call(ctx, rest.DeleteChannel.Compile(nil, id), nil, nil)
}
