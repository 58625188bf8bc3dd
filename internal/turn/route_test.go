package turn

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A house has rooms: Ada may not write in the cellar, and there is no attic.
type house struct{ *room }

func (h house) FindRoom(_ context.Context, near platform.Room, name string) (platform.Room, error) {
	if name == "attic" {
		return platform.Room{}, platform.Refuse("there is no channel attic")
	}
	return platform.Room{Platform: near.Platform, ID: strings.TrimPrefix(name, "#")}, nil
}

func (h house) FindPerson(context.Context, platform.Room, string) (platform.Person, error) {
	return platform.Person{}, platform.Refuse("nobody is here")
}

func (h house) FindRole(context.Context, platform.Room, string) (platform.Role, error) {
	return platform.Role{}, platform.Refuse("nobody is anything")
}

func (h house) May(_ context.Context, _ string, _ platform.Right, room platform.Room) (bool, error) {
	return room.ID != "cellar", nil
}

func TestAReplyIsBroughtToItsRooms(t *testing.T) {
	long := strings.Repeat("word ", 70)
	for _, c := range []struct {
		name  string
		reply string
		posts []string // room: text
		error bool
	}{
		{"each text goes to its room", `[{"channel":"#kitchen","content":"Tea."},{"channel":"hall","content":"Boots."}]`, []string{"kitchen: Tea.", "hall: Boots."}, false},
		{"in a fence", "```json\n[{\"channel\":\"kitchen\",\"content\":\"Tea.\"}]\n```", []string{"kitchen: Tea."}, false},
		{"with an instruction beside it", `[CALCULATE:6*7] [{"channel":"kitchen","content":"Tea."}]`, []string{"kitchen: Tea.", "a: Done: 6*7 = 42"}, false},
		{"an id as a number", `[{"channel":12345678901234567890,"content":"Tea."}]`, []string{"12345678901234567890: Tea."}, false},
		{"nothing", `[]`, nil, false},
		{"a text that is empty", `[{"channel":"kitchen","content":" "}]`, nil, false},
		{"no reply", `<no-reply/>`, nil, false},
		{"words", `Tea is ready.`, []string{"a: Tea is ready."}, true},
		{"words behind it", `[{"channel":"kitchen","content":"Tea."}] Done.`, []string{`a: [{"channel":"kitchen","content":"Tea."}] Done.`}, true},
		{"an entry without a channel", `[{"content":"Tea."}]`, []string{`a: [{"content":"Tea."}]`}, true},
		{"no list", `{"channel":"kitchen","content":"Tea."}`, []string{`a: {"channel":"kitchen","content":"Tea."}`}, true},
		{"one room is not there", `[{"channel":"attic","content":"Dust."},{"channel":"hall","content":"Boots."}]`, []string{"hall: Boots.", "a: (For attic, but it could not be posted there: there is no channel attic)\nDust."}, true},
		{"one room is not for Ada", `[{"channel":"cellar","content":"Coal."},{"channel":"hall","content":"Boots."}]`, []string{"hall: Boots.", "a: (For cellar, but it could not be posted there: you may not write messages there)\nCoal."}, true},
		{"one room is not for the agent", `[{"channel":"closed","content":"Psst."},{"channel":"hall","content":"Boots."}]`, []string{"hall: Boots.", "a: (For closed, but it could not be posted there: the agent is not to be talked to in that room)\nPsst."}, true},
		{"no room will do", `[{"channel":"attic","content":"Dust."},{"channel":"cellar","content":"Coal."}]`, []string{`a: [{"channel":"attic","content":"Dust."},{"channel":"cellar","content":"Coal."}]`}, true},
		{"one room refuses it", `[{"channel":"wall","content":"Nail."},{"channel":"hall","content":"Boots."}]`, []string{"hall: Boots.", "a: (For wall, but it could not be posted there: it is a wall)\nNail."}, false},
		{"every room refuses it", `[{"channel":"wall","content":"Nail."}]`, []string{`a: [{"channel":"wall","content":"Nail."}]`}, false},
		{"a text that is too long for a post", `[{"channel":"hall","content":"` + long + `"}]`, []string{"hall: " + strings.TrimSpace(strings.Repeat("word ", 39)), "hall: " + strings.TrimSpace(strings.Repeat("word ", 31))}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newDialogue(t, &dialogue{replies: []string{c.reply}})
			s.room.refuse = func(p platform.Post) *platform.Receipt {
				if p.Room.ID == "wall" {
					return &platform.Receipt{Outcome: platform.Refused, Reason: "it is a wall"}
				}
				return nil
			}
			s.Outbox.Platforms["test"] = house{s.room}
			s.Allowed = func(m platform.Message) bool { return m.Room.ID != "closed" }
			turn := s.errand(store.Errand{Key: "c", Flow: "cron", Text: "Tell them.", Brief: store.Brief{Routing: "json"}})
			var got []string
			for _, p := range s.room.posts {
				got = append(got, p.Room.ID+": "+strings.TrimSpace(p.Text))
			}
			if len(c.posts) == 2 && strings.HasPrefix(c.posts[0], "hall: word") { // where it is cut is the splitter's
				if len(got) < 2 || strings.Count(strings.Join(got, " "), "word") != 70 {
					t.Errorf("posts are %q", got)
				}
				return
			}
			if !slices.Equal(got, c.posts) {
				t.Errorf("posts are %q, want %q", got, c.posts)
			}
			if is := turn.Output == string(output.Error); is != c.error {
				t.Errorf("it counts as %s: %s", turn.Output, turn.OutputWhy)
			}
		})
	}
}

func TestWhatAnErrandIsToSayOnlyIfThereIsSomething(t *testing.T) {
	for _, c := range []struct {
		name, reply, want string
	}{
		{"there is nothing", `<no-reply/>`, ""},
		{"there is nothing, and something was done", `<no-reply/> [CALCULATE:6*7]`, ""},
		{"there is nothing, and something failed", `<no-reply/> [CALCULATE:6*x]`, "Failed: "},
		{"there is something", `News. [CALCULATE:6*7]`, "News.\n\nDone: 6*7 = 42"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newDialogue(t, &dialogue{replies: []string{c.reply, `<no-reply/>`, `<no-reply/>`, `<no-reply/>`}})
			s.errand(store.Errand{Key: "c", Flow: "cron", Text: "Look.", Brief: store.Brief{Quiet: true}})
			got := strings.Join(s.room.texts("a"), "|")
			if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
				t.Errorf("posted %q, want %q", got, c.want)
			}
		})
	}
}

func TestWhatHasToBeConfirmedIsRefusedWhereNobodyCanBeAsked(t *testing.T) {
	s := newDialogue(t, &dialogue{replies: []string{"[CALCULATE:6*7]"}})
	s.Policy.Confirm = []string{"search"}
	s.errand(store.Errand{Key: "c", Flow: "deferral", Text: "Look."})
	ledger, err := s.Store.Actions(t.Context(), s.turns("c")[0].ID)
	if err != nil || len(ledger) != 1 || ledger[0].State != store.Refused || !strings.Contains(ledger[0].Summary, "nobody can be asked") {
		t.Errorf("%+v, %v", ledger, err)
	}
}
