package mark_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
)

// Whatever happens in whatever order, and wherever a process is killed: when everything has
// come to rest, each message has the mark that tells what became of it, and no other.
func TestMarksAtRestAreTheTruth(t *testing.T) {
	for _, one := range []bool{false, true} {
		t.Run(map[bool]string{false: "reactor", true: "marker"}[one], func(t *testing.T) {
			c := &clock{now: noon}
			s, err := store.Open(t.Context(), "sqlite", storetest.Dir(t), c.Now)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			run := 0
			rapid.Check(t, func(t *rapid.T) {
				run++ // each has rooms and messages of its own
				m := &model{world: newWorldOn(t, s, one, newFake(name), c), run: run, truths: map[string]*truth{}, turn: map[string]*store.Turn{}}
				m.play(t)
			})
		})
	}
}

// endings are those that a turn may have.
var endings = []end{
	{posts: []store.PostState{store.Delivered}},
	{posts: []store.PostState{store.Delivered, store.Delivered}},
	{},
	{posts: []store.PostState{store.Dead}},
	{posts: []store.PostState{store.Delivered, store.Late}},
	{failure: "The model could not answer.", posts: []store.PostState{store.Delivered}},
	{failure: store.StoppedByPerson, posts: []store.PostState{store.Delivered}},
	{output: "completion", posts: []store.PostState{store.Delivered}},
	{output: "question", posts: []store.PostState{store.Delivered}},
	{output: "blocker", posts: []store.PostState{store.Delivered}},
	{ask: true, posts: []store.PostState{store.Delivered}},
	{react: "🎉", posts: []store.PostState{store.Delivered}},
	{react: "👀"},
	{react: "🏆"},
	{react: "🎉", failure: "The model could not answer."},
}

// A truth is what the model knows of a message that stands in a room.
type truth struct {
	session string
	runs    []mark.Wanted // of the message and of its changes; the last one counts
	own     []string      // what the agent has put on it in that run
	before  []string      // and in earlier ones
	gone    bool          // the message was deleted

	settled, said, lost, asked bool
	last                       end
}

