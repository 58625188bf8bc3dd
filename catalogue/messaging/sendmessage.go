package messaging

import (
	"cmp"
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

type sendMessageArgs struct {
	Content  string      `arg:"content,text" doc:"the text"`
	Channel  action.Room `arg:"channel,channelId,chat" optional:"true" doc:"the room; this one if left out"`
	Platform string      `arg:"platform" optional:"true" doc:"the room's platform; this one if left out"`
}

func sendMessage(platforms Platforms, sender Sender) *action.Spec {
	return action.Define(action.Spec{
		Name: "sendMessage", Category: category, Directive: "send-message",
		Description: "Write a message, here or in another room.",
		Example:     `{"type":"sendMessage","content":"The build is green.","channel":"general"}`,
		Quiet:       true,
		Repeatable:  true, // the post has the call's key
	}, func(ctx context.Context, c action.Call, args sendMessageArgs) action.Outcome {
		room := platform.Room{Platform: cmp.Or(args.Platform, c.Platform), ID: string(args.Channel)}
		if room.ID == "" || room == (platform.Room{Platform: c.Platform, ID: c.Room}) {
			out := action.Done("sent")
			out.Say = args.Content
			return out
		}
		if _, ok := platforms.Platform(room.Platform); !ok {
			return action.Fail("%s is not connected", room.Platform)
		}
		if err := sender.Send(ctx, c.Turn, c.Key, room, args.Content); err != nil {
			return action.Fail("could not send to %s: %v", room.ID, err)
		}
		return action.Done("sent to %s", room.ID)
	})
}
