package moderation

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type banArgs struct {
	User   action.Person `arg:"userId,user,member" doc:"the person's name or id"`
	Reason string        `arg:"reason" optional:"true" max:"512"`
	Days   int           `arg:"deleteMessageDays" min:"0" max:"7" default:"0" doc:"how many days of their messages go too"`
}

func ban(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "ban", Category: category,
		Description: "Remove a person from the server for good.",
		Example:     `{"type":"ban","userId":"@bob","reason":"spam","deleteMessageDays":1}`,
		Destructive: true, // and not repeatable: whoever is gone is not found by a name
		Server:      true,
		Right:       action.Right(platform.BanMembers),
	}, func(ctx context.Context, c action.Call, args banArgs) action.Outcome {
		t, failed := aim(ctx, platforms, c, args.User, "ban people")
		if failed != nil {
			return *failed
		}
		if err := t.moderator.Ban(ctx, venue.Here(c), t.person.ID, args.Reason, args.Days); err != nil {
			return venue.Failed(err, "ban %s", t.name)
		}
		if args.Days > 0 {
			return action.Done("banned %s and deleted their messages of the last %s", t.name, venue.Count(args.Days, "day"))
		}
		return action.Done("banned %s", t.name)
	})
}
