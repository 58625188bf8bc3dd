package discord

import (
	"context"
	"time"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// A scheduled event, as Discord has it.
type scheduled struct {
	ID          snowflake.ID `json:"id"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Starts      time.Time    `json:"scheduled_start_time"`
	Ends        *time.Time   `json:"scheduled_end_time"`
	Channel     snowflake.ID `json:"channel_id"`
	Where       struct {
		Location string `json:"location"`
	} `json:"entity_metadata"`
}

func (e scheduled) out() platform.Event {
	out := platform.Event{ID: e.ID.String(), Name: e.Name, Description: e.Description, Starts: e.Starts, Location: e.Where.Location}
	if e.Ends != nil {
		out.Ends = *e.Ends
	}
	if e.Channel != 0 {
		out.Room = e.Channel.String()
	}
	return out
}

// Where events take place.
const (
	onStage   = 1
	inVoice   = 2
	elsewhere = 3

	membersOnly = 2
)

// Events implements platform.EventKeeper.
func (d *Discord) Events(ctx context.Context, in platform.Room) ([]platform.Event, error) {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return nil, err
	}
	var found []scheduled
	if err := d.call(ctx, rest.GetGuildScheduledEvents.Compile(nil, guild), nil, &found); err != nil {
		return nil, err
	}
	var events []platform.Event
	for _, e := range found {
		events = append(events, e.out())
	}
	return events, nil
}

// CreateEvent implements platform.EventKeeper.
func (d *Discord) CreateEvent(ctx context.Context, in platform.Room, event platform.Event) (platform.Event, error) {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return platform.Event{}, err
	}
	if event.Location != "" && event.Ends.IsZero() {
		return platform.Event{}, platform.Refuse("an event at a location needs an end on Discord")
	}
	if event.Location == "" && event.Room == "" {
		return platform.Event{}, platform.Refuse("an event needs a voice room or a location on Discord")
	}
	body := map[string]any{"name": event.Name, "privacy_level": membersOnly, "scheduled_start_time": stamp(event.Starts)}
	if event.Description != "" {
		body["description"] = event.Description
	}
	if !event.Ends.IsZero() {
		body["scheduled_end_time"] = stamp(event.Ends)
	}
	if err := d.place(ctx, body, event.Room, event.Location); err != nil {
		return platform.Event{}, err
	}
	var made scheduled
	if err := d.call(ctx, rest.CreateGuildScheduledEvent.Compile(nil, guild), body, &made); err != nil {
		return platform.Event{}, err
	}
	return made.out(), nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// place says where an event takes place.
func (d *Discord) place(ctx context.Context, body map[string]any, in, location string) error {
	if location != "" {
		body["entity_type"] = elsewhere
		body["channel_id"] = nil
		body["entity_metadata"] = map[string]string{"location": location}
		return nil
	}
	id, err := parse("room", in)
	if err != nil {
		return err
	}
	c, err := d.channel(ctx, id)
	if err != nil {
		return err
	}
	switch c.Type {
	case voiceChannel:
		body["entity_type"] = inVoice
	case stageChannel:
		body["entity_type"] = onStage
	default:
		return platform.Refuse("an event takes place in a voice room, and %s is none", short(c.Name))
	}
	body["channel_id"] = id
	return nil
}

// EditEvent implements platform.EventKeeper.
func (d *Discord) EditEvent(ctx context.Context, in platform.Room, id string, change platform.EventChange) (platform.Event, error) {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return platform.Event{}, err
	}
	event, err := parse("event", id)
	if err != nil {
		return platform.Event{}, err
	}
	body := map[string]any{}
	if change.Name != nil {
		body["name"] = *change.Name
	}
	if change.Description != nil {
		body["description"] = *change.Description
	}
	if change.Starts != nil {
		body["scheduled_start_time"] = stamp(*change.Starts)
	}
	if change.Ends != nil {
		body["scheduled_end_time"] = stamp(*change.Ends)
	}
	switch {
	case change.Location != nil && *change.Location != "":
		err = d.place(ctx, body, "", *change.Location)
	case change.Room != nil && *change.Room != "":
		err = d.place(ctx, body, *change.Room, "")
	}
	if err != nil {
		return platform.Event{}, err
	}
	var changed scheduled
	if err := d.call(ctx, rest.UpdateGuildScheduledEvent.Compile(nil, guild, event), body, &changed); err != nil {
		return platform.Event{}, err
	}
	return changed.out(), nil
}

// DeleteEvent implements platform.EventKeeper.
func (d *Discord) DeleteEvent(ctx context.Context, in platform.Room, id string) error {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return err
	}
	event, err := parse("event", id)
	if err != nil {
		return err
	}
	return d.call(ctx, rest.DeleteGuildScheduledEvent.Compile(nil, guild, event), nil, nil)
}
