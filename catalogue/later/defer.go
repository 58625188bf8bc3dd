package later

import (
	"context"
	"fmt"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type deferArgs struct {
	Prompt  string      `arg:"prompt,text" max:"4000" doc:"what you are told then; all you need to know, as if you had forgotten this conversation"`
	Seconds int         `arg:"delaySeconds,delay,seconds" min:"1" doc:"how long from now"`
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"where you answer then; this room if left out"`
}

// mostSeconds is more than any book takes, and less than a duration can hold.
const mostSeconds = 1_000_000_000

func deferTurn(platforms venue.Platforms, book Book, longest time.Duration) *action.Spec {
	most := ""
	if longest > 0 {
		most = ", " + platform.DurationText(longest) + " at most"
	}
	return action.Define(action.Spec{
		Name: "defer", Category: string(Deferral),
		Description: fmt.Sprintf("Do something later%s: you are asked the prompt then, and what you answer is posted. If you promise to come back, use this; otherwise say that you cannot.", most),
		Example:     `{"type":"defer","delaySeconds":600,"prompt":"Remind Ada that the oven is on."}`,
		Right:       action.Right(platform.SendMessages),
		Repeatable:  true, // the book has the call's key
	}, func(ctx context.Context, c action.Call, args deferArgs) action.Outcome {
		a, err := appointment(ctx, platforms, c, Deferral, args.Channel)
		if err != nil {
			return action.Fail("defer: %v", err)
		}
		a.Prompt, a.Delay = args.Prompt, time.Duration(min(args.Seconds, mostSeconds))*time.Second
		if a, err = book.Add(ctx, c.Key, a); err != nil {
			return action.Fail("defer: %v", err)
		}
		return action.Done("%s will be done in %s at %s", a.ID, a.where(c), at(a.Due))
	})
}
