package messaging

import (
	"cmp"
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type threadCreateArgs struct {
	Name               string      `arg:"name,title" min:"1" max:"100" doc:"what it is called"`
	Channel            action.Room `arg:"channel,channelId" optional:"true" doc:"this room if left out"`
	Message            string      `arg:"message,messageId" optional:"true" doc:"the id of the message that it begins at"`
	Content            string      `arg:"content,text" optional:"true" doc:"its first message, which a forum needs"`
	AutoArchiveMinutes int         `arg:"autoArchiveMinutes" optional:"true" values:"60,1440,4320,10080" doc:"of silence until it is archived"`
}

func threadCreate(platforms Platforms, sender Sender) *action.Spec {
	return action.Define(action.Spec{
		Name: "threadCreate", Category: category,
		Description: "Begin a thread, in a room or at a message.",
		Example:     `{"type":"threadCreate","name":"Release 1.4","channel":"projects","content":"What is left to do?"}`,
		Right:       action.Right(platform.CreateThreads),
		Server:      true,
	}, func(ctx context.Context, c action.Call, args threadCreateArgs) action.Outcome {
		threader, err := venue.Ability[platform.Threader](platforms, c.Platform, "begin threads")
		if err != nil {
			return failed("threadCreate", err)
		}
		room, err := venue.Room(ctx, platforms, c, args.Channel)
		if err != nil {
			return failed("threadCreate", err)
		}
		if args.Content == "" && isForum(ctx, threader, room) {
			return failed("threadCreate", missing("content is missing; a thread in a forum needs a first message"))
		}
		if err := fits(platforms, c.Platform, args.Content); err != nil {
			return couldNot("begin the thread "+args.Name, err)
		}
		thread := platform.NewThread{
			Room: room, Message: args.Message, Name: args.Name, Text: args.Content, AutoArchiveMinutes: args.AutoArchiveMinutes,
		}
		_, opens := threader.(platform.Opener)
		if opens {
			thread.Text = "" // it is a post, which has to be stored before it is written
		}
		made, err := threader.CreateThread(ctx, thread)
		where := in(c, room, args.Channel)
		name := cut(cmp.Or(made.Name, args.Name), 100)
		switch {
		case err != nil && made.Room.ID != "":
			return action.Fail("began the thread %s (%s)%s, but could not write its first message: %s", name, made.Room.ID, where, venue.Reason(err))
		case err != nil:
			return couldNot("begin the thread "+name+where, err)
		}
		if opens && args.Content != "" {
			if _, err := sender.Send(ctx, c.Turn, platform.Post{Key: c.Key, Room: made.Room, Text: args.Content}); err != nil {
				return action.Fail("began the thread %s (%s)%s, but could not write its first message: %v", name, made.Room.ID, where, err)
			}
		}
		return action.Done("began the thread %s (%s)%s", name, made.Room.ID, where)
	})
}

// isForum tells whether a room is known to be a forum. Where nobody knows, the platform
// will say what it thinks of a thread without a message.
func isForum(ctx context.Context, p any, room platform.Room) bool {
	keeper, ok := p.(platform.RoomKeeper)
	if !ok {
		return false
	}
	info, err := keeper.RoomInfo(ctx, room)
	return err == nil && info.Kind == platform.ForumRoom
}
