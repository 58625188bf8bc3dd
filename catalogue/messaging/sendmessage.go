package messaging

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type sendMessageArgs struct {
	Content  string          `arg:"content,text" doc:"the text"`
	Channel  action.Room     `arg:"channel,channelId,chat,chatId" optional:"true" doc:"this room if left out"`
	Platform action.Platform `arg:"platform" optional:"true" doc:"of the room, this one if left out"`
	ReplyTo  string          `arg:"replyTo,replyToId" optional:"true" doc:"the id of the message that it answers"`
}

func sendMessage(platforms Platforms, sender Sender, others []platform.Room) *action.Spec {
	return action.Define(action.Spec{
		Name: "sendMessage", Category: category, Directive: "send-message",
		Description: reaching("Write a message, here or in another room.", others),
		Example:     `{"type":"sendMessage","content":"The build is green.","channel":"general"}`,
		Right:       action.Right(platform.SendMessages),
		Quiet:       true,
		Repeatable:  true, // the post has the call's key
	}, func(ctx context.Context, c action.Call, args sendMessageArgs) action.Outcome {
		room, err := anywhere(ctx, platforms, c, args.Channel, args.Platform, others)
		if err != nil {
			return failed("sendMessage", err)
		}
		if room == venue.Here(c) && (args.ReplyTo == "" || args.ReplyTo == c.Message) {
			return saying(action.Done("sent"), args.Content) // the reply is cut into parts that fit
		}
		if _, err := sender.Send(ctx, c.Turn, platform.Post{Key: c.Key, Room: room, Text: args.Content, ReplyTo: args.ReplyTo}); err != nil {
			return action.Fail("could not send to %s: %v", destination(args.Channel), err)
		}
		return action.Done("sent to %s", destination(args.Channel))
	})
}

// destination is the room that something is sent to, as the model called it.
func destination(channel action.Room) string {
	if channel == "" {
		return "this room"
	}
	return called(channel)
}
