package guild

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type deleteEventArgs struct {
	Event string `arg:"eventId,event" doc:"its id or name"`
}

func deleteEvent(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "eventDelete", Category: category,
		Description: "Cancel and delete a scheduled event.",
		Example:     `{"type":"eventDelete","eventId":"123"}`,
		Destructive: true, Server: true,
		Right: action.Right(platform.ManageEvents),
	}, func(ctx context.Context, c action.Call, args deleteEventArgs) action.Outcome {
		keeper, err := venue.Ability[platform.EventKeeper](platforms, c.Platform, "delete events")
		if err != nil {
			return action.Fail("%v", err)
		}
		event, failed := eventOf(ctx, platforms, keeper, c, args.Event)
		if failed != nil {
			return *failed
		}
		if err := keeper.DeleteEvent(ctx, venue.Here(c), event.ID); err != nil {
			return venue.Failed(err, "delete the event %s", venue.Name(event.Name))
		}
		return action.Done("deleted the event %s", venue.Name(event.Name))
	})
}
