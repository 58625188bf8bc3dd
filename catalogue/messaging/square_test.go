package messaging

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// A wall is a platform that can do nothing but take posts.
type wall struct {
	name   string
	limits platform.Limits
}

func (w wall) Name() string                                         { return w.name }
func (w wall) Limits() platform.Limits                              { return w.limits }
func (w wall) Run(context.Context, platform.Inbox) error            { return nil }
func (w wall) Post(context.Context, platform.Post) platform.Receipt { return platform.Receipt{} }

// A square is a platform that can do everything with messages. It keeps what it was
// asked to do.
type square struct {
	wall
	log      []string
	fail     error // what everything comes to, if it is not nil
	messages []platform.Message
	swept    int
}

func (s *square) note(format string, args ...any) error {
	if s.fail == nil {
		s.log = append(s.log, fmt.Sprintf(format, args...))
	}
	return s.fail
}

func (s *square) receipt(format string, args ...any) platform.Receipt {
	var p *platform.Problem
	err := s.note(format, args...)
	if errors.As(err, &p) {
		return platform.Receipt{Outcome: p.Outcome, Reason: p.Reason, RetryAfter: p.RetryAfter}
	}
	return platform.Receipt{Outcome: platform.Delivered}
}

func (s *square) React(_ context.Context, room platform.Room, message, emoji string) platform.Receipt {
	return s.receipt("react %s %s %s", room.ID, message, emoji)
}

func (s *square) Unreact(_ context.Context, room platform.Room, message, emoji string) platform.Receipt {
	return s.receipt("unreact %s %s %s", room.ID, message, emoji)
}

func (s *square) Edit(_ context.Context, room platform.Room, post, text string) platform.Receipt {
	return s.receipt("edit %s %s %s", room.ID, post, text)
}

func (s *square) Delete(_ context.Context, room platform.Room, post string) platform.Receipt {
	return s.receipt("delete %s %s", room.ID, post)
}

func (s *square) Messages(_ context.Context, room platform.Room, page platform.Page) ([]platform.Message, error) {
	return s.messages, s.note("messages %s %d %s", room.ID, page.Most, page.Before)
}

func (s *square) Message(_ context.Context, room platform.Room, id string) (platform.Message, error) {
	if err := s.note("message %s %s", room.ID, id); err != nil {
		return platform.Message{}, err
	}
	return s.messages[0], nil
}

func (s *square) Pin(_ context.Context, room platform.Room, message string) error {
	return s.note("pin %s %s", room.ID, message)
}

func (s *square) Unpin(_ context.Context, room platform.Room, message string) error {
	return s.note("unpin %s %s", room.ID, message)
}

func (s *square) Pins(_ context.Context, room platform.Room) ([]platform.Message, error) {
	return s.messages, s.note("pins %s", room.ID)
}

func (s *square) Sweep(_ context.Context, room platform.Room, count int) (int, error) {
	return min(s.swept, count), s.note("sweep %s %d", room.ID, count)
}

func (s *square) Crosspost(_ context.Context, room platform.Room, message string) error {
	return s.note("crosspost %s %s", room.ID, message)
}

func (s *square) CreateThread(_ context.Context, t platform.NewThread) (platform.RoomInfo, error) {
	made := platform.RoomInfo{Room: platform.Room{Platform: s.name, ID: "t1"}, Name: t.Name}
	if strings.HasPrefix(t.Text, "unwritable") {
		return made, platform.Refuse("it may not write there")
	}
	if err := s.note("thread %s %q %q %q %d", t.Room.ID, t.Message, t.Name, t.Text, t.AutoArchiveMinutes); err != nil {
		return platform.RoomInfo{}, err
	}
	return made, nil
}

func (s *square) ArchivedThreads(context.Context, platform.Room, int) ([]platform.RoomInfo, error) {
	return nil, errors.ErrUnsupported
}

func (s *square) EditThread(context.Context, platform.Room, platform.ThreadChange) (platform.RoomInfo, error) {
	return platform.RoomInfo{}, errors.ErrUnsupported
}

