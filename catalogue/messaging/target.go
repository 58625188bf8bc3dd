package messaging

import (
	"context"
	"slices"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// A target is the message that an action is about.
type target struct {
	platform.Room
	message string
}

// aim finds a target. Without a message, the person's own is meant, which stands in the
// room of the call and in no other.
func aim(ctx context.Context, platforms Platforms, c action.Call, channel action.Room, message string) (target, error) {
	room, err := venue.Room(ctx, platforms, c, channel)
	if err != nil {
		return target{}, err
	}
	if message == "" && room == venue.Here(c) {
		message = c.Message
	}
	if message == "" {
		return target{}, missing("message is missing; say its id")
	}
	return target{room, message}, nil
}

// in says where something was done, as the model called it: "" if it was here.
func in(c action.Call, room platform.Room, channel action.Room) string {
	if channel == "" || room == venue.Here(c) {
		return ""
	}
	return " in " + called(channel)
}

// called is a room in a summary: #general or general as it is, <#123> without brackets.
func called(channel action.Room) string {
	return cut(strings.Join(strings.Fields(strings.Trim(string(channel), "<>")), " "), 100)
}

// reaching is a description with the rooms on other platforms, which a model cannot find out
// in another way.
func reaching(description string, others []platform.Room) string {
	if len(others) == 0 {
		return description
	}
	return description + " On other platforms (platform/channel): " + list(others) + "."
}

// anywhere is the room that is meant on any platform: on the call's own by name or id, on
// another one by id, if it is one of the others.
func anywhere(ctx context.Context, platforms Platforms, c action.Call, channel action.Room, on action.Platform, others []platform.Room) (platform.Room, error) {
	name := strings.ToLower(string(on))
	if name == "" || name == c.Platform {
		return venue.Room(ctx, platforms, c, channel)
	}
	room := platform.Room{Platform: name, ID: strings.TrimPrefix(string(channel), name+"/")} // a list has them as platform/id
	if room.ID == "" {
		return room, missing("channel is missing; it is a room on " + name)
	}
	if _, ok := platforms.Platform(name); !ok {
		return room, platform.Refuse("%s is not connected", name)
	}
	if !slices.Contains(others, room) {
		return room, notAllowed{room, others}
	}
	return room, nil
}

// fits tells why a text cannot be one post on a platform: nil if it can.
func fits(platforms Platforms, on, text string) error {
	p, err := venue.Ability[platform.Platform](platforms, on, "post")
	if err != nil {
		return err
	}
	limits := p.Limits()
	if n := limits.Count.Of(text); limits.Text > 0 && n > limits.Text {
		return platform.Refuse("its content has %d characters, and %s takes %d", n, p.Name(), limits.Text)
	}
	return nil
}
