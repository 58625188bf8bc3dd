package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

const query = `<action>{"type":"recallAll"}</action>`

// newCorrected is a stage whose model gives these replies; while it is asked for the first
// time, people write.
func newCorrected(t *testing.T, replies []string, meanwhile ...platform.Message) (*stage, *dialogue) {
	t.Helper()
	d := &dialogue{replies: replies}
	s := newContinuing(t, d)
	s.Corrects = true
	wrote := false
	s.Model = script(func(ctx context.Context, asked string) (string, error) {
		reply, err := d.next(ctx, asked)
		if !wrote {
			wrote = true
			for _, m := range meanwhile {
				if err := s.inbox.Receive(t.Context(), m); err != nil {
					t.Error(err)
				}
			}
		}
		return reply, err
	})
	return s, d
}

// answers are the posts of a room with what they reply to.
func (r *room) answers() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for _, p := range r.posts {
		all = append(all, p.ReplyTo+": "+p.Text)
	}
	return all
}

func TestACorrectionReachesTheRunningTurnBetweenItsSteps(t *testing.T) {
	tests := []struct {
		name    string
		replies []string
		seen    bool // the first reply is shown as it comes
		want    []string
	}{
		{"before a follow-up", []string{"Looking. " + query, "It is the other one."}, false, []string{"1: Looking.", "2: It is the other one."}},
		{"before a continuation", []string{"Let me check.", "It is the other one."}, false, []string{"2: It is the other one."}},
		{"below a status update that stands there", []string{"Let me check.", "It is the other one."}, true, []string{"1: Let me check.", "2: It is the other one."}},
		{"and is acknowledged", []string{"Looking. " + query, "OK."}, false, []string{"1: Looking.", "2: OK."}},
		{"and what follows goes on below it", []string{"Looking. " + query, "The other one: " + query, "42."}, false, []string{"1: Looking.", "2: The other one:\n\n42."}},
		{"and is continued below it", []string{"Let me check.", "Searching…", "42."}, true, []string{"1: Let me check.", "2: 42."}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, d := newCorrected(t, test.replies, message("a", "2", "no, the other one"))
			if test.seen {
				now := time.Now()
				s.Now = func() time.Time { now = now.Add(time.Second); return now }
			}
			s.start()
			s.say("a", "1", "which one?")
			if got := s.settled(2); !slices.Equal(got, []string{"1", "2"}) {
				t.Errorf("settled were %v", got)
			}
			if got := s.room.answers(); !slices.Equal(got, test.want) {
				t.Errorf("the answers are %q, want %q", got, test.want)
			}
			if asked := d.wasAsked(); asked[1] != AddedMark+" Meanwhile the person has written:\nno, the other one" || len(asked) != len(test.replies) {
				t.Errorf("the model was asked %q", asked)
			}
			chain, joined := s.turns("1"), s.turns("2")
			if len(joined) != len(chain) || joined[0].Joined != chain[1].ID || joined[0].Stage != store.Settled {
				t.Errorf("the correction's turns are %+v", joined)
			}
			history, err := s.Store.Exchanges(t.Context(), "test/a", 0, 1<<60, 10)
			if err != nil || len(history) != 1 || history[0].Text != "which one?\nno, the other one" || history[0].Answer != chain[len(chain)-1].Shown {
				t.Errorf("the history is %+v, %v", history, err)
			}
			for _, turn := range chain {
				posts, err := s.Store.Posts(t.Context(), turn.ID)
				if err != nil || slices.ContainsFunc(posts, func(p store.Post) bool { return p.State != store.Delivered }) {
					t.Errorf("the posts of turn %d are %+v, %v", turn.ID, posts, err)
				}
			}
		})
	}
}

func TestWhatCannotJoinARunningTurnIsTheNextOne(t *testing.T) {
	with := func(change func(*platform.Message)) platform.Message {
		m := message("a", "2", "no, the other one")
		change(&m)
		return m
	}
	tests := []struct {
		name      string
		meanwhile []platform.Message
		joined    []string // ids of those that join all the same
	}{
		{"another person's message", []platform.Message{with(func(m *platform.Message) { m.Author.ID = "bob" })}, nil},
		{"a command", []platform.Message{with(func(m *platform.Message) { m.Text = "/missed" })}, nil},
		{"what comes after a command", []platform.Message{with(func(m *platform.Message) { m.Text = "/missed" }), message("a", "3", "please")}, nil},
		{"a reaction", []platform.Message{with(func(m *platform.Message) {
			m.Text, m.ReplyTo, m.Reaction = "", "1", &platform.Reaction{Emoji: "👍", To: platform.Message{At: time.Now()}}
		})}, nil},
		{"a message with a file", []platform.Message{with(func(m *platform.Message) { m.Files = []platform.File{platform.NewFile("a.txt", "", []byte("a"))} })}, nil},
		{"but another person's message keeps nobody from it", []platform.Message{with(func(m *platform.Message) { m.Author.ID = "bob" }), message("a", "3", "please")}, []string{"3"}},
		{"and neither does it keep a change of what was asked", []platform.Message{with(func(m *platform.Message) { m.Author.ID = "bob" }), {
			Room: platform.Room{Platform: "test", ID: "a"}, ID: "1-edit", Edits: "1", Author: message("a", "1", "").Author, Direct: message("a", "1", "").Direct,
			Text: "which two?", At: time.Now().Add(time.Hour),
		}}, []string{"1-edit"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, _ := newCorrected(t, []string{"Looking. " + query, "First."}, test.meanwhile...)
			s.start()
			s.say("a", "1", "which one?")
			s.settled(1 + len(test.meanwhile))
			for _, m := range test.meanwhile {
				turns := s.turns(m.ID)
				if joined := turns[0].Joined != 0; joined != slices.Contains(test.joined, m.ID) || turns[0].Stage != store.Settled {
					t.Errorf("message %s has %+v", m.ID, turns[0])
				}
			}
			if n := len(s.room.texts("a")); n < 2 {
				t.Errorf("posts are %q", s.room.texts("a"))
			}
		})
	}
}

