package polls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// A wall takes posts and nothing else, a board reactions as well, a booth polls.
type (
	wall  struct{ name string }
	board struct {
		wall
		log *[]string
		// refuse is the emoji that it does not take.
		refuse string
	}
	booth struct {
		wall
		polls *[]platform.Poll
		fail  platform.Receipt
	}
)

func (w wall) Name() string                                         { return w.name }
func (w wall) Limits() platform.Limits                              { return platform.Limits{} }
func (w wall) Run(context.Context, platform.Inbox) error            { return nil }
func (w wall) Post(context.Context, platform.Post) platform.Receipt { return platform.Receipt{} }

func (b board) React(_ context.Context, room platform.Room, message, emoji string) platform.Receipt {
	if emoji == b.refuse {
		return platform.Receipt{Outcome: platform.Refused, Reason: "it does not know this emoji"}
	}
	*b.log = append(*b.log, fmt.Sprintf("%s %s %s", room, message, emoji))
	return platform.Receipt{Outcome: platform.Delivered}
}

func (b board) Unreact(context.Context, platform.Room, string, string) platform.Receipt {
	return platform.Receipt{}
}

func (b booth) Poll(_ context.Context, poll platform.Poll) platform.Receipt {
	if b.fail.Reason != "" {
		return b.fail
	}
	*b.polls = append(*b.polls, poll)
	return platform.Receipt{Outcome: platform.Delivered, ID: "p1"}
}

func (b booth) FindRoom(_ context.Context, near platform.Room, name string) (platform.Room, error) {
	if name != "#general" {
		return platform.Room{}, platform.Refuse("there is no room called %q", name)
	}
	return platform.Room{Platform: near.Platform, ID: "r1"}, nil
}

func (b booth) FindPerson(context.Context, platform.Room, string) (platform.Person, error) {
	return platform.Person{}, errors.ErrUnsupported
}

func (b booth) FindRole(context.Context, platform.Room, string) (platform.Role, error) {
	return platform.Role{}, errors.ErrUnsupported
}

// A street has one of each.
type street struct {
	sent      []platform.Post
	id        string
	fail      error
	reactions []string
	polls     []platform.Poll
	refuse    string
	receipt   platform.Receipt
}

func (s *street) Platform(name string) (platform.Platform, bool) {
	switch name {
	case "signal":
		return wall{name}, true
	case "web":
		return board{wall{name}, &s.reactions, s.refuse}, true
	case "discord":
		return booth{wall{name}, &s.polls, s.receipt}, true
	}
	return nil, false
}

func (s *street) Send(_ context.Context, _ int64, post platform.Post) (string, error) {
	if s.fail != nil {
		return "", s.fail
	}
	s.sent = append(s.sent, post)
	return s.id, nil
}

func (s *street) run(t *testing.T, on, args string) action.Outcome {
	t.Helper()
	spec := Specs(s, s)[0]
	decoded, err := spec.Decode([]byte(args))
	if err != nil {
		return action.Fail("%v", err)
	}
	return spec.Run(t.Context(), action.Call{Key: "k", Platform: on, Room: "here"}, decoded)
}

const tea = `{"question":"Tea?","answers":["yes","no"]}`

func TestAPollIsPostedAsThePlatformDoesIt(t *testing.T) {
	for _, test := range []struct {
		name, args string
		want       platform.Poll
	}{
		{"here, for a day", tea, platform.Poll{Room: platform.Room{ID: "here"}, Answers: []string{"yes", "no"}, For: 24 * time.Hour}},
		{"in another room, for longer, with several choices", `{"question":"Tea?","choices":"yes, no","channel":"#general","allowMultiselect":"true","durationHours":"768"}`, platform.Poll{Room: platform.Room{ID: "r1"}, Answers: []string{"yes", "no"}, Several: true, For: 768 * time.Hour}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &street{}
			out := s.run(t, "discord", test.args)
			test.want.Key, test.want.Question, test.want.Room.Platform = "k", "Tea?", "discord"
			if !out.OK || out.Summary != `asked "Tea?"` || len(s.polls) != 1 || fmt.Sprint(s.polls[0]) != fmt.Sprint(test.want) || len(s.sent) > 0 {
				t.Errorf("%+v, %+v", out, s.polls)
			}
		})
	}
}

