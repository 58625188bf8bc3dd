// Package messaging holds the actions that write and react.
package messaging

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// Platforms finds a platform by its name.
type Platforms interface {
	Platform(name string) (platform.Platform, bool)
}

// Sender posts to a room, once for each key, now or as soon as it can.
type Sender interface {
	Send(ctx context.Context, turn int64, key string, room platform.Room, text string) error
}

// Specs are the actions of this category.
func Specs(platforms Platforms, sender Sender) []*action.Spec {
	return []*action.Spec{react(platforms), sendMessage(platforms, sender)}
}

func react(platforms Platforms) *action.Spec {
	return &action.Spec{
		Name:        "react",
		Description: "Put an emoji on a message.",
		Args: []action.Arg{
			{Name: "emoji", Description: "a name such as eyes, or the character"},
			{Name: "message", Aliases: []string{"messageId"}, Optional: true, Description: "the person's message if left out"},
		},
		Example:    `{"type":"react","emoji":"eyes"}`,
		Quiet:      true,
		Repeatable: true,
		Run: func(ctx context.Context, c action.Call) action.Outcome {
			p, ok := platforms.Platform(c.Platform)
			if !ok {
				return action.Fail("%s is not connected", c.Platform)
			}
			reactor, ok := p.(platform.Reactor)
			if !ok {
				return action.Fail("%s", platform.Lacks(p, "react to messages").Reason)
			}
			message := c.Args["message"]
			if message == "" {
				message = c.Message
			}
			emoji := Emoji(c.Args["emoji"])
			r := reactor.React(ctx, platform.Room{Platform: c.Platform, ID: c.Room}, message, emoji)
			if r.Outcome != platform.Delivered {
				return action.Fail("could not react with %s: %s", emoji, r.Reason)
			}
			return action.Done("reacted with %s", emoji)
		},
	}
}

func sendMessage(platforms Platforms, sender Sender) *action.Spec {
	return &action.Spec{
		Name:        "sendMessage",
		Description: "Write a message, here or in another room.",
		Args: []action.Arg{
			{Name: "content", Aliases: []string{"text"}, Description: "the text"},
			{Name: "chat", Aliases: []string{"channel", "channelId"}, Optional: true, Description: "the room; this one if left out"},
			{Name: "platform", Optional: true, Description: "the room's platform; this one if left out"},
		},
		Example:    `{"type":"sendMessage","content":"The build is green.","chat":"general"}`,
		Quiet:      true,
		Repeatable: true, // the post has the call's key
		Run: func(ctx context.Context, c action.Call) action.Outcome {
			room := platform.Room{Platform: c.Args["platform"], ID: c.Args["chat"]}
			if room.Platform == "" {
				room.Platform = c.Platform
			}
			if room.ID == "" || room == (platform.Room{Platform: c.Platform, ID: c.Room}) {
				out := action.Done("sent")
				out.Say = c.Args["content"]
				return out
			}
			if _, ok := platforms.Platform(room.Platform); !ok {
				return action.Fail("%s is not connected", room.Platform)
			}
			if err := sender.Send(ctx, c.Turn, c.Key, room, c.Args["content"]); err != nil {
				return action.Fail("could not send to %s: %v", room.ID, err)
			}
			return action.Done("sent to %s", room.ID)
		},
	}
}
