package messaging

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type reactArgs struct {
	Emoji   string      `arg:"emoji" doc:"a name such as eyes, or the character"`
	Message string      `arg:"message,messageId" optional:"true" doc:"the id, the person's message if left out"`
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"this room if left out"`
}

func react(platforms Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "react", Category: category, Directive: "react",
		Description: "Put an emoji on a message.",
		Example:     `{"type":"react","emoji":"eyes"}`,
		Right:       action.Right(platform.AddReactions),
		Quiet:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, args reactArgs) action.Outcome {
		return reacting(ctx, platforms, c, "react", args, "reacted with %s%s", platform.Reactor.React, venue.Reacted)
	})
}

func unreact(platforms Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "unreact", Category: category,
		Description: "Take your own emoji off a message.",
		Example:     `{"type":"unreact","emoji":"eyes"}`,
		Right:       action.Right(platform.AddReactions),
		Quiet:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, args reactArgs) action.Outcome {
		return reacting(ctx, platforms, c, "unreact", args, "took %s off a message%s", platform.Reactor.Unreact, venue.Unreacted)
	})
}

// reacting does what both have in common; done takes the emoji and the place.
func reacting(ctx context.Context, platforms Platforms, c action.Call, name string, args reactArgs, done string,
	do func(platform.Reactor, context.Context, platform.Room, string, string) platform.Receipt,
	outcome func(room platform.Room, message, emoji, format string, a ...any) action.Outcome,
) action.Outcome {
	reactor, err := venue.Ability[platform.Reactor](platforms, c.Platform, "react to messages")
	if err != nil {
		return failed(name, err)
	}
	to, err := aim(ctx, platforms, c, args.Channel, args.Message)
	if err != nil {
		return failed(name, err)
	}
	emoji, err := Emoji(c.Platform, args.Emoji)
	if err != nil {
		return failed(name, err)
	}
	if err := do(reactor, ctx, to.Room, to.message, emoji).Err(); err != nil {
		return couldNot(name+" with "+emoji, err)
	}
	return outcome(to.Room, to.message, emoji, done, emoji, in(c, to.Room, args.Channel))
}
