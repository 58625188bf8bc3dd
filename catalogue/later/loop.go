package later

import (
	"context"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type loopArgs struct {
	Prompt  string      `arg:"prompt,text" max:"4000" doc:"what you are told each time; all you need to know, as if you had forgotten this conversation"`
	Seconds int         `arg:"intervalSeconds,interval,seconds" min:"60" max:"86400" doc:"from one time to the next"`
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"where you answer each time; this room if left out"`
	Label   string      `arg:"label" optional:"true" max:"100" doc:"a short name for it"`
}

func loopCreate(platforms venue.Platforms, book Book) *action.Spec {
	return action.Define(action.Spec{
		Name: "loopCreate", Category: string(Loop), Aliases: []string{"loop"},
		Description: "Do something again and again until it is cancelled: you are asked the prompt each time, and what you answer is posted. In a loop you can only look things up and send messages.",
		Example:     `{"type":"loopCreate","intervalSeconds":3600,"prompt":"Look whether the build is green, and say so.","label":"build"}`,
		Right:       action.Right(platform.SendMessages),
		Repeatable:  true, // the book has the call's key
	}, func(ctx context.Context, c action.Call, args loopArgs) action.Outcome {
		a, err := appointment(ctx, platforms, c, Loop, args.Channel)
		if err != nil {
			return action.Fail("loopCreate: %v", err)
		}
		a.Prompt, a.Label, a.Every = args.Prompt, args.Label, time.Duration(args.Seconds)*time.Second
		if a, err = book.Add(ctx, c.Key, a); err != nil {
			return action.Fail("loopCreate: %v", err)
		}
		return action.Done("%s will be done in %s every %s, first at %s", a.called(), a.where(c), platform.DurationText(a.Every), at(a.Due))
	})
}
