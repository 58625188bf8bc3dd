package moderation

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type kickArgs struct {
	User   action.Person `arg:"userId,user,member" doc:"the person's name or id"`
	Reason string        `arg:"reason" optional:"true" max:"512"`
}

func kick(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "kick", Category: category,
		Description: "Remove a person from the server; they can come back.",
		Example:     `{"type":"kick","userId":"@bob","reason":"spam"}`,
		Destructive: true, // and not repeatable: they may have come back by then
		Server:      true,
		Right:       action.Right(platform.KickMembers),
	}, func(ctx context.Context, c action.Call, args kickArgs) action.Outcome {
		t, failed := aim(ctx, platforms, c, args.User, "kick people")
		if failed != nil {
			return *failed
		}
		if err := t.moderator.Kick(ctx, venue.Here(c), t.person.ID, args.Reason); err != nil {
			return venue.Failed(err, "kick %s", t.name)
		}
		return action.Done("kicked %s", t.name)
	})
}
