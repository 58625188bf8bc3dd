package turn

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func TestWhoHasReachedTheDailyLimitIsToldOnceAndNotAnswered(t *testing.T) {
	g := newGroup(t, echo)
	limited := func(m platform.Message) []store.Limit {
		return []store.Limit{{Whose: "person test/" + m.Author.ID, Most: 2, Why: "too many", Notice: "Enough for today."}}
	}
	g.inbox.Rules.Limits = limited
	direct := func(m *platform.Message) { m.Direct = true }
	for i := range 3 {
		g.write("Ada", fmt.Sprint(i), fmt.Sprint("text ", i), direct)
		g.settled(1)
	}
	g.write("Ada", "3", "more", direct)
	g.write("Ada", "3", "more", direct) // delivered again
	g.write("Ada", "4", "/missed", direct)
	g.settled(1)
	g.stop(10 * time.Second)

	again := newGroupOn(t, g.Store, g.clock, g.room, echo)
	again.inbox.Rules = inbox.Rules{Limits: limited, Command: IsCommand}
	again.write("Ada", "5", "a restart changes nothing", direct)
	again.write("Bob", "6", "hello", direct)
	again.settled(1)
	want := []string{"You said text 0", "You said text 1", "Enough for today.", "Nothing was missed.", "You said hello"}
	if got := g.room.texts("a"); !slices.Equal(got, want) {
		t.Errorf("posts are %q, want %q", got, want)
	}
	turns, err := g.Store.TurnsOf(t.Context(), "test", "3")
	if err != nil || len(turns) != 1 || turns[0].Stage != store.Settled || turns[0].Unanswered != "too many" {
		t.Errorf("the turns are %+v, %v", turns, err)
	}
}
