package messaging

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type editMessageArgs struct {
	Message string      `arg:"message,messageId" doc:"the id of one of your own messages"`
	Content string      `arg:"content,text" doc:"the new text"`
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"this room if left out"`
}

func editMessage(platforms Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "editMessage", Category: category,
		Description: "Change the text of one of your own messages.",
		Example:     `{"type":"editMessage","message":"1234567890","content":"The build is green again."}`,
		Right:       action.Right(platform.SendMessages),
		Repeatable:  true,
	}, func(ctx context.Context, c action.Call, args editMessageArgs) action.Outcome {
		editor, err := venue.Ability[platform.Editor](platforms, c.Platform, "edit messages")
		if err != nil {
			return failed("editMessage", err)
		}
		at, err := aim(ctx, platforms, c, args.Channel, args.Message)
		if err != nil {
			return failed("editMessage", err)
		}
		if err := fits(platforms, c.Platform, args.Content); err != nil {
			return couldNot("edit the message", err)
		}
		if err := editor.Edit(ctx, at.Room, at.message, args.Content).Err(); err != nil {
			return couldNot("edit the message"+in(c, at.Room, args.Channel), err)
		}
		return action.Done("edited a message%s", in(c, at.Room, args.Channel))
	})
}
