package messaging

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// A pinboard keeps prompts, and notes in a town's log when.
type pinboard struct {
	town *town
	kept []Prompt
	fail error
}

func (b *pinboard) Ask(_ context.Context, p Prompt) error {
	if b.fail == nil {
		b.kept = append(b.kept, p)
		b.town.square.log = append(b.town.square.log, "keep "+p.Key)
	}
	return b.fail
}

func ask(t *testing.T, w *town, b *pinboard, on string, direct bool, args string) action.Outcome {
	t.Helper()
	spec := ReactionPrompt(w, w, b)
	read, err := spec.Decode([]byte(args))
	if err != nil {
		return action.Fail("%v", err)
	}
	return spec.Run(t.Context(), action.Call{Turn: 3, Key: "k", Platform: on, Room: "here", Message: "m0", Person: "u1", Direct: direct}, read)
}

func TestAPromptIsPostedKeptAndOfferedInThatOrder(t *testing.T) {
	const listed = "Ship it?\n\n1. 👍\n2. ❤️\n\nAnswer with a number."
	for _, test := range []struct {
		name, on string
		direct   bool
		text     string
		offers   []string
		listed   bool
	}{
		{"in a room", "discord", false, "Ship it?", []string{"react here p1 👍", "react here p1 ❤️"}, false},
		{"in a direct chat, where it can be answered with a number as well", "discord", true, listed, []string{"react here p1 👍", "react here p1 ❤️"}, true},
		{"where nobody can react", "signal", false, listed, nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTown(t)
			w.square.limits.Text = 100
			b := &pinboard{town: w}
			out := ask(t, w, b, test.on, test.direct, `{"question":"Ship it?","choices":[":+1:","❤"],"timeoutSeconds":"60"}`)
			did := append([]string{fmt.Sprintf("send 3 k %s/here %q to %q", test.on, test.text, ""), "keep k"}, test.offers...)
			if !out.OK || out.Summary != `asked "Ship it?"` || !slices.Equal(w.square.log, did) {
				t.Errorf("%+v; it did %q", out, w.square.log)
			}
			p := b.kept[0]
			if p.Room != (platform.Room{Platform: test.on, ID: "here"}) || p.Post != "p1" || p.Person != "u1" || p.Question != "Ship it?" ||
				!slices.Equal(p.Choices, []string{"👍", "❤️"}) || p.Listed != test.listed || p.For != time.Minute {
				t.Errorf("kept is %+v", p)
			}
		})
	}
}

func TestAPromptHasButtonsWhereThePlatformHasEnough(t *testing.T) {
	for _, test := range []struct {
		name    string
		direct  bool
		buttons int
		fail    error
		ok      bool
		says    string
		did     []string
	}{
		{"in a room", false, 2, nil, true, `asked "Ship it?"`, []string{`send 3 k telegram/here "Ship it?" to ""`, "keep k", `choices here p1 "Ship it?" ["👍" "❤"]`}},
		{"in a direct chat, without numbers", true, 9, nil, true, `asked "Ship it?"`, []string{`send 3 k telegram/here "Ship it?" to ""`, "keep k", `choices here p1 "Ship it?" ["👍" "❤"]`}},
		{"as reactions if there are more choices", false, 1, nil, true, `asked "Ship it?"`, []string{`send 3 k telegram/here "Ship it?" to ""`, "keep k", "react here p1 👍", "react here p1 ❤"}},
		{"and says so if they cannot be shown", false, 2, platform.Refuse("it may not"), false, "asked, but could not put the choices on it: it may not", []string{`send 3 k telegram/here "Ship it?" to ""`, "keep k"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTown(t)
			w.square.limits.Choices, w.square.fail = test.buttons, test.fail
			b := &pinboard{town: w}
			out := ask(t, w, b, "telegram", test.direct, `{"question":"Ship it?","choices":[":+1:","❤"]}`)
			if out.OK != test.ok || out.Summary != test.says || !slices.Equal(w.square.log, test.did) || b.kept[0].Listed {
				t.Errorf("%+v; it did %q; kept is %+v", out, w.square.log, b.kept)
			}
		})
	}
}

func TestAnAnswerToAPromptCountsForADayUnlessItIsSaid(t *testing.T) {
	w := newTown(t)
	b := &pinboard{town: w}
	if out := ask(t, w, b, "discord", false, `{"question":"Ship it?","choices":"👍,👎"}`); !out.OK || b.kept[0].For != 24*time.Hour {
		t.Errorf("%+v; kept is %+v", out, b.kept)
	}
}

func TestAPromptThatCannotBeAskedSaysWhy(t *testing.T) {
	for _, test := range []struct{ name, on, args, want string }{
		{"one choice", "discord", `{"question":"?","choices":["👍"]}`, "reactionPrompt: choices needs 2 to 9 entries, got 1"},
		{"ten choices", "discord", `{"question":"?","choices":"a,b,c,d,e,f,g,h,i,j"}`, "reactionPrompt: choices needs 2 to 9 entries, got 10"},
		{"no question", "discord", `{"choices":["👍","👎"]}`, "reactionPrompt: question is missing"},
		{"a choice that is no emoji", "discord", `{"question":"?","choices":["yes please","👎"]}`, `there is no emoji called "yes please"; use its character`},
		{"the same choice twice", "discord", `{"question":"?","choices":["❤","❤️"]}`, "reactionPrompt: ❤️ is twice among the choices"},
		{"hardly any time", "discord", `{"question":"?","choices":["👍","👎"],"timeoutSeconds":1}`, "reactionPrompt: timeoutSeconds needs 10 to 604800, got 1"},
		{"a question that does not fit", "discord", `{"question":"` + strings.Repeat("x", 41) + `","choices":["👍","👎"]}`, "could not ask: its content has 41 characters, and discord takes 40"},
		{"a platform that is not there", "telex", `{"question":"?","choices":["👍","👎"]}`, "telex is not connected"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTown(t)
			b := &pinboard{town: w}
			if out := ask(t, w, b, test.on, false, test.args); out.OK || out.Summary != test.want || len(w.square.log) > 0 {
				t.Errorf("%+v; it did %q", out, w.square.log)
			}
		})
	}
}

func TestWhatGoesWrongWhileAPromptIsAskedIsSaid(t *testing.T) {
	for _, test := range []struct {
		name   string
		spoil  func(w *town, b *pinboard)
		direct bool
		ok     bool
		want   string
	}{
		{"it cannot be posted", func(w *town, _ *pinboard) { w.fail = errors.New("the room is closed") }, false, false, "could not ask: the room is closed"},
		{"it cannot be kept", func(_ *town, b *pinboard) { b.fail = errors.New("disk full: /data/x") }, false, false, "asked, but no answer will be noticed: nothing can be stored at the moment"},
		{"nothing can be put on it", func(w *town, _ *pinboard) { w.square.fail = platform.Refuse("it may not react") }, false, false, "asked, but could not put the choices on it: it may not react"},
		{"numbers do as well", func(w *town, _ *pinboard) { w.square.fail = platform.Refuse("no") }, true, true, `asked "?"; could not put 👍 on it: no; could not put 👎 on it: no`},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTown(t)
			b := &pinboard{town: w}
			test.spoil(w, b)
			if out := ask(t, w, b, "discord", test.direct, `{"question":"?","choices":["👍","👎"]}`); out.OK != test.ok || out.Summary != test.want {
				t.Errorf("%+v", out)
			}
		})
	}
}
