package social

import (
	"cmp"
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

func (n network) quoteSpec() *action.Spec {
	return action.Define(action.Spec{
		Name: "quote", Category: category,
		Description: "Quote a message and say something about it.",
		Example:     `{"type":"quote","message":"1234567890","content":"This is how we do it."}`,
		Right:       action.Right(platform.SendMessages),
		Quiet:       true,
		Repeatable:  true, // it is part of the reply, or the post has the call's key
	}, func(ctx context.Context, c action.Call, args textArgs) action.Outcome {
		return n.quote(ctx, c, cmp.Or(args.Message, c.Message), args.Content)
	})
}

// quote puts a quotation into the reply, above the words about it. Where old messages
// cannot be read, an answer to the message has to do: platforms show what is answered.
func (n network) quote(ctx context.Context, c action.Call, message, content string) action.Outcome {
	p, ok := n.platforms.Platform(c.Platform)
	if !ok {
		return action.Fail("%s is not connected", c.Platform)
	}
	if _, ok := p.(platform.Historian); !ok {
		return n.reply(ctx, c, message, content)
	}
	if message == "" {
		return action.Fail("quote: %s", noMessage)
	}
	if err := n.mayRead(ctx, c, message); err != nil {
		return action.Refuse("%s", venue.Reason(err))
	}
	m, err := n.fetch(ctx, c, message)
	if err != nil {
		return action.Fail("could not quote the message: %s", venue.Reason(err))
	}
	out := action.Done("quoted %s", author(m))
	out.Say = quotation(m)
	if content != "" {
		out.Say += "\n\n" + content
	}
	return out
}