func TestACorrectionIsNotDroppedWhenTheAgentHasJustLeftItsLoop(t *testing.T) {
	s, d := newCorrected(t, []string{"The first one.", "The other one."}, message("a", "2", "no, the other one"))
	s.start()
	s.say("a", "1", "which one?")
	s.settled(2)
	if got := s.room.answers(); !slices.Equal(got, []string{"1: The first one.", "2: The other one."}) {
		t.Errorf("the answers are %q, asked was %q", got, d.wasAsked())
	}
}

func TestACorrectionWhoseTurnFailsIsATurnOfItsOwn(t *testing.T) {
	s, d := newCorrected(t, []string{"Looking. " + query}, message("a", "2", "no, the other one"))
	inner := s.Model
	fails := true
	s.Model = script(func(ctx context.Context, asked string) (string, error) {
		if strings.HasPrefix(asked, AddedMark) && fails {
			fails = false
			return "", &model.Error{Kind: model.Broken, Message: "The model cannot be reached."}
		}
		if strings.HasPrefix(asked, "no, ") {
			return "The other one.", nil
		}
		return inner.(script)(ctx, asked)
	})
	s.start()
	s.say("a", "1", "which one?")
	s.settled(2)
	if got := s.room.answers(); !slices.Equal(got, []string{"1: Looking.\n\nThe model cannot be reached.", "2: The other one."}) {
		t.Errorf("the answers are %q, asked was %q", got, d.wasAsked())
	}
}

func TestACorrectionWaitsUntilTheReplyThatAnswersItIsStored(t *testing.T) {
	for _, reply := range []string{"The other one.", "The other one. [REMEMBER:it]"} {
		for steps := range 8 {
			t.Run(fmt.Sprintf("%s, killed after step %d", reply, steps), func(t *testing.T) {
				m := script(func(_ context.Context, asked string) (string, error) {
					if strings.HasPrefix(asked, AddedMark) {
						return reply, nil
					}
					return "Looking. " + query, nil
				})
				first := newStage(t, storetest.Dir(t), m)
				first.Corrects, first.FollowupDepth = true, 1
				for _, id := range []string{"1", "2"} {
					if _, err := first.Store.Receive(t.Context(), message("a", id, "message "+id), true); err != nil {
						t.Fatal(err)
					}
				}
				for range steps {
					turn, err := first.Store.NextTurn(t.Context(), "test/a")
					if err != nil || turn == nil {
						break
					}
					if err := first.Step(t.Context(), turn); err != nil {
						t.Fatal(err)
					}
				}
				// One more that is cut off while it asks.
				dying, kill := context.WithCancel(t.Context())
				cut := newStageOn(t, first.Store, first.room, script(func(ctx context.Context, _ string) (string, error) { kill(); return "Half", ctx.Err() }))
				cut.Corrects, cut.FollowupDepth = true, 1
				if turn, err := first.Store.NextTurn(t.Context(), "test/a"); err == nil && turn != nil && turn.Stage == store.Waiting {
					if err := cut.Step(dying, turn); !errors.Is(err, context.Canceled) {
						t.Fatalf("it was not cut off: %v", err)
					}
				}
				kill()
				second := newStageOn(t, first.Store, first.room, m)
				second.Corrects, second.FollowupDepth = true, 1
				second.start()
				second.untilSettled("1")
				second.untilSettled("2")
				got := second.room.answers()
				if len(got) != 2 || got[0] != "1: Looking." || !strings.HasPrefix(got[1], "2: The other one.") {
					t.Errorf("the answers are %q", got)
				}
				if joined := second.turns("2"); len(joined) != 2 || joined[0].Joined != joined[1].ID {
					t.Errorf("the correction's turns are %+v", joined)
				}
			})
		}
	}
}

func TestStopBetweenTwoTurnsStopsTheChain(t *testing.T) {
	s, d := newCorrected(t, []string{"Looking. " + query, "Never asked for."}, message("a", "2", "/stop"))
	s.inbox.Stop = func(string, int64) {} // it comes when nothing runs that could be cancelled
	s.start()
	s.say("a", "1", "which one?")
	s.settled(2)
	if got := s.room.answers(); !slices.Equal(got, []string{"1: Looking.\n\nStopped.", "2: Stopped."}) || len(d.wasAsked()) != 1 {
		t.Errorf("the answers are %q, asked was %q", got, d.wasAsked())
	}
}
