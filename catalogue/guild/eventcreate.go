package guild

import (
	"context"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type createEventArgs struct {
	Name        string      `arg:"name" min:"1" max:"100"`
	Starts      string      `arg:"startTime" doc:"such as 2026-01-31T18:00:00Z"`
	Ends        string      `arg:"endTime" optional:"true"`
	Description string      `arg:"description" optional:"true" max:"1000"`
	Channel     action.Room `arg:"channelId,channel" optional:"true" doc:"the voice channel, or else a location"`
	Location    string      `arg:"location" optional:"true" max:"100" doc:"needs an endTime"`
}

// Check wants dates that are some, and one place.
func (a createEventArgs) Check() error {
	_, ends, err := eventTimes(a.Starts, a.Ends)
	if err != nil {
		return err
	}
	return placed(string(a.Channel), a.Location, ends)
}

func createEvent(platforms venue.Platforms, now func() time.Time) *action.Spec {
	return action.Define(action.Spec{
		Name: "eventCreate", Category: category,
		Description: "Schedule an event in a voice channel or at a location.",
		Example:     `{"type":"eventCreate","name":"Movie night","startTime":"2026-01-31T18:00:00Z","channelId":"Lounge"}`,
		Server:      true,
		Right:       action.Right(platform.ManageEvents),
	}, func(ctx context.Context, c action.Call, args createEventArgs) action.Outcome {
		keeper, err := venue.Ability[platform.EventKeeper](platforms, c.Platform, "schedule events")
		if err != nil {
			return action.Fail("%v", err)
		}
		event := platform.Event{Name: args.Name, Description: args.Description, Location: args.Location}
		if event.Starts, event.Ends, err = eventTimes(args.Starts, args.Ends); err != nil {
			return action.Fail("eventCreate: %v", err)
		}
		where := venue.Name(args.Location)
		if args.Channel != "" {
			room, failed := eventRoom(ctx, platforms, c, args.Channel)
			if failed != nil {
				return *failed
			}
			event.Room, where = room.Room.ID, venue.Label(room)
		}
		if why := wrong(event, now(), true); why != "" {
			return action.Fail("eventCreate: %s", why)
		}
		made, err := keeper.CreateEvent(ctx, venue.Here(c), event)
		if err != nil {
			return venue.Failed(err, "schedule %s", venue.Name(args.Name))
		}
		return action.Done("scheduled %s for %s, %s", venue.Name(made.Name), spoken(event.Starts), where)
	})
}
