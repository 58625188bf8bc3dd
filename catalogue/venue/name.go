package venue

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// Info is what is known about the room that a name means; "" is that of the call. Where
// a platform cannot tell, it is only the id.
func Info(ctx context.Context, all Platforms, c action.Call, name action.Room) (platform.RoomInfo, error) {
	room, err := Room(ctx, all, c, name)
	if err != nil {
		return platform.RoomInfo{}, err
	}
	unknown := platform.RoomInfo{Room: room, Name: room.ID}
	p, ok := all.Platform(room.Platform)
	if !ok {
		return unknown, nil
	}
	keeper, ok := p.(platform.RoomKeeper)
	if !ok {
		return unknown, nil
	}
	info, err := keeper.RoomInfo(ctx, room)
	if err != nil {
		return unknown, readable(err)
	}
	return info, nil
}

// Label is how a room is called in an outcome: #general, or Lounge for a voice room.
func Label(info platform.RoomInfo) string {
	name := cmp.Or(Name(info.Name), info.Room.ID)
	switch info.Kind {
	case platform.TextRoom, platform.AnnouncementRoom, platform.ForumRoom:
		return "#" + name
	}
	return name
}

// Called is how a person is called in an outcome.
func Called(p platform.Person) string { return cmp.Or(Name(p.Name), p.ID) }

const longestName = 100 // characters

// Name is a name that somebody has chosen, in one line: what a stranger is called must
// not look like a second outcome.
func Name(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, name)
	return Clip(strings.Join(strings.Fields(name), " "), longestName)
}

// Clip is the beginning of a text, at most so many characters.
func Clip(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// Count is how many of something there are, in words.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
