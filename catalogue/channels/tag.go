package channels

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// mostTags is how many tags a forum has.
const mostTags = 20

type createTagArgs struct {
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"the forum; this one if left out"`
	Name    string      `arg:"name" min:"1" max:"20"`
	Emoji   string      `arg:"emoji" optional:"true" doc:"a name such as eyes, or the character"`
}

func createTag(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "forumTagCreate", Category: category,
		Description: "Add a tag to a forum.",
		Example:     `{"type":"forumTagCreate","channel":"ideas","name":"planned","emoji":"eyes"}`,
		Server:      true,
		Right:       action.Right(platform.ManageRooms),
	}, func(ctx context.Context, c action.Call, args createTagArgs) action.Outcome {
		f, err := forumOf(ctx, platforms, c, args.Channel)
		if err != nil {
			return action.Fail("%v", err)
		}
		switch {
		case len(f.tags) >= mostTags:
			return action.Fail("%s has %d tags, and more than %d are not possible; delete one first", f.label, len(f.tags), mostTags)
		case slices.ContainsFunc(f.tags, func(t platform.Tag) bool { return strings.EqualFold(t.Name, args.Name) }):
			return action.Fail("%s has a tag %s already", f.label, venue.Name(args.Name))
		}
		emoji := ""
		if args.Emoji != "" {
			if emoji, err = messaging.Emoji(c.Platform, args.Emoji); err != nil {
				return action.Fail("%v", err)
			}
		}
		tag, err := f.keeper.AddTag(ctx, f.room, platform.Tag{Name: args.Name, Emoji: emoji})
		if err != nil {
			return venue.Failed(err, "add the tag %s to %s", venue.Name(args.Name), f.label)
		}
		return action.Done("added the tag %s to %s", venue.Name(tag.Name), f.label)
	})
}

type deleteTagArgs struct {
	Channel action.Room `arg:"channel,channelId" doc:"the forum"`
	Tag     string      `arg:"tagId,tag" doc:"its id or name"`
}

func deleteTag(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "forumTagDelete", Category: category,
		Description: "Delete a tag of a forum; threads lose it.",
		Example:     `{"type":"forumTagDelete","channel":"ideas","tagId":"123"}`,
		Destructive: true, Server: true,
		Right: action.Right(platform.ManageRooms),
	}, func(ctx context.Context, c action.Call, args deleteTagArgs) action.Outcome {
		f, err := forumOf(ctx, platforms, c, args.Channel)
		if err != nil {
			return action.Fail("%v", err)
		}
		tag, why := pick(f.tags, args.Tag, "tag", called)
		if why != "" {
			return action.Fail("%s", why)
		}
		if err := f.keeper.RemoveTag(ctx, f.room, tag.ID); err != nil {
			return venue.Failed(err, "delete the tag %s of %s", venue.Name(tag.Name), f.label)
		}
		return action.Done("deleted the tag %s of %s", venue.Name(tag.Name), f.label)
	})
}

type listTagsArgs struct {
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"the forum; this one if left out"`
}

// A label is a tag as a model reads it.
type label struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Emoji string `json:"emoji,omitempty"`
}

func listTags(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "forumTagList", Category: category,
		Description: "List the tags of a forum.",
		Example:     `{"type":"forumTagList","channel":"ideas"}`,
		Query:       true, Repeatable: true, Server: true,
		Right: action.Right(platform.ManageRooms),
	}, func(ctx context.Context, c action.Call, args listTagsArgs) action.Outcome {
		f, err := forumOf(ctx, platforms, c, args.Channel)
		if err != nil {
			return action.Fail("%v", err)
		}
		tags := []label{}
		for _, t := range f.tags {
			tags = append(tags, label{t.ID, venue.Name(t.Name), t.Emoji})
		}
		return action.Found(tags, "%s of %s", venue.Count(len(tags), "tag"), f.label)
	})
}

// A forum is a room whose threads have tags.
type forum struct {
	keeper platform.TagKeeper
	room   platform.Room
	label  string
	tags   []platform.Tag
}

// forumOf is the forum of a name, with its tags.
func forumOf(ctx context.Context, platforms venue.Platforms, c action.Call, name action.Room) (forum, error) {
	keeper, err := venue.Ability[platform.TagKeeper](platforms, c.Platform, "keep tags")
	if err != nil {
		return forum{}, err
	}
	info, err := venue.Info(ctx, platforms, c, name)
	if err != nil {
		return forum{}, err
	}
	if info.Kind != platform.ForumRoom && info.Kind != "" {
		return forum{}, fmt.Errorf("%s is no forum, and only forums have tags", venue.Label(info))
	}
	tags, err := keeper.Tags(ctx, info.Room)
	if err != nil {
		return forum{}, fmt.Errorf("could not look up the tags of %s: %s", venue.Label(info), venue.Reason(err))
	}
	return forum{keeper, info.Room, venue.Label(info), tags}, nil
}

func called(t platform.Tag) (id, name string) { return t.ID, t.Name }
