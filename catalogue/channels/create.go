package channels

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

const longestTopic = 1024 // characters, as the tags below say

type createArgs struct {
	Name        string `arg:"name" min:"1" max:"100"`
	Parent      string `arg:"parent,parentId,category" optional:"true" doc:"the category that it goes into"`
	Topic       string `arg:"topic" optional:"true" max:"1024"`
	ChannelType string `arg:"channelType,kind" values:"text,voice,announcement,stage,forum" default:"text"`
}

func create(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "channelCreate", Category: category,
		Description: "Create a channel.",
		Example:     `{"type":"channelCreate","name":"releases","parent":"Projects","topic":"What is new"}`,
		Server:      true,
		Right:       action.Right(platform.ManageRooms),
	}, func(ctx context.Context, c action.Call, args createArgs) action.Outcome {
		keeper, err := venue.Ability[platform.RoomKeeper](platforms, c.Platform, "create channels")
		if err != nil {
			return action.Fail("%v", err)
		}
		room := platform.NewRoom{Name: args.Name, Topic: args.Topic, Kind: platform.RoomKind(args.ChannelType)}
		where := ""
		if args.Parent != "" {
			into, failed := destination(ctx, platforms, keeper, c, args.Parent)
			if failed != nil {
				return *failed
			}
			room.Parent, where = into.Room.ID, " in "+venue.Label(into)
		}
		made, err := keeper.CreateRoom(ctx, venue.Here(c), room)
		if err != nil {
			return venue.Failed(err, "create %s%s", venue.Label(platform.RoomInfo{Name: room.Name, Kind: room.Kind}), where)
		}
		return action.Done("created %s%s", venue.Label(made), where)
	})
}

type createCategoryArgs struct {
	Name     string `arg:"name" min:"1" max:"100"`
	Position *int   `arg:"position" min:"0" doc:"0 is the first"`
}

func createCategory(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "categoryCreate", Category: category,
		Description: "Create a category that channels can be put into.",
		Example:     `{"type":"categoryCreate","name":"Projects"}`,
		Server:      true,
		Right:       action.Right(platform.ManageRooms),
	}, func(ctx context.Context, c action.Call, args createCategoryArgs) action.Outcome {
		keeper, err := venue.Ability[platform.RoomKeeper](platforms, c.Platform, "create categories")
		if err != nil {
			return action.Fail("%v", err)
		}
		made, err := keeper.CreateRoom(ctx, venue.Here(c), platform.NewRoom{Name: args.Name, Kind: platform.CategoryRoom, Position: args.Position})
		if err != nil {
			return venue.Failed(err, "create the category %s", venue.Name(args.Name))
		}
		return action.Done("created the category %s", venue.Label(made))
	})
}