func (s *square) FindRoom(_ context.Context, near platform.Room, name string) (platform.Room, error) {
	id, ok := map[string]string{"general": "r1", "#general": "r1", "<#r1>": "r1", "r1": "r1", "forum": "f1", "here": "here"}[name]
	if !ok {
		return platform.Room{}, platform.Refuse("there is no room called %q", name)
	}
	return platform.Room{Platform: near.Platform, ID: id}, nil
}

func (s *square) FindPerson(context.Context, platform.Room, string) (platform.Person, error) {
	return platform.Person{}, errors.ErrUnsupported
}

func (s *square) FindRole(context.Context, platform.Room, string) (platform.Role, error) {
	return platform.Role{}, errors.ErrUnsupported
}

func (s *square) RoomInfo(_ context.Context, room platform.Room) (platform.RoomInfo, error) {
	info := platform.RoomInfo{Room: room, Kind: platform.TextRoom}
	if room.ID == "f1" {
		info.Kind = platform.ForumRoom
	}
	return info, nil
}

func (s *square) Rooms(context.Context, platform.Room, string) ([]platform.RoomInfo, error) {
	return nil, errors.ErrUnsupported
}

func (s *square) CreateRoom(context.Context, platform.Room, platform.NewRoom) (platform.RoomInfo, error) {
	return platform.RoomInfo{}, errors.ErrUnsupported
}

func (s *square) EditRoom(context.Context, platform.Room, platform.RoomChange) (platform.RoomInfo, error) {
	return platform.RoomInfo{}, errors.ErrUnsupported
}

func (s *square) DeleteRoom(context.Context, platform.Room) error { return errors.ErrUnsupported }

// A kiosk is a square with buttons below its posts, which have to be opened.
type kiosk struct{ *square }

func (k kiosk) Open(_ context.Context, p platform.Post) platform.Receipt {
	return k.receipt("open %s", p.Room.ID)
}

func (k kiosk) EditChoices(_ context.Context, room platform.Room, post, text string, choices []string) platform.Receipt {
	return k.receipt("choices %s %s %q %q", room.ID, post, text, choices)
}

// A town has a square called discord, a kiosk called telegram on it, and a wall called
// signal, and sends posts.
type town struct {
	t      *testing.T
	square *square
	wall   wall
	others []platform.Room
	fail   error
}

func newTown(t *testing.T) *town {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return &town{t: t, wall: wall{name: "signal"}, square: &square{
		wall: wall{name: "discord", limits: platform.Limits{Text: 40}}, swept: 100,
		messages: []platform.Message{
			{ID: "m2", Author: platform.Person{ID: "u2", Name: "Aside", Bot: true}, Text: "Hello <b>Ada</b>", ReplyTo: "m1", At: at.Add(time.Minute)},
			{ID: "m1", Author: platform.Person{ID: "u1", Name: "Ada\nL."}, Text: "hello", At: at, Files: []platform.File{{Name: "../notes.txt"}}},
		},
	}}
}

func (w *town) Platform(name string) (platform.Platform, bool) {
	switch name {
	case "discord":
		return w.square, true
	case "telegram":
		return kiosk{w.square}, true
	case "signal":
		return w.wall, true
	}
	return nil, false
}

func (w *town) Send(_ context.Context, turn int64, post platform.Post) (string, error) {
	if w.fail == nil {
		w.square.log = append(w.square.log, fmt.Sprintf("send %d %s %s %q to %q", turn, post.Key, post.Room, post.Text, post.ReplyTo))
	}
	return "p1", w.fail
}

// run runs an action on a platform, as JSON with its type.
func (w *town) run(on, text string) action.Outcome {
	w.t.Helper()
	registry, err := action.NewRegistry(Specs(w, w, w.others...)...)
	if err != nil {
		w.t.Fatal(err)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(text, `{"type":"`), `"`)
	spec := registry.Find(name)
	if spec == nil {
		w.t.Fatalf("there is no action %q", name)
	}
	args, err := spec.Decode([]byte(text))
	if err != nil {
		return action.Fail("%v", err)
	}
	return spec.Run(w.t.Context(), action.Call{Turn: 3, Key: "k", Platform: on, Room: "here", Message: "m0", Person: "u1", Name: "Ada"}, args)
}
