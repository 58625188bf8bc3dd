package main

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/internal/store"
)

// TestTortureMarks plays random scenes at each platform's server with the real adapter:
// people write, correct themselves, change what they wrote, stop and confirm; replies have
// words or none, fail, wait, are held back; the platform refuses posts, asks to wait, and
// loses answers; and everything ends at any moment and begins again. When all has come to
// rest, each message has the one mark that is true.
//
// A scene follows from its number. make torture plays many; ASIDE_TORTURE is how many.
func TestTortureMarks(t *testing.T) {
	t.Parallel()
	for name, at := range markPlaces() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newMarkWorld(t, at(t))
			w.start()
			for number := range tortureKills(4) {
				if !t.Run(fmt.Sprint("scene ", number), func(t *testing.T) { w.play(t, markScenes().Example(number)) }) {
					break // what is left of it would fail the next one, too
				}
			}
			w.t = t
			w.crash()
			t.Log(w.seen)
		})
	}
}

// A markStep is something that happens.
type markStep struct {
	Do    string
	Room  int
	Who   int
	Plan  markPlan
	Held  bool // the model waits with its answer
	Which int  // of what there is
	Fault markFault
}

func (s markStep) String() string {
	return fmt.Sprintf("%s room=%d who=%d plan=%q held=%t which=%d fault=%d", s.Do, s.Room, s.Who, s.Plan, s.Held, s.Which, s.Fault)
}

func markScenes() *rapid.Generator[[]markStep] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) markStep {
		return markStep{
			Do: rapid.SampledFrom([]string{
				"write", "write", "write", "write", "write", "write", "burst", "change", "change", "stop", "write and stop", "confirm", "confirm no",
				"react", "onward", "refuse", "fault", "fault", "crash", "crash while people write", "rest",
			}).Draw(t, "do"),
			Room: rapid.IntRange(0, 1).Draw(t, "room"), Who: rapid.IntRange(0, 1).Draw(t, "who"),
			Plan: rapid.SampledFrom(markPlans()).Draw(t, "plan"), Held: rapid.IntRange(0, 3).Draw(t, "held") == 0,
			Which: rapid.IntRange(0, 9).Draw(t, "which"), Fault: markFault(rapid.IntRange(0, int(faults)-1).Draw(t, "fault")),
		}
	}), 12, 24)
}

// A written message stands in a room.
type written struct {
	room     markRoom
	who      int
	id, text string
}

// A markScene is what has happened in one.
type markScene struct {
	*markWorld
	rooms []markRoom
	all   []*written
	gates []chan struct{}

	reacted map[string]bool // posts
}

func (w *markWorld) play(t *testing.T, steps []markStep) {
	w.t = t
	s := &markScene{markWorld: w, rooms: w.place.rooms(), reacted: map[string]bool{}}
	for _, room := range s.rooms {
		s.write(room, markStep{Plan: planAnswers}, false)
	}
	s.compare() // of a direct chat that nobody has ever heard of, Discord does not tell later
	for i, step := range steps {
		t.Logf("%d %s", i, step)
		s.do(step)
	}
	s.compare()
	// Whoever comes next finds nothing to mend.
	w.end(10 * time.Second)
	w.start()
	s.compare()
}

func (s *markScene) do(step markStep) {
	s.t.Helper()
	room := s.rooms[step.Room]
	switch step.Do {
	case "write":
		s.write(room, step, step.Held)
	case "burst":
		for range 3 {
			s.write(room, step, false)
		}
	case "change":
		s.change(step)
	case "stop":
		s.say(room, step.Who, "/stop")
	case "write and stop":
		s.write(room, step, step.Held)
		s.say(room, step.Who, "/stop")
	case "confirm":
		s.say(room, step.Who, "/confirm")
	case "confirm no":
		s.say(room, step.Who, "/confirm no")
	case "react":
		s.react(room, step)
	case "onward":
		s.onward()
	case "refuse":
		s.place.refuse()
	case "fault":
		s.place.fail(step.Fault)
	case "crash":
		s.crash()
		s.start()
	case "crash while people write":
		s.crash()
		s.write(room, step, false)
		s.start()
	case "rest":
		s.compare()
	}
}

func (s *markScene) write(room markRoom, step markStep, held bool) {
	var gate chan struct{}
	if held {
		gate = make(chan struct{})
		s.gates = append(s.gates, gate)
	}
	s.say(room, step.Who, s.model.newMessage(step.Plan, gate))
}

func (s *markScene) say(room markRoom, who int, text string) {
	s.all = append(s.all, &written{room, who, room.write(who, text), text})
}

// change has somebody change what they wrote. That it was received is waited for: of a
// change that comes while nobody is there, not every platform tells later.
func (s *markScene) change(step markStep) {
	s.t.Helper()
	if len(s.all) == 0 {
		return
	}
	m := s.all[step.Which%len(s.all)]
	s.hears(m.room, m.id, m.text)
	m.text = s.model.newMessage(step.Plan, nil)
	m.room.rewrite(m.who, m.id, m.text)
	s.hears(m.room, m.id, m.text)
}

// react has somebody put an emoji on a post, once.
func (s *markScene) react(room markRoom, step markStep) {
	ids, _ := room.posts()
	if len(ids) == 0 {
		return
	}
	on := ids[step.Which%len(ids)]
	if !s.reacted[on] {
		s.reacted[on] = true
		room.react(step.Who, on, "🎉")
	}
}

// onward lets the model answer that has waited.
func (s *markScene) onward() {
	for _, gate := range s.gates {
		close(gate)
	}
	s.gates = nil
}

// compare compares what stands on each message with what has become of it.
func (s *markScene) compare() {
	s.t.Helper()
	s.onward()
	for _, m := range s.all {
		s.hears(m.room, m.id, m.text)
	}
	s.rest()
	turns := map[string][]*store.Turn{}
	for _, room := range s.rooms {
		turns[room.ID] = s.turnsIn(room)
	}
	for _, m := range s.all {
		x := s.truthOf(m.room, turns[m.room.ID], m.id)
		want := x.wants(glyphs(s.config), s.place.one)
		got := slices.DeleteFunc(slices.Sorted(slices.Values(m.room.on(m.id))), func(emoji string) bool {
			return slices.Contains(x.before, emoji) && !slices.Contains(want, emoji)
		})
		s.seen[fmt.Sprint(want)]++
		if !slices.Equal(got, want) {
			s.t.Errorf("on %q (%s) in %s are %q, want %q: %s", m.text, m.id, m.room.ID, got, want, x.told)
		}
	}
	if s.t.Failed() {
		s.t.Fatalf("%s", s.log.end(20_000))
	}
}
