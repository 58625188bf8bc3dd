package guild

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/platform"
)

// A server has members, roles, events and messages, and writes down what it is asked to
// do.
type server struct {
	*venuetest.Server
	platform.RoomKeeper // for RoomInfo alone
	calls               []string
	member              platform.Member
	events              []platform.Event
	found               []platform.Message
	search              platform.Search
	fail                map[string]error
}

var now = time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)

func newServer() *server {
	s := &server{Server: &venuetest.Server{Bare: "discord"}, fail: map[string]error{}}
	room := func(id, name string, kind platform.RoomKind) platform.RoomInfo {
		return platform.RoomInfo{Room: platform.Room{Platform: "discord", ID: id}, Name: name, Kind: kind}
	}
	s.Places = []platform.RoomInfo{room("10", "general", platform.TextRoom), room("12", "Lounge", platform.VoiceRoom), room("15", "Stage", platform.StageRoom)}
	s.People = []platform.Person{{ID: "ada", Name: "Ada"}, {ID: "bob", Name: "Bob"}, {ID: "eve", Name: "Eve"}}
	s.Ranks = map[string]int{"ada": 5, "bob": 1, "eve": 5}
	s.Groups = []platform.Role{{ID: "r1", Name: "readers", Position: 1, Members: -1}, {ID: "r4", Name: "editors", Position: 4, Members: 2}, {ID: "r5", Name: "chiefs", Position: 5, Members: 1}, {ID: "r2", Name: "robots", Position: 2, Members: 0, Managed: true}}
	s.member = platform.Member{Person: s.People[1], Nickname: "Bobby", Roles: s.Groups[:2], Joined: now.AddDate(-1, 0, 0), Silent: now.Add(time.Hour)}
	s.events = []platform.Event{
		{ID: "e1", Name: "Movie night", Starts: now.Add(24 * time.Hour), Room: "12", Description: "Bring tea"},
		{ID: "e2", Name: "Picnic", Starts: now.Add(48 * time.Hour), Ends: now.Add(50 * time.Hour), Location: "Park"},
	}
	s.found = []platform.Message{
		{Room: s.Places[0].Room, ID: "m2", Author: s.People[1], Text: "the invoice", At: now, Files: []platform.File{{Name: "a.pdf"}}},
		{Room: s.Places[0].Room, ID: "m1", Author: s.People[0], Text: "invoice?", At: now.Add(-time.Minute)},
	}
	return s
}

func (s *server) did(format string, a ...any) error {
	call := fmt.Sprintf(format, a...)
	s.calls = append(s.calls, call)
	return s.fail[call]
}

func (s *server) RoomInfo(_ context.Context, room platform.Room) (platform.RoomInfo, error) {
	for _, r := range s.Places {
		if r.Room == room {
			return r, nil
		}
	}
	return platform.RoomInfo{}, platform.Refuse("there is no channel %s", room.ID)
}

func (s *server) Member(_ context.Context, near platform.Room, person string) (platform.Member, error) {
	return s.member, s.did("member %s near %s", person, near.ID)
}

func (s *server) Roles(_ context.Context, near platform.Room) ([]platform.Role, error) {
	return s.Groups, s.did("roles near %s", near.ID)
}

func (s *server) AddRole(_ context.Context, near platform.Room, person, role string) error {
	return s.did("give %s %s near %s", person, role, near.ID)
}

func (s *server) RemoveRole(_ context.Context, near platform.Room, person, role string) error {
	return s.did("take %s %s near %s", person, role, near.ID)
}

func (s *server) Search(_ context.Context, near platform.Room, person string, search platform.Search) ([]platform.Message, error) {
	s.search = search
	return s.found, s.did("search near %s for %s", near.ID, person)
}

func (s *server) Messages(context.Context, platform.Room, platform.Page) ([]platform.Message, error) {
	return s.found, nil
}

func (s *server) Message(_ context.Context, room platform.Room, id string) (platform.Message, error) {
	if err := s.fail["message "+id]; err != nil {
		return platform.Message{}, err
	}
	for _, m := range s.found {
		if m.Room == room && m.ID == id {
			return m, nil
		}
	}
	return platform.Message{}, platform.Refuse("there is no message %s", id)
}

func (s *server) Events(_ context.Context, near platform.Room) ([]platform.Event, error) {
	return s.events, s.fail["events near "+near.ID]
}

func (s *server) CreateEvent(_ context.Context, near platform.Room, e platform.Event) (platform.Event, error) {
	return e, s.did("create %q near %s: %s to %s, room %q, location %q, %q", e.Name, near.ID, stamp(e.Starts), stamp(e.Ends), e.Room, e.Location, e.Description)
}

func (s *server) EditEvent(_ context.Context, near platform.Room, id string, e platform.EventChange) (platform.Event, error) {
	is := platform.Event{Name: "Movie night"}
	if e.Name != nil {
		is.Name = *e.Name
	}
	return is, s.did("edit %s near %s: name %s, %s to %s, room %s, location %s, description %s", id, near.ID, text(e.Name), moment(e.Starts), moment(e.Ends), text(e.Room), text(e.Location), text(e.Description))
}

func (s *server) DeleteEvent(_ context.Context, near platform.Room, id string) error {
	return s.did("delete %s near %s", id, near.ID)
}

func text(s *string) string {
	if s == nil {
		return "-"
	}
	return strconv.Quote(*s)
}

func moment(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return stamp(*t)
}

// run asks for an action in #general, on behalf of Ada.
func run(t *testing.T, p platform.Platform, name, args string) action.Outcome {
	t.Helper()
	return runIn(t, p, action.Call{Platform: p.Name(), Room: "10", Person: "ada", Name: "Ada"}, name, args)
}

func runIn(t *testing.T, p platform.Platform, c action.Call, name, args string) action.Outcome {
	t.Helper()
	all := venuetest.Platforms{p.Name(): p}
	return venuetest.Run(t, Specs(all, func() time.Time { return now }), c, name, args)
}
