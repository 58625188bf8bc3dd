package inbox_test

import (
	"context"
	"testing"

	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/platform"
)

func TestWhoeverUsesACommandIsToldWhetherItIsHeard(t *testing.T) {
	const (
		stranger = "You are not on the list of people I talk to."
		notHere  = "I do not listen here."
	)
	in, _, _, _ := newGuarded(t)
	in.Rules.Allowed = func(m platform.Message) bool { return m.Room.ID != "closed" }
	in.Rules.Mode = func(m platform.Message) inbox.Mode {
		if m.Room.ID == "off" {
			return inbox.Off
		}
		return inbox.Mention
	}
	for _, test := range []struct {
		name, who, room string
		direct, bot     bool
		want            string
	}{
		{"somebody who was let in", "ada", "dm-ada", true, false, "OK"},
		{"somebody on the list, in a group", "owner", "a", false, false, "OK"},
		{"a stranger", "eve", "dm-eve", true, false, stranger},
		{"a stranger in a group", "eve", "a", false, false, stranger},
		{"somebody in a room that the agent is not in", "owner", "closed", false, false, notHere},
		{"a stranger there, who learns nothing more", "eve", "closed", false, false, notHere},
		{"somebody where groups are off", "owner", "off", false, false, notHere},
		{"a bot", "owner", "a", false, true, notHere},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := from(test.who, "1", "/confirm")
			m.Room.ID, m.Direct, m.Author.Bot = test.room, test.direct, test.bot
			if got := platform.AnswerTo(t.Context(), in, m); got != test.want {
				t.Errorf("they are told %q, want %q", got, test.want)
			}
		})
	}
	t.Run("somebody while the store does not answer", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got := platform.AnswerTo(ctx, in, from("eve", "1", "/stop")); got == "OK" || got == stranger {
			t.Errorf("they are told %q", got)
		}
	})
}
