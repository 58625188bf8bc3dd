package channels

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/platform"
)

// A server keeps rooms, threads and tags, and writes down what it is asked to do.
type server struct {
	*venuetest.Server
	calls    []string
	archived []platform.RoomInfo
	tags     []platform.Tag
	fail     map[string]error // of calls that begin with that
}

func newServer() *server {
	room := func(id, name string, kind platform.RoomKind, parent string, position int) platform.RoomInfo {
		return platform.RoomInfo{Room: platform.Room{Platform: "discord", ID: id}, Name: name, Kind: kind, Parent: parent, Position: position}
	}
	s := &server{Server: &venuetest.Server{Bare: "discord"}, fail: map[string]error{}}
	s.Places = []platform.RoomInfo{
		room("2", "Projects", platform.CategoryRoom, "", 1), room("3", "Archive", platform.CategoryRoom, "", 0),
		room("11", "releases", platform.TextRoom, "2", 1), room("10", "general", platform.TextRoom, "", 0),
		room("12", "Lounge", platform.VoiceRoom, "2", 0), room("13", "ideas", platform.ForumRoom, "2", 2),
		room("14", "The door", platform.ThreadRoom, "13", 0),
	}
	s.Places[3].Topic = "All else"
	s.tags = []platform.Tag{{ID: "t1", Name: "planned", Emoji: "👀"}, {ID: "t2", Name: "C#"}}
	return s
}

// did writes a call down, and says what became of it.
func (s *server) did(format string, a ...any) error {
	call := fmt.Sprintf(format, a...)
	s.calls = append(s.calls, call)
	return s.fail[call]
}

func (s *server) Rooms(_ context.Context, near platform.Room, person string) ([]platform.RoomInfo, error) {
	return s.Places, s.fail["rooms near "+near.ID+" for "+person]
}

func (s *server) RoomInfo(_ context.Context, room platform.Room) (platform.RoomInfo, error) {
	for _, r := range s.Places {
		if r.Room == room {
			return r, s.fail["info "+room.ID]
		}
	}
	return platform.RoomInfo{}, platform.Refuse("there is no channel %s", room.ID)
}

func (s *server) CreateRoom(_ context.Context, near platform.Room, n platform.NewRoom) (platform.RoomInfo, error) {
	err := s.did("create %s %s near %s: topic %q, parent %q, position %s", n.Kind, n.Name, near.ID, n.Topic, n.Parent, number(n.Position))
	return platform.RoomInfo{Room: platform.Room{Platform: "discord", ID: "99"}, Name: n.Name, Kind: n.Kind}, err
}

func (s *server) EditRoom(ctx context.Context, room platform.Room, change platform.RoomChange) (platform.RoomInfo, error) {
	err := s.did("edit %s: name %s, topic %s, parent %s, position %s", room.ID, text(change.Name), text(change.Topic), text(change.Parent), number(change.Position))
	info, _ := s.RoomInfo(ctx, room)
	if change.Name != nil {
		info.Name = *change.Name
	}
	return info, err
}

func (s *server) DeleteRoom(_ context.Context, room platform.Room) error {
	return s.did("delete %s", room.ID)
}

func (s *server) CreateThread(context.Context, platform.NewThread) (platform.RoomInfo, error) {
	return platform.RoomInfo{}, s.did("create a thread")
}

func (s *server) ArchivedThreads(_ context.Context, room platform.Room, most int) ([]platform.RoomInfo, error) {
	return s.archived, s.did("list %d archived threads of %s", most, room.ID)
}

func (s *server) EditThread(ctx context.Context, thread platform.Room, change platform.ThreadChange) (platform.RoomInfo, error) {
	tags, archived := "-", "-"
	if change.Tags != nil {
		tags = fmt.Sprint(*change.Tags)
	}
	if change.Archived != nil {
		archived = strconv.FormatBool(*change.Archived)
	}
	err := s.did("edit thread %s: name %s, tags %s, archived %s", thread.ID, text(change.Name), tags, archived)
	info, _ := s.RoomInfo(ctx, thread)
	if change.Name != nil {
		info.Name = *change.Name
	}
	return info, err
}

func (s *server) Tags(_ context.Context, forum platform.Room) ([]platform.Tag, error) {
	return s.tags, s.fail["tags of "+forum.ID]
}

func (s *server) AddTag(_ context.Context, forum platform.Room, tag platform.Tag) (platform.Tag, error) {
	return tag, s.did("tag %s: %s %s", forum.ID, tag.Name, tag.Emoji)
}

func (s *server) RemoveTag(_ context.Context, forum platform.Room, id string) error {
	return s.did("untag %s: %s", forum.ID, id)
}

func text(s *string) string {
	if s == nil {
		return "-"
	}
	return strconv.Quote(*s)
}

func number(n *int) string {
	if n == nil {
		return "-"
	}
	return strconv.Itoa(*n)
}

// run asks for an action in #general, on behalf of Ada.
func run(t *testing.T, p platform.Platform, name, args string) action.Outcome {
	t.Helper()
	all := venuetest.Platforms{p.Name(): p}
	return venuetest.Run(t, Specs(all), action.Call{Platform: p.Name(), Room: "10", Person: "ada", Name: "Ada"}, name, args)
}