func TestWithoutPollsItIsAMessageWithNumbers(t *testing.T) {
	for _, test := range []struct {
		name, on, args, id string
		text               string
		reactions          []string
		summary            string
	}{
		{
			"that are put on it", "web", tea, "p1", "Tea?\n\n1️⃣ yes\n2️⃣ no\n\nReact with the number of your choice.",
			[]string{"web/here p1 1️⃣", "web/here p1 2️⃣"},
			`asked "Tea?" in a message, which stays open`,
		},
		{
			"of which several may be chosen", "web", `{"question":"Tea?","answers":["yes","no"],"allowMultiselect":true}`, "p1", "Tea?\n\n1️⃣ yes\n2️⃣ no\n\nReact with the numbers of your choices.",
			[]string{"web/here p1 1️⃣", "web/here p1 2️⃣"},
			`asked "Tea?" in a message, which stays open`,
		},
		{
			"to answer with", "signal", tea, "p1", "Tea?\n\n1️⃣ yes\n2️⃣ no\n\nAnswer with the number of your choice.",
			nil, `asked "Tea?" in a message, which stays open`,
		},
		{
			"to answer with, in another room", "signal", `{"question":"Tea?","answers":["yes","no"],"allowMultiselect":true,"channel":"r7"}`, "p1", "Tea?\n\n1️⃣ yes\n2️⃣ no\n\nAnswer with the numbers of your choices.",
			nil, `asked "Tea?" in a message, which stays open`,
		},
		{
			"that cannot be put on it", "web", tea, "", "Tea?\n\n1️⃣ yes\n2️⃣ no\n\nReact with the number of your choice.",
			nil, `asked "Tea?" in a message, which stays open; could not put the numbers on it: nobody knows which message it is`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &street{id: test.id}
			out := s.run(t, test.on, test.args)
			if !out.OK || out.Summary != test.summary || !slices.Equal(s.reactions, test.reactions) {
				t.Errorf("%+v, %q", out, s.reactions)
			}
			room := platform.Room{Platform: test.on, ID: "here"}
			if strings.Contains(test.args, "r7") {
				room.ID = "r7"
			}
			if len(s.sent) != 1 || s.sent[0].Text != test.text || s.sent[0].Key != "k" || s.sent[0].Room != room {
				t.Errorf("sent was %+v", s.sent)
			}
		})
	}
}

func TestTenAnswersHaveTenNumbers(t *testing.T) {
	s := &street{id: "p1"}
	s.run(t, "web", `{"question":"Which?","answers":["a","b","c","d","e","f","g","h","i","j"]}`)
	if len(s.reactions) != 10 || s.reactions[0] != "web/here p1 1️⃣" || s.reactions[8] != "web/here p1 9️⃣" || s.reactions[9] != "web/here p1 🔟" {
		t.Errorf("they are %q", s.reactions)
	}
}

func TestWhatIsWrongWithAPollIsSaid(t *testing.T) {
	for _, test := range []struct{ name, on, args, want string }{
		{"no question", "discord", `{"answers":["yes","no"]}`, "poll: question is missing"},
		{"a long question", "discord", `{"question":"` + strings.Repeat("é", 301) + `","answers":["yes","no"]}`, "poll: question needs at most 300 characters, got 301"},
		{"no answers", "discord", `{"question":"Tea?"}`, "poll: answers is missing"},
		{"one answer", "discord", `{"question":"Tea?","answers":["yes"]}`, "poll: answers needs 2 to 10 entries, got 1"},
		{"eleven answers", "discord", `{"question":"Tea?","answers":[1,2,3,4,5,6,7,8,9,10,11]}`, "poll: answers needs 2 to 10 entries, got 11"},
		{"a long answer", "discord", `{"question":"Tea?","answers":["yes","` + strings.Repeat("é", 56) + `"]}`, "poll: an entry of answers has at most 55 characters, got 56"},
		{"no time", "discord", `{"question":"Tea?","answers":["yes","no"],"durationHours":0}`, "poll: durationHours needs 1 to 768, got 0"},
		{"too much time", "discord", `{"question":"Tea?","answers":["yes","no"],"durationHours":769}`, "poll: durationHours needs 1 to 768, got 769"},
		{"a room that is not there", "discord", `{"question":"Tea?","answers":["yes","no"],"channel":"nowhere"}`, `there is no room called "nowhere"`},
		{"a platform that is not there", "telex", tea, "telex is not connected"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &street{id: "p1"}
			if out := s.run(t, test.on, test.args); out.OK || out.Summary != test.want || len(s.polls)+len(s.sent) > 0 {
				t.Errorf("%+v, want %q", out, test.want)
			}
		})
	}
}

func TestWhatAPlatformDoesNotDoIsSaidInItsWords(t *testing.T) {
	s := &street{receipt: platform.Receipt{Outcome: platform.Refused, Reason: "the bot may not do that"}}
	if out := s.run(t, "discord", tea); out.OK || out.Summary != "could not post the poll: the bot may not do that" {
		t.Errorf("%+v", out)
	}
	s = &street{fail: errors.New("the room is closed")}
	if out := s.run(t, "web", tea); out.OK || out.Summary != "could not post the poll: the room is closed" {
		t.Errorf("%+v", out)
	}
	s = &street{id: "p1", refuse: "2️⃣"}
	want := `asked "Tea?" in a message, which stays open; could not put the numbers on it: it does not know this emoji`
	if out := s.run(t, "web", tea); !out.OK || out.Summary != want {
		t.Errorf("%+v", out)
	}
}

func TestEveryActionIsDescribed(t *testing.T) {
	for _, spec := range Specs(nil, nil) {
		if spec.Category != "polls" || !strings.HasSuffix(spec.Description, ".") || strings.Contains(spec.Description+spec.Example, "\n") {
			t.Errorf("%s: %s: %q", spec.Name, spec.Category, spec.Description)
		}
		var example struct{ Type string }
		if err := json.Unmarshal([]byte(spec.Example), &example); err != nil || example.Type != spec.Name {
			t.Errorf("%s: the example is one of %q, %v", spec.Name, example.Type, err)
		}
		if args, err := spec.Decode([]byte(spec.Example)); err != nil || len(args.Warnings) > 0 {
			t.Errorf("%s: the example has %v, %q", spec.Name, err, args.Warnings)
		}
	}
}
