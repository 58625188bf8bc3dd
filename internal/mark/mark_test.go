package mark_test

import (
	"testing"

	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/platform"
)

func TestTheFinalMarkIsWhatHappened(t *testing.T) {
	for _, test := range []struct {
		name  string
		facts mark.Facts
		want  mark.Mark
	}{
		{"nothing to say", mark.Facts{}, mark.Success},
		{"a reply that was delivered", mark.Facts{Delivered: 1}, mark.Complete},
		{"a reply in three posts", mark.Facts{Delivered: 3}, mark.Complete},
		{"a completion without words", mark.Facts{Output: "completion"}, mark.Success},
		{"a completion", mark.Facts{Output: "completion", Delivered: 1}, mark.Complete},
		{"a status update that nobody continued", mark.Facts{Output: "status update", Delivered: 1}, mark.Complete},
		{"a reply that was refused", mark.Facts{Lost: 1}, mark.Error},
		{"the second half of a reply was refused", mark.Facts{Delivered: 1, Lost: 1}, mark.Error},
		{"a completion that was not delivered", mark.Facts{Output: "completion", Lost: 1}, mark.Error},
		{"a question that was not delivered", mark.Facts{Output: "question", Lost: 1}, mark.Error},
		{"what was stopped could not be delivered", mark.Facts{Stopped: true, Lost: 1}, mark.Error},
		{"the model failed, and an apology was delivered", mark.Facts{Failed: true, Delivered: 1}, mark.Error},
		{"an error", mark.Facts{Output: "error", Delivered: 1}, mark.Error},
		{"a blocker", mark.Facts{Output: "blocker", Delivered: 1}, mark.Error},
		{"the model failed though something waits", mark.Facts{Failed: true, Asked: true, Delivered: 1}, mark.Error},
		{"a question", mark.Facts{Output: "question", Delivered: 1}, mark.None},
		{"an action that waits to be confirmed", mark.Facts{Asked: true, Delivered: 1}, mark.None},
		{"a completion with an action that waits", mark.Facts{Output: "completion", Asked: true, Delivered: 1}, mark.None},
		{"stopped by a person in the middle of a reply", mark.Facts{Stopped: true, Delivered: 1}, mark.Complete},
		{"stopped by a person before there were words", mark.Facts{Stopped: true}, mark.Success},
		{"stopped by a person, and taken for an error", mark.Facts{Stopped: true, Output: "error", Delivered: 1}, mark.Complete},
		{"it was not for the agent", mark.Facts{Output: mark.PassedOver}, mark.None},
		{"what the reply is taken for is not known", mark.Facts{Output: "something new", Delivered: 1}, mark.Complete},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := mark.Final(test.facts); got != test.want {
				t.Errorf("the mark is %s, want %s", got, test.want)
			}
		})
	}
}

// picky takes some emoji only.
type picky struct {
	platform.Platform
	near map[string]string
}

func (p picky) Nearest(emoji string) string { return p.near[emoji] }

func TestGlyphsAreCheckedAgainstWhatEachPlatformTakes(t *testing.T) {
	all := map[string]string{"👀": "👀", "🤔": "🤔", "👍": "👍", "🏆": "🏆", "😱": "😱", "❤️": "❤", "✅": "👌"}
	with := func(change func(*mark.Glyphs)) mark.Glyphs {
		g := glyphs
		change(&g)
		return g
	}
	for _, test := range []struct {
		name   string
		glyphs mark.Glyphs
		of     mark.Mark
		want   string
	}{
		{"the defaults", glyphs, "", ""},
		{"one that is spelt with an invisible character", with(func(g *mark.Glyphs) { g.Success = "❤️" }), "", ""},
		{"one with another one near it", with(func(g *mark.Glyphs) { g.Complete = "✅" }), mark.Complete, "telegram does not take ✅ as a reaction; the nearest one that it takes is 👌, or switch marks off with reactions.marks: false"},
		{"one with nothing near it", with(func(g *mark.Glyphs) { g.Received = "🦕" }), mark.Received, "telegram does not take 🦕 as a reaction; choose one that it offers, or switch marks off with reactions.marks: false"},
	} {
		t.Run(test.name, func(t *testing.T) {
			of, got := test.glyphs.Check(map[string]platform.Platform{"telegram": picky{near: all}, "discord": newFake("discord").asReactor()})
			if of != test.of || got != test.want {
				t.Errorf("%s: %q, want %s: %q", of, got, test.of, test.want)
			}
		})
	}
}

func TestWhatStandsWhereTheAgentHasReactedItself(t *testing.T) {
	own := []string{"🔥", "🎉"}
	for _, test := range []struct {
		name string
		mark mark.Mark
		own  []string
		one  bool
		want string
	}{
		{"its reaction instead of a trophy, where there is room for one", mark.Complete, own, true, "🎉"},
		{"its reaction instead of a thumb", mark.Success, own, true, "🎉"},
		{"its reaction while a person is waited for", mark.None, own, true, "🎉"},
		{"an error all the same", mark.Error, own, true, "😱"},
		{"both, where there is room for both", mark.Complete, own, false, "🏆"},
		{"the mark, where it has put nothing there", mark.Complete, nil, true, "🏆"},
		{"nothing while a person is waited for", mark.None, nil, true, ""},
		{"the error's for a message that nobody takes up", mark.Stalled, nil, true, "😱"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := glyphs.Shown(mark.Wanted{Mark: test.mark, Own: test.own}, test.one); got != test.want {
				t.Errorf("there is %q, want %q", got, test.want)
			}
		})
	}
}

var glyphs = mark.Glyphs{Received: "👀", Processing: "🤔", Success: "👍", Complete: "🏆", Error: "😱"}
