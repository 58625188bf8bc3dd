package social

import (
	"cmp"
	"context"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

type engageArgs struct {
	Like    bool   `arg:"like" optional:"true"`
	Repost  bool   `arg:"repost,retweet" optional:"true"`
	Quote   bool   `arg:"quote" optional:"true"`
	Reply   bool   `arg:"reply" optional:"true" doc:"which what you write does in any case"`
	Message string `arg:"message,messageId" optional:"true" doc:"the id, the person's message if left out"`
}

// engageSpec is what an envelope says with SOCIAL_ENGAGE and flags in its text: "Done!
// [LIKE]". The text is the reply, so that a quotation stands below it.
func (n network) engageSpec() *action.Spec {
	return action.Define(action.Spec{
		Name: "socialEngage", Category: category,
		Description: "Like, repost and quote a message in one.",
		Example:     `{"type":"socialEngage","like":true,"repost":true}`,
		Right:       action.Right(platform.AddReactions),
		Quiet:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, args engageArgs) action.Outcome {
		message := cmp.Or(args.Message, c.Message)
		var all []action.Outcome
		if args.Like {
			all = append(all, n.like(ctx, c, message))
		}
		if args.Repost {
			all = append(all, n.repost(ctx, c, message))
		}
		if args.Quote {
			all = append(all, n.quote(ctx, c, message, ""))
		}
		if len(all) == 0 {
			return action.Done("replied")
		}
		return together(all)
	})
}

// together is the outcome of several: a success if all are, and refused only if nothing
// worse happened.
func together(all []action.Outcome) action.Outcome {
	out := action.Outcome{OK: true}
	var summaries []string
	failed := false
	for _, one := range all {
		out.OK = out.OK && one.OK
		out.Refused = out.Refused || one.Refused
		failed = failed || !one.OK && !one.Refused
		out.Say += one.Say // only a quotation says something
		if one.Trace != nil {
			out.Trace = one.Trace // and only a like leaves something behind, whatever else fails
		}
		summaries = append(summaries, one.Summary)
	}
	out.Refused = out.Refused && !failed
	out.Summary = strings.Join(summaries, "; ")
	return out
}
