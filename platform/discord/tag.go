package discord

import (
	"context"
	"strings"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// forum fetches a forum. What is about to be changed is read anew.
func (d *Discord) forum(ctx context.Context, in platform.Room) (channel, error) {
	var c channel
	id, err := parse("forum", in.ID)
	if err != nil {
		return c, err
	}
	if err := d.call(ctx, rest.GetChannel.Compile(nil, id), nil, &c); err != nil {
		return c, err
	}
	if c.Type != forumChannel && c.Type != mediaChannel {
		return c, platform.Refuse("only forums have tags, and this is not one")
	}
	return c, nil
}

func (t tag) out() platform.Tag {
	out := platform.Tag{ID: t.ID.String(), Name: t.Name}
	switch {
	case t.EmojiID != nil && *t.EmojiID != 0:
		name := "emoji"
		if t.EmojiName != nil && *t.EmojiName != "" {
			name = *t.EmojiName
		}
		out.Emoji = name + ":" + t.EmojiID.String()
	case t.EmojiName != nil:
		out.Emoji = *t.EmojiName
	}
	return out
}

// Tags implements platform.TagKeeper.
func (d *Discord) Tags(ctx context.Context, in platform.Room) ([]platform.Tag, error) {
	c, err := d.forum(ctx, in)
	var tags []platform.Tag
	for _, t := range c.Tags {
		tags = append(tags, t.out())
	}
	return tags, err
}

const mostTags = 20

// AddTag implements platform.TagKeeper. A tag of that name that is there already is the
// one, so that it can be repeated.
func (d *Discord) AddTag(ctx context.Context, in platform.Room, wanted platform.Tag) (platform.Tag, error) {
	c, err := d.forum(ctx, in)
	if err != nil {
		return platform.Tag{}, err
	}
	for _, t := range c.Tags {
		if strings.EqualFold(t.Name, wanted.Name) {
			return t.out(), nil
		}
	}
	if len(c.Tags) >= mostTags {
		return platform.Tag{}, platform.Refuse("the forum has %d tags, as many as Discord allows", len(c.Tags))
	}
	t := tag{Name: wanted.Name}
	if wanted.Emoji != "" {
		emoji, err := spell(wanted.Emoji)
		if err != nil {
			return platform.Tag{}, err
		}
		if _, id, custom := strings.Cut(emoji, ":"); custom {
			parsed, _ := snowflake.Parse(id) // spell has
			t.EmojiID = &parsed
		} else {
			t.EmojiName = &emoji
		}
	}
	after, err := d.setTags(ctx, c, append(c.Tags, t))
	if err != nil {
		return platform.Tag{}, err
	}
	for _, t := range after {
		if t.Name == wanted.Name {
			return t.out(), nil
		}
	}
	return platform.Tag{}, &platform.Problem{Outcome: platform.Unknown, Reason: "Discord did not say what became of the tag"}
}

// RemoveTag implements platform.TagKeeper.
func (d *Discord) RemoveTag(ctx context.Context, in platform.Room, text string) error {
	id, err := parse("tag", text)
	if err != nil {
		return err
	}
	c, err := d.forum(ctx, in)
	if err != nil {
		return err
	}
	left := []tag{}
	for _, t := range c.Tags {
		if t.ID != id {
			left = append(left, t)
		}
	}
	if len(left) == len(c.Tags) {
		return platform.Refuse("the forum has no such tag")
	}
	_, err = d.setTags(ctx, c, left)
	return err
}

func (d *Discord) setTags(ctx context.Context, c channel, tags []tag) ([]tag, error) {
	err := d.call(ctx, rest.UpdateChannel.Compile(nil, c.ID), map[string]any{"available_tags": tags}, &c)
	return c.Tags, err
}
