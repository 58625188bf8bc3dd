package channels

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type listArchivedArgs struct {
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"this one if left out"`
	Limit   int         `arg:"limit" min:"1" max:"100" default:"50"`
}

// A thread as a model reads it.
type thread struct {
	ID   string   `json:"id"`
	Name string   `json:"name"`
	Tags []string `json:"tags,omitempty"`
}

func listArchived(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "threadListArchived", Category: category,
		Description: "List the archived threads of a channel.",
		Example:     `{"type":"threadListArchived","channel":"ideas","limit":20}`,
		Query:       true, Repeatable: true, Server: true,
		Right: action.Right(platform.ViewRoom),
	}, func(ctx context.Context, c action.Call, args listArchivedArgs) action.Outcome {
		threader, err := venue.Ability[platform.Threader](platforms, c.Platform, "list threads")
		if err != nil {
			return action.Fail("%v", err)
		}
		room, err := venue.Info(ctx, platforms, c, args.Channel)
		if err != nil {
			return action.Fail("%v", err)
		}
		all, err := threader.ArchivedThreads(ctx, room.Room, args.Limit)
		if err != nil {
			return venue.Failed(err, "list the archived threads of %s", venue.Label(room))
		}
		threads := []thread{}
		for _, t := range all[:min(len(all), args.Limit)] {
			threads = append(threads, thread{t.Room.ID, venue.Name(t.Name), t.Tags})
		}
		return action.Found(threads, "%s in %s", venue.Count(len(threads), "archived thread"), venue.Label(room))
	})
}