// want is what stands there in the end.
func (x *truth) want(one bool) []string {
	if x.gone {
		return nil
	}
	glyph := "👍"
	switch bad := x.last.output == "blocker" || x.last.failure != "" && x.last.failure != store.StoppedByPerson; {
	case x.lost || bad:
		glyph = "😱"
	case x.asked || x.last.output == "question":
		glyph = ""
	case x.said:
		glyph = "🏆"
	}
	if len(x.own) > 0 && one && glyph != "😱" {
		return x.own[len(x.own)-1:]
	}
	var all []string
	if glyph != "" {
		all = append(all, glyph)
	}
	if !one {
		all = append(all, x.own...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

type model struct {
	*world
	truths map[string]*truth // by what stands in the room
	order  []string
	turn   map[string]*store.Turn // that is running, by session
	run    int
	next   int
}

func (m *model) play(t *rapid.T) {
	defer m.crash() // also if it has failed
	m.dies(none)
	rooms := []string{fmt.Sprint("a", m.run), fmt.Sprint("b", m.run)}
	sessions := rapid.SampledFrom(rooms)
	faults := rapid.SliceOfN(rapid.SampledFrom([]fault{none, none, lost, answered, limited, failed}), 0, 4)
	message := func(t *rapid.T) string {
		if len(m.order) == 0 {
			t.Skip("there is no message")
		}
		return rapid.SampledFrom(m.order).Draw(t, "message")
	}
	t.Repeat(map[string]func(*rapid.T){
		"receive": func(t *rapid.T) {
			m.fake.fail(faults.Draw(t, "faults")...)
			m.comes(sessions.Draw(t, "session"), "")
		},
		"change": func(t *rapid.T) {
			id := message(t)
			m.comes(m.truths[id].session, id)
		},
		"begin": func(t *rapid.T) { m.begins(sessions.Draw(t, "session")) },
		"settle": func(t *rapid.T) {
			session := sessions.Draw(t, "session")
			if !m.begins(session) {
				m.comes(session, "")
				m.begins(session)
			}
			if rapid.Bool().Draw(t, "when the marks stand") {
				m.keeper.Rest()
			}
			m.fake.fail(faults.Draw(t, "faults")...)
			m.ends(session, rapid.SampledFrom(endings).Draw(t, "ending"), rapid.IntRange(0, 3).Draw(t, "followed by") == 0)
		},
		"late mark": func(t *rapid.T) {
			w := rapid.SampledFrom(m.truths[message(t)].runs).Draw(t, "run")
			if rapid.Bool().Draw(t, "received") {
				w.Mark = mark.Received
				m.keeper.Want(w)
				return
			}
			m.keeper.Begin(w, m.clock.Now())
		},
		"crash": func(t *rapid.T) {
			m.dies(rapid.SampledFrom([]fault{none, hangs, doneHangs}).Draw(t, "in the middle of"))
		},
		"look": func(t *rapid.T) { m.look(time.Duration(rapid.IntRange(1, 60).Draw(t, "seconds")) * time.Second) },
		"delete": func(t *rapid.T) {
			id := message(t)
			m.truths[id].gone = true
			m.fake.remove(id)
		},
		"rest": func(t *rapid.T) { m.compare() },
	})
	for _, session := range rooms {
		for m.begins(session) {
			m.ends(session, endings[0], false)
		}
	}
	m.compare()
	m.keeper.Stop(context.Background())
	left, err := store.Marks{Store: m.store}.Unshown(context.Background(), m.clock.Now())
	m.check(err)
	for _, w := range left {
		if slices.Contains(rooms, w.Room.ID) {
			t.Errorf("not known to stand: %+v", w)
		}
	}
}

// comes has a message come in, or a change of one.
func (m *model) comes(session, edits string) {
	m.next++
	id := fmt.Sprintf("%d-m%d", m.run, m.next)
	m.receive(session, id, edits)
	turns, err := m.store.TurnsOf(context.Background(), name, id)
	m.check(err)
	stands := turns[0].Message.Stands()
	x := m.truths[stands]
	if x == nil {
		x = &truth{session: session}
		m.truths[stands] = x
		m.order = append(m.order, stands)
	}
	*x = truth{
		session: session, gone: x.gone, before: append(x.before, x.own...),
		runs: append(x.runs, mark.Wanted{Message: turns[0].Number, Room: room(session), Stands: stands}),
	}
}

// begins takes up the next turn, unless one is running.
func (m *model) begins(session string) bool {
	if m.turn[session] == nil {
		m.turn[session] = m.begin(session)
	}
	return m.turn[session] != nil
}

// ends settles the turn that is running, perhaps with one that follows it.
func (m *model) ends(session string, e end, follows bool) {
	turn := m.turn[session]
	if turn == nil {
		return
	}
	delete(m.turn, session)
	if follows {
		e.tell = "[results]"
	}
	m.settle(turn, e)
	x := m.truths[turn.Message.Stands()]
	if x.runs[len(x.runs)-1].Message != turn.Number { // the person has changed it since
		if e.react != "" {
			x.before = append(x.before, e.react)
		}
		return
	}
	if e.react != "" {
		x.own = append(slices.DeleteFunc(x.own, func(own string) bool { return own == e.react }), e.react)
	}
	for _, state := range e.posts {
		x.said, x.lost = x.said || state == store.Delivered, x.lost || state != store.Delivered
	}
	x.asked, x.last, x.settled = x.asked || e.ask, e, !follows
}

// dies kills the keeper, perhaps in the middle of a request, and starts another one.
func (m *model) dies(in fault) {
	if in != none {
		m.fake.fail(in)
	}
	m.crash()
	m.fake.mend()
	m.maxAge = 1000 * time.Hour
	m.start()
}

// compare compares what stands on the messages that are settled with the truth.
func (m *model) compare() {
	m.t.Helper()
	m.keeper.Rest()
	for _, id := range m.order {
		x := m.truths[id]
		if !x.settled {
			continue
		}
		want := x.want(m.one)
		got := slices.DeleteFunc(m.fake.there(id), func(emoji string) bool {
			return slices.Contains(x.before, emoji) && !slices.Contains(want, emoji)
		})
		if !slices.Equal(got, want) {
			m.t.Fatalf("on %s are %q, want %q", id, got, want)
		}
	}
}
