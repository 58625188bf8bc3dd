package social

import (
	"cmp"
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

func (n network) replySpec() *action.Spec {
	return action.Define(action.Spec{
		Name: "reply", Category: category, Aliases: []string{"continue"},
		Description: "Answer another message than the person's; what you write outside of instructions answers theirs.",
		Example:     `{"type":"reply","message":"1234567890","content":"I agree."}`,
		Right:       action.Right(platform.SendMessages),
		Quiet:       true,
		Repeatable:  true, // it is part of the reply, or the post has the call's key
	}, func(ctx context.Context, c action.Call, args textArgs) action.Outcome {
		return n.reply(ctx, c, cmp.Or(args.Message, c.Message), args.Content)
	})
}

// reply answers a message. The reply of the turn answers the person's, so words to that
// one become part of it, and an envelope whose action is REPLY needs nothing more.
func (n network) reply(ctx context.Context, c action.Call, message, content string) action.Outcome {
	switch {
	case message == c.Message:
		out := action.Done("replied")
		out.Say = content
		return out
	case content == "":
		return action.Fail("content is missing; say what to answer")
	}
	p, err := venue.Ability[platform.Platform](n.platforms, c.Platform, "post")
	if err != nil {
		return action.Fail("%s", venue.Reason(err))
	}
	if limits := p.Limits(); limits.Text > 0 && limits.Count.Of(content) > limits.Text {
		return action.Fail("could not answer the message: %s takes %d characters", p.Name(), limits.Text)
	}
	if _, err := n.sender.Send(ctx, c.Turn, platform.Post{Key: c.Key + "-reply", Room: venue.Here(c), Text: content, ReplyTo: message}); err != nil {
		return action.Fail("could not answer the message: %v", err)
	}
	return action.Done("answered a message")
}
