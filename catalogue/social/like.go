package social

import (
	"cmp"
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

func (n network) likeSpec() *action.Spec {
	return action.Define(action.Spec{
		Name: "like", Category: category,
		Description: "Put a heart on a message.",
		Example:     `{"type":"like"}`,
		Right:       action.Right(platform.AddReactions),
		Quiet:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, args messageArgs) action.Outcome {
		return n.like(ctx, c, cmp.Or(args.Message, c.Message))
	})
}

func (n network) like(ctx context.Context, c action.Call, message string) action.Outcome {
	reactor, err := venue.Ability[platform.Reactor](n.platforms, c.Platform, "react to messages")
	if err != nil {
		return action.Fail("%s", venue.Reason(err))
	}
	if message == "" {
		return action.Fail("like: %s", noMessage)
	}
	heart, err := messaging.Emoji(c.Platform, "heart")
	if err != nil {
		return action.Fail("%s", venue.Reason(err))
	}
	if err := reactor.React(ctx, venue.Here(c), message, heart).Err(); err != nil {
		return action.Fail("could not like the message: %s", venue.Reason(err))
	}
	return venue.Reacted(venue.Here(c), message, heart, "liked a message")
}
