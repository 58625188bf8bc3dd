package discord

import (
	"context"
	"time"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// Messages implements platform.Historian. At most a hundred come at once.
func (d *Discord) Messages(ctx context.Context, in platform.Room, page platform.Page) ([]platform.Message, error) {
	c, err := d.here(ctx, in)
	if err != nil {
		return nil, err
	}
	query := discord.QueryValues{"limit": min(max(page.Most, 1), mostPage)}
	if page.Before != "" {
		if query["before"], err = parse("message", page.Before); err != nil {
			return nil, err
		}
	}
	if page.After != "" {
		if query["after"], err = parse("message", page.After); err != nil {
			return nil, err
		}
	}
	var found []message
	if err := d.call(ctx, rest.GetMessages.Compile(query, c.ID), nil, &found); err != nil {
		return nil, err
	}
	return d.convertAll(ctx, found, c.Guild)
}

// here is the channel of a room.
func (d *Discord) here(ctx context.Context, in platform.Room) (channel, error) {
	id, err := parse("room", in.ID)
	if err != nil {
		return channel{}, err
	}
	return d.channel(ctx, id)
}

func (d *Discord) convertAll(ctx context.Context, found []message, guild snowflake.ID) ([]platform.Message, error) {
	self, err := d.me(ctx)
	if err != nil {
		return nil, err
	}
	var all []platform.Message
	for _, m := range found {
		all = append(all, d.convert(&m, guild, self))
	}
	return all, nil
}

// Message implements platform.Historian.
func (d *Discord) Message(ctx context.Context, in platform.Room, id string) (platform.Message, error) {
	c, err := d.here(ctx, in)
	if err != nil {
		return platform.Message{}, err
	}
	wanted, err := parse("message", id)
	if err != nil {
		return platform.Message{}, err
	}
	var m message
	if err := d.call(ctx, rest.GetMessage.Compile(nil, c.ID, wanted), nil, &m); err != nil {
		return platform.Message{}, err
	}
	all, err := d.convertAll(ctx, []message{m}, c.Guild)
	if err != nil {
		return platform.Message{}, err
	}
	return all[0], nil
}

// Pins have another address than disgo knows: the old one is about to go.
var (
	listPins = rest.NewEndpoint("GET", "/channels/{channel.id}/messages/pins")
	putPin   = rest.NewEndpoint("PUT", "/channels/{channel.id}/messages/pins/{message.id}")
	takePin  = rest.NewEndpoint("DELETE", "/channels/{channel.id}/messages/pins/{message.id}")
)

// Pin implements platform.Pinner.
func (d *Discord) Pin(ctx context.Context, in platform.Room, message string) error {
	c, id, err := both(in, message)
	if err != nil {
		return err
	}
	return d.call(ctx, putPin.Compile(nil, c, id), nil, nil)
}

// Unpin implements platform.Pinner.
func (d *Discord) Unpin(ctx context.Context, in platform.Room, message string) error {
	c, id, err := both(in, message)
	if err != nil {
		return err
	}
	return d.call(ctx, takePin.Compile(nil, c, id), nil, nil)
}

// Pins implements platform.Pinner. They are the latest fifty.
func (d *Discord) Pins(ctx context.Context, in platform.Room) ([]platform.Message, error) {
	c, err := d.here(ctx, in)
	if err != nil {
		return nil, err
	}
	var page struct {
		Items []struct {
			Message message `json:"message"`
		} `json:"items"`
	}
	if err := d.call(ctx, listPins.Compile(discord.QueryValues{"limit": 50}, c.ID), nil, &page); err != nil {
		return nil, err
	}
	var found []message
	for _, item := range page.Items {
		found = append(found, item.Message)
	}
	return d.convertAll(ctx, found, c.Guild)
}

// sweepable is how old a message may be that Discord deletes together with others, with
// some room for clocks.
const sweepable = 14*24*time.Hour - 5*time.Minute

// Sweep implements platform.Sweeper.
func (d *Discord) Sweep(ctx context.Context, in platform.Room, count int) (int, error) {
	id, err := parse("room", in.ID)
	if err != nil {
		return 0, err
	}
	var found []message
	query := discord.QueryValues{"limit": min(max(count, 1), mostPage)}
	if err := d.call(ctx, rest.GetMessages.Compile(query, id), nil, &found); err != nil {
		return 0, err
	}
	var young []snowflake.ID
	for _, m := range found {
		if d.now().Sub(m.ID.Time()) < sweepable {
			young = append(young, m.ID)
		}
	}
	switch len(young) {
	case 0:
		return 0, nil
	case 1:
		err = d.call(ctx, rest.DeleteMessage.Compile(nil, id, young[0]), nil, nil)
	default:
		err = d.call(ctx, rest.BulkDeleteMessages.Compile(nil, id), map[string]any{"messages": young}, nil)
	}
	if err != nil {
		return 0, err
	}
	return len(young), nil
}

// Crosspost implements platform.Crossposter. Publishing what is published does nothing.
func (d *Discord) Crosspost(ctx context.Context, in platform.Room, message string) error {
	c, id, err := both(in, message)
	if err != nil {
		return err
	}
	err = d.call(ctx, rest.CrosspostMessage.Compile(nil, c, id), nil, nil)
	if is(err, alreadyPublished) {
		return nil
	}
	return err
}
