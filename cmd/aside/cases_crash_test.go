package main

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/store"
)

// A crash is a moment at which an engine ends: it has begun with an action, and its outcome
// was not stored.
type crash struct {
	name string
	ran  bool // whether the action has had its effect by then
}

var crashes = []crash{{"before it has an effect", false}, {"after it had its effect", true}}

// TestDiscordActionsSurviveACrash ends an engine in the middle of every action at once and
// has another one go on with the same data. What may be repeated has had its effect once,
// as if nothing had happened; what may not is reported as unknown and not done again.
func TestDiscordActionsSurviveACrash(t *testing.T) {
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	for category, rows := range caseCategories {
		for _, crash := range crashes {
			t.Run(category+" "+crash.name, func(t *testing.T) {
				t.Parallel()
				crash.survived(t, registry, rows)
			})
		}
	}
}

// A struck one is an action in a place of its own that a crash interrupts.
type struck struct {
	row
	place   *place
	message string // whose turn does it
	leave   []string
}

func (c crash) survived(t *testing.T, registry *action.Registry, rows []row) {
	r := prepareRig(t)
	moment := &crashing{crash: c}
	r.start(moment.around)
	var all []*struck
	for _, w := range rows {
		all = append(all, &struck{row: w, place: w.place(t, r)})
	}
	moment.from(len(all))
	for _, s := range all {
		s.begin(t, registry.Find(s.action).Destructive)
	}
	select {
	case <-moment.arrived:
	case <-r.ctx.Done():
		t.Fatalf("of %d actions %d have begun", len(all), moment.count)
	}
	r.end(0)

	r.start(nil)
	t.Cleanup(func() { r.end(10 * time.Second) })
	for _, s := range all {
		t.Run(s.action, func(t *testing.T) {
			r.settleMessage(t, s.message)
			s.check(t, c, registry.Find(s.action).Repeatable)
		})
	}
}

// begin has an action begun, and confirmed where it has to be.
func (s *struck) begin(t *testing.T, destructive bool) {
	t.Helper()
	p := s.place
	s.message = p.write(p.grace(), s.room(p), blockOf(p.fill(s.does)))
	if destructive {
		p.settleMessage(t, s.message)
		ids, _ := p.said(t, s.message)
		s.leave = append(ids, s.message)
		s.message = p.discord.Invoke(p.grace(), s.room(p), "confirm", nil)
	}
}

func (s *struck) check(t *testing.T, c crash, repeatable bool) {
	t.Helper()
	p := s.place
	all := p.ledger(t, s.message)
	if len(all) != 1 {
		t.Fatalf("there are %d actions: %+v", len(all), all)
	}
	ids, text := p.said(t, s.message)
	look := p.discord.Look(p.guild, slices.Concat(p.leave, s.leave, ids, []string{s.message})...)
	want, state := s.looks(t, repeatable || c.ran), store.Done
	if !repeatable {
		state = store.Unknown
		if !strings.Contains(text, "Failed: "+s.action+" was interrupted; it may or may not have happened") {
			t.Errorf("the reply is %q", text)
		}
	}
	if all[0].State != state {
		t.Errorf("it came to %s: %s", all[0].State, all[0].Summary)
	}
	if look != want {
		t.Errorf("it looks like\n%s\nand should look like\n%s", look, want)
	}
	if repeatable {
		if wrong := s.happens(p, all[0]); wrong != "" {
			t.Errorf("it is done, but: %s", wrong)
		}
	}
}

// looks is how a place looks with the action done, or not done, by an engine that did not
// crash.
func (s *struck) looks(t *testing.T, done bool) string {
	t.Helper()
	p := s.row.place(t, s.place.rig)
	if !done {
		return p.discord.Look(p.guild, p.leave...)
	}
	_, leave, _ := p.perform(t, s.row, s.does)
	return p.discord.Look(p.guild, slices.Concat(p.leave, leave)...)
}

// Crashing is how an engine is to end: when so many actions have come as far as the crash
// wants them.
type crashing struct {
	crash

	mu      sync.Mutex
	want    int // 0 lets everything pass
	count   int
	arrived chan struct{}
}

// from lets the engine end when so many more actions have begun.
func (m *crashing) from(actions int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.want, m.arrived = actions, make(chan struct{})
}

func (m *crashing) around(run action.Runner) action.Runner {
	return func(ctx context.Context, c action.Call, args action.Args) action.Outcome {
		m.mu.Lock()
		strikes := m.want > 0
		m.mu.Unlock()
		var out action.Outcome
		if m.ran || !strikes {
			out = run(ctx, c, args)
		}
		if strikes {
			m.strike()
			<-ctx.Done() // the engine ends, and nobody hears of the outcome
		}
		return out
	}
}

func (m *crashing) strike() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.count++; m.count == m.want {
		close(m.arrived)
	}
}
