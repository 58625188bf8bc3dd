package turn

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// listening is a stage in a room where the agent listens.
func listening(t *testing.T, reply script) *groupStage {
	t.Helper()
	g := newGroup(t, reply)
	g.inbox.Rules.Mode = func(platform.Message) inbox.Mode { return inbox.Listen }
	return g
}

// overhears has somebody write what mentions nobody, and waits for what comes of it.
func (g *groupStage) overhears(id, text string) *store.Turn {
	g.t.Helper()
	g.write("Ada", id, text)
	g.clock.add(debounce)
	g.settled(1)
	turns, err := g.Store.TurnsOf(g.t.Context(), "test", id)
	if err != nil || len(turns) == 0 {
		g.t.Fatalf("the turns are %v, %v", turns, err)
	}
	return turns[len(turns)-1]
}

func TestWhereTheAgentListensItActsAndSaysNothing(t *testing.T) {
	g := listening(t, say(`Interesting. <actions><react emoji="eyes"/></actions> [REMEMBER:likes tea] [CALCULATE:6*7] <action>{"type":"dance"}</action>`))
	turn := g.overhears("1", "I like tea")
	if got := g.room.texts("a"); len(got) != 0 {
		t.Errorf("posts are %q", got)
	}
	if !slices.Equal(g.room.reacted, []string{"1👀"}) {
		t.Errorf("reactions are %v", g.room.reacted)
	}
	if facts, err := g.Store.Facts(t.Context(), "test/Ada"); err != nil || len(facts) != 1 {
		t.Errorf("facts are %v, %v", facts, err)
	}
	if !turn.Silent || turn.Shown != "" || !strings.HasPrefix(turn.Reply, "Interesting.") {
		t.Errorf("the turn is %+v", turn)
	}
}

func TestWhereTheAgentListensOnlyAMentionIsAnswered(t *testing.T) {
	g := listening(t, echo)
	g.overhears("1", "hello everybody")
	g.write("Ada", "2", "and you?", func(m *platform.Message) { m.Mentioned = true })
	g.clock.add(debounce)
	g.settled(1)
	if got := g.room.texts("a"); !slices.Equal(got, []string{"You said Ada: and you?"}) {
		t.Errorf("posts are %q", got)
	}
}

func TestAMentionInABurstBreaksTheSilence(t *testing.T) {
	g := listening(t, echo)
	g.write("Ada", "1", "hello")
	g.write("Ada", "2", "you", func(m *platform.Message) { m.Mentioned = true })
	g.write("Ada", "3", "there")
	g.clock.add(debounce)
	g.settled(1)
	if got := g.room.texts("a"); !slices.Equal(got, []string{"You said Ada: hello\nyou\nthere"}) {
		t.Errorf("posts are %q", got)
	}
}

func TestTheModelIsToldThatNobodySeesItsWords(t *testing.T) {
	g := listening(t, echo)
	var requests []model.Request
	g.Model = requested(func(r model.Request) { requests = append(requests, r) })
	g.FollowupDepth = 1
	g.overhears("1", "hello")
	if len(requests) != 2 {
		t.Fatalf("the model was asked %d times", len(requests))
	}
	for i, r := range requests { // the follow-up, too
		if !strings.Contains(r.System, "nobody sees what you write") {
			t.Errorf("request %d does not say it: %s", i, r.System)
		}
	}
	if got := g.room.texts("a"); len(got) != 0 {
		t.Errorf("posts are %q", got)
	}
	requests = nil
	g.write("Ada", "2", "and you?", func(m *platform.Message) { m.Mentioned = true })
	g.clock.add(debounce)
	g.settled(1)
	if strings.Contains(requests[0].System, "nobody sees") {
		t.Error("it says so also where people see it")
	}
}

func TestNothingIsShownWhileTheAgentListens(t *testing.T) {
	g := listening(t, echo)
	now := time.Now()
	g.Now = func() time.Time { now = now.Add(time.Second); return now } // so that everything would be shown
	typed := 0
	g.Outbox.Platforms["test"] = busyRoom{g.room, &typed}
	g.Model = script(func(context.Context, string) (string, error) {
		return strings.Repeat("A long story. ", 50), &model.Error{Kind: model.Unavailable, Message: "The model is away."}
	})
	turn := g.overhears("1", "hello")
	if got := g.room.texts("a"); len(got) != 0 || typed != 0 {
		t.Errorf("posts are %q, and it typed %d times", got, typed)
	}
	if turn.Failure != "The model is away." || turn.Shown != "" {
		t.Errorf("the turn is %+v", turn)
	}
}

// busyRoom is a room that shows that somebody writes.
type busyRoom struct {
	*room
	times *int
}

func (t busyRoom) Typing(context.Context, platform.Room) error { *t.times++; return nil }

func TestTheAgentDoesNotSpeakByInstructionWhereItListens(t *testing.T) {
	for _, test := range []struct {
		name, reply string
		outcome     store.ActionState
	}{
		{"a message here", `<action>{"type":"sendMessage","content":"psst"}</action>`, store.Refused},
		{"a message here by name", `<action>{"type":"sendMessage","channel":"a","content":"psst"}</action>`, store.Refused},
		{"a question", `<action>{"type":"reactionPrompt","question":"Well?","choices":["👍","👎"]}</action>`, store.Refused},
		{"what would have to be confirmed", `<action>{"type":"deleteMessage","message":"1"}</action>`, store.Refused},
		{"a message elsewhere is none here", `<action>{"type":"sendMessage","channel":"b","content":"psst"}</action>`, store.Done},
		{"a reaction", `<action>{"type":"react","emoji":"eyes"}</action>`, store.Done},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := listening(t, say(test.reply))
			turn := g.overhears("1", "hello")
			actions, err := g.Store.Actions(t.Context(), turn.ID)
			if err != nil || len(actions) != 1 || actions[0].State != test.outcome {
				t.Errorf("the actions are %+v, %v", actions, err)
			}
			if got := g.room.texts("a"); len(got) != 0 {
				t.Errorf("posts are %q", got)
			}
		})
	}
}
