package social

import (
	"cmp"
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

func (n network) repostSpec() *action.Spec {
	return action.Define(action.Spec{
		Name: "repost", Category: category, Aliases: []string{"retweet"},
		Description: "Show a message to more people, in the room for reposts or to who follows this one.",
		Example:     `{"type":"repost","message":"1234567890"}`,
		Right:       action.Right(platform.SendMessages),
		Repeatable:  true, // the post has the call's key, and crossposting twice is once
		Server:      true,
	}, func(ctx context.Context, c action.Call, args messageArgs) action.Outcome {
		return n.repost(ctx, c, cmp.Or(args.Message, c.Message))
	})
}

func (n network) repost(ctx context.Context, c action.Call, message string) action.Outcome {
	switch {
	case c.Direct:
		return action.Refuse("what is said in a direct chat is not reposted")
	case message == "":
		return action.Fail("repost: %s", noMessage)
	case n.reposts.ID == "":
		return n.crosspost(ctx, c, message)
	case n.reposts == venue.Here(c):
		return action.Fail("this is the room for reposts: the message stands here already")
	}
	if err := n.mayRead(ctx, c, message); err != nil {
		return action.Refuse("%s", venue.Reason(err))
	}
	m, err := n.fetch(ctx, c, message)
	if err != nil {
		return action.Fail("could not repost the message: %s", venue.Reason(err))
	}
	if _, err := n.sender.Send(ctx, c.Turn, platform.Post{Key: c.Key + "-repost", Room: n.reposts, Text: quotation(m)}); err != nil {
		return action.Fail("could not repost the message: %v", err)
	}
	return action.Done("reposted a message of %s to %s", author(m), n.reposts)
}

func (n network) crosspost(ctx context.Context, c action.Call, message string) action.Outcome {
	crossposter, err := venue.Ability[platform.Crossposter](n.platforms, c.Platform, "crosspost messages")
	if err != nil {
		return action.Fail("%s, and there is no room for reposts", venue.Reason(err))
	}
	// It goes to other servers: that is more than writing here.
	if err := venue.MayHere(ctx, n.platforms, c, platform.ManageMessages); err != nil {
		return action.Refuse("%s", venue.Reason(err))
	}
	if err := crossposter.Crosspost(ctx, venue.Here(c), message); err != nil {
		return action.Fail("could not crosspost the message: %s", venue.Reason(err))
	}
	return action.Done("crossposted a message")
}
