package guild

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// mostEvents is how many events a model is told of.
const mostEvents = 50

// A meeting is an event as a model reads it.
type meeting struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Starts      string `json:"startTime"`
	Ends        string `json:"endTime,omitempty"`
	Room        string `json:"channelId,omitempty"`
	Location    string `json:"location,omitempty"`
	Description string `json:"description,omitempty"`
}

func listEvents(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "eventList", Category: category,
		Description: "List the server's scheduled events.",
		Example:     `{"type":"eventList"}`,
		Query:       true, Repeatable: true, Server: true,
	}, func(ctx context.Context, c action.Call, _ struct{}) action.Outcome {
		keeper, err := venue.Ability[platform.EventKeeper](platforms, c.Platform, "list events")
		if err != nil {
			return action.Fail("%v", err)
		}
		events, err := keeper.Events(ctx, venue.Here(c))
		if err != nil {
			return venue.Failed(err, "list the events")
		}
		events = visible(ctx, platforms, c, events)
		meetings := []meeting{}
		for _, e := range events[:min(len(events), mostEvents)] {
			meetings = append(meetings, meeting{
				ID: e.ID, Name: venue.Name(e.Name), Starts: stamp(e.Starts), Ends: stamp(e.Ends),
				Room: e.Room, Location: venue.Name(e.Location), Description: venue.Clip(e.Description, longestText),
			})
		}
		if len(events) > mostEvents {
			return action.Found(meetings, "the first %d of %d events", mostEvents, len(events))
		}
		return action.Found(meetings, "%s", venue.Count(len(meetings), "event"))
	})
}

// visible are the events whose rooms the person who asked can see.
func visible(ctx context.Context, platforms venue.Platforms, c action.Call, events []platform.Event) []platform.Event {
	seen := map[string]bool{"": true}
	var all []platform.Event
	for _, e := range events {
		if _, known := seen[e.Room]; !known {
			seen[e.Room] = venue.May(ctx, platforms, c, platform.ViewRoom, roomOf(c, e)) == nil
		}
		if seen[e.Room] {
			all = append(all, e)
		}
	}
	return all
}

func roomOf(c action.Call, e platform.Event) platform.RoomInfo {
	return platform.RoomInfo{Room: platform.Room{Platform: c.Platform, ID: e.Room}}
}

// eventOf is the event of an id, or of a name that only one has, if the person who asked
// may manage events in its room.
func eventOf(ctx context.Context, platforms venue.Platforms, keeper platform.EventKeeper, c action.Call, id string) (platform.Event, *action.Outcome) {
	fail := func(out action.Outcome) (platform.Event, *action.Outcome) { return platform.Event{}, &out }
	events, err := keeper.Events(ctx, venue.Here(c))
	if err != nil {
		return fail(venue.Failed(err, "look up the event %s", venue.Name(id)))
	}
	var same []platform.Event
	for _, e := range visible(ctx, platforms, c, events) {
		if e.ID == id {
			same = []platform.Event{e}
			break
		}
		if strings.EqualFold(e.Name, id) {
			same = append(same, e)
		}
	}
	switch {
	case len(same) == 0:
		return fail(action.Fail("there is no event %s; eventList lists them", venue.Name(id)))
	case len(same) > 1:
		return fail(action.Fail("there is more than one event %s; use its id", venue.Name(id)))
	}
	if e := same[0]; e.Room != "" {
		room, err := venue.Info(ctx, platforms, c, action.Room(e.Room))
		if err != nil {
			return fail(action.Fail("%v", err))
		}
		if err := venue.May(ctx, platforms, c, platform.ManageEvents, room); err != nil {
			return fail(action.Refuse("%v", err))
		}
	}
	return same[0], nil
}

// eventRoom is the voice room that an event is to be in.
func eventRoom(ctx context.Context, platforms venue.Platforms, c action.Call, name action.Room) (platform.RoomInfo, *action.Outcome) {
	room, err := venue.Info(ctx, platforms, c, name)
	if err != nil {
		out := action.Fail("%v", err)
		return room, &out
	}
	switch room.Kind {
	case platform.VoiceRoom, platform.StageRoom, "":
		return room, nil
	}
	out := action.Fail("%s is no voice channel, and events take place in one or at a location", venue.Label(room))
	return room, &out
}

var errTwoPlaces = errors.New("give a channelId or a location, not both")

// placed is why an event cannot be where it is to be, or nil.
func placed(room, location string, ends time.Time) error {
	switch {
	case room != "" && location != "":
		return errTwoPlaces
	case room == "" && location == "":
		return errors.New("where is it? Give a channelId (voice) or a location")
	case location != "" && ends.IsZero():
		return errors.New("an event at a location needs an endTime")
	}
	return nil
}

// wrong is why an event cannot be as it is, or "".
func wrong(e platform.Event, now time.Time, moved bool) string {
	if err := placed(e.Room, e.Location, e.Ends); err != nil {
		return err.Error()
	}
	switch {
	case moved && !e.Starts.After(now):
		return "startTime is in the past; it is " + spoken(now) + " now"
	case !e.Ends.IsZero() && !e.Ends.After(e.Starts):
		return "endTime is not later than startTime"
	}
	return ""
}
