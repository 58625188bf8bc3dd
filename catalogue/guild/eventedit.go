package guild

import (
	"context"
	"errors"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type editEventArgs struct {
	Event       string      `arg:"eventId,event" doc:"its id or name"`
	Name        string      `arg:"name" optional:"true" max:"100"`
	Starts      string      `arg:"startTime" optional:"true" doc:"such as 2026-01-31T18:00:00Z"`
	Ends        string      `arg:"endTime" optional:"true"`
	Description *string     `arg:"description" max:"1000" doc:"empty takes it away"`
	Channel     action.Room `arg:"channelId,channel" optional:"true" doc:"the voice channel, instead of a location"`
	Location    string      `arg:"location" optional:"true" max:"100" doc:"instead of a voice channel; needs an endTime"`
}

// Check wants at least one change, dates that are some, and one place.
func (a editEventArgs) Check() error {
	changes := a
	changes.Event = ""
	switch _, _, err := eventTimes(a.Starts, a.Ends); {
	case changes == editEventArgs{}:
		return errors.New("nothing to change; give a name, startTime, endTime, description, channelId or location")
	case err != nil:
		return err
	case a.Channel != "" && a.Location != "":
		return errTwoPlaces
	}
	return nil
}

func editEvent(platforms venue.Platforms, now func() time.Time) *action.Spec {
	return action.Define(action.Spec{
		Name: "eventEdit", Category: category,
		Description: "Change a scheduled event.",
		Example:     `{"type":"eventEdit","eventId":"123","startTime":"2026-01-31T19:00:00Z"}`,
		Repeatable:  true, Server: true,
		Right: action.Right(platform.ManageEvents),
	}, func(ctx context.Context, c action.Call, args editEventArgs) action.Outcome {
		keeper, err := venue.Ability[platform.EventKeeper](platforms, c.Platform, "edit events")
		if err != nil {
			return action.Fail("%v", err)
		}
		event, failed := eventOf(ctx, platforms, keeper, c, args.Event)
		if failed != nil {
			return *failed
		}
		change, failed := args.change(ctx, platforms, c)
		if failed != nil {
			return *failed
		}
		if why := wrong(changed(event, change), now(), change.Starts != nil); why != "" {
			return action.Fail("eventEdit: %s", why)
		}
		is, err := keeper.EditEvent(ctx, venue.Here(c), event.ID, change)
		if err != nil {
			return venue.Failed(err, "change the event %s", venue.Name(event.Name))
		}
		if args.Starts != "" {
			return action.Done("changed the event %s; it starts at %s", venue.Name(is.Name), spoken(*change.Starts))
		}
		return action.Done("changed the event %s", venue.Name(is.Name))
	})
}

// change is what the arguments change. An event is in a room or at a location: the one
// takes the other away.
func (a editEventArgs) change(ctx context.Context, platforms venue.Platforms, c action.Call) (platform.EventChange, *action.Outcome) {
	change := platform.EventChange{Description: a.Description}
	fail := func(out action.Outcome) (platform.EventChange, *action.Outcome) { return change, &out }
	if a.Name != "" {
		change.Name = &a.Name
	}
	starts, ends, err := eventTimes(a.Starts, a.Ends)
	if err != nil {
		return fail(action.Fail("eventEdit: %v", err))
	}
	if a.Starts != "" {
		change.Starts = &starts
	}
	if a.Ends != "" {
		change.Ends = &ends
	}
	none := ""
	switch {
	case a.Location != "":
		change.Location, change.Room = &a.Location, &none
	case a.Channel != "":
		room, failed := eventRoom(ctx, platforms, c, a.Channel)
		if failed != nil {
			return change, failed
		}
		change.Room, change.Location = &room.Room.ID, &none
	}
	return change, nil
}

// changed is an event after a change.
func changed(e platform.Event, change platform.EventChange) platform.Event {
	set(&e.Name, change.Name)
	set(&e.Description, change.Description)
	set(&e.Starts, change.Starts)
	set(&e.Ends, change.Ends)
	set(&e.Room, change.Room)
	set(&e.Location, change.Location)
	return e
}

func set[T any](into, to *T) {
	if to != nil {
		*into = *to
	}
}
