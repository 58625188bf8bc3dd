package messaging

import (
	"cmp"
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

type reactArgs struct {
	Emoji   string `arg:"emoji" doc:"a name such as eyes, or the character"`
	Message string `arg:"message,messageId" optional:"true" doc:"its id; the person's message if left out"`
}

func react(platforms Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "react", Category: category, Directive: "react",
		Description: "Put an emoji on a message.",
		Example:     `{"type":"react","emoji":"eyes"}`,
		Quiet:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, args reactArgs) action.Outcome {
		p, ok := platforms.Platform(c.Platform)
		if !ok {
			return action.Fail("%s is not connected", c.Platform)
		}
		reactor, ok := p.(platform.Reactor)
		if !ok {
			return action.Fail("%s", platform.Lacks(p, "react to messages").Reason)
		}
		emoji := Emoji(args.Emoji)
		r := reactor.React(ctx, platform.Room{Platform: c.Platform, ID: c.Room}, cmp.Or(args.Message, c.Message), emoji)
		if r.Outcome != platform.Delivered {
			return action.Fail("could not react with %s: %s", emoji, r.Reason)
		}
		return action.Done("reacted with %s", emoji)
	})
}
