package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/discordtest"
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
	t.Parallel()
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	for _, crash := range crashes {
		t.Run(crash.name, func(t *testing.T) {
			t.Parallel()
			crash.survived(t, registry, caseCategories)
		})
	}
}

// TestDiscordActionsSurviveACrashInTheirMiddle ends an engine between the requests of every
// action that makes more than one.
func TestDiscordActionsSurviveACrashInTheirMiddle(t *testing.T) {
	t.Parallel()
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	type held struct {
		*struck
		name    string
		arrived <-chan struct{}
	}
	var all []held
	for _, rows := range caseCategories {
		for _, w := range rows {
			count := w.changes(t, r)
			for i := 1; i < count; i++ {
				p := w.place(t, r)
				all = append(all, held{&struck{row: w, place: p}, fmt.Sprintf("%s after change %d of %d", w.action, i, count), p.holdChange(i, w.room(p))})
			}
		}
	}
	if len(all) == 0 {
		t.Fatal("there is no action that makes two changes")
	}
	for _, h := range all {
		h.begin(t, registry.Find(h.action).Destructive)
	}
	for _, h := range all {
		select {
		case <-h.arrived:
		case <-r.ctx.Done():
			t.Fatalf("%s does not come so far", h.name)
		}
	}
	r.end(0)
	r.start(nil)
	for _, h := range all {
		t.Run(h.name, func(t *testing.T) {
			r.settleMessage(t, h.message)
			if repeatable := registry.Find(h.action).Repeatable; repeatable {
				h.check(t, crash{ran: true}, repeatable)
				return
			}
			ledger := r.ledger(t, h.message)
			if _, text := r.said(t, h.message); ledger[0].State != store.Unknown || !strings.Contains(text, "it may or may not have happened") {
				t.Errorf("it came to %s, and the reply is %q", ledger[0].State, text)
			}
		})
	}
}

// isChange tells whether a request is to change something in a place, other than by the
// reply to who asked in a room.
func (p *place) isChange(room *discordtest.Channel, method, path string) bool {
	reply := method == http.MethodPost && path == "/channels/"+room.ID+"/messages"
	if method == http.MethodGet || strings.HasSuffix(path, "/typing") || strings.Contains(path, "/callback") || reply {
		return false
	}
	if strings.Contains(path, p.guild.ID) {
		return true
	}
	for _, c := range p.discord.Channels() {
		if c.GuildID == p.guild.ID && strings.HasPrefix(path, "/channels/"+c.ID) {
			return true
		}
	}
	return false
}

// changes is how many requests an action takes that change something.
func (w row) changes(t *testing.T, r *rig) int {
	t.Helper()
	p := w.place(t, r)
	before := r.requests()
	p.perform(t, w, w.does)
	count := 0
	for _, q := range r.discord.AllRequests()[before:] {
		if p.isChange(w.room(p), q.Method, q.Path) {
			count++
		}
	}
	return count
}

// holdChange leaves the so-manieth change in a place without an answer.
func (p *place) holdChange(n int, room *discordtest.Channel) (arrived <-chan struct{}) {
	// It is asked with the server's lock held, so rooms that are made meanwhile are not
	// known: they are found by what else there is.
	known := map[string]bool{p.guild.ID: true}
	for _, c := range p.rooms {
		known[c.ID] = true
	}
	return p.discord.HoldWhen(func(method, path string) bool {
		parts := strings.Split(path, "/")
		if len(parts) < 3 || !known[parts[2]] || method == http.MethodGet || strings.HasSuffix(path, "/typing") ||
			method == http.MethodPost && path == "/channels/"+room.ID+"/messages" {
			return false
		}
		n--
		return n == 0
	}, true)
}

// A struck one is an action in a place of its own that a crash interrupts.
type struck struct {
	row
	place   *place
	message string // whose turn does it
	leave   []string
}

func (c crash) survived(t *testing.T, registry *action.Registry, categories map[string][]row) {
	r := prepareRig(t)
	moment := &crashing{crash: c}
	r.start(moment.around)
	var all []*struck
	for _, rows := range categories {
		for _, w := range rows {
			all = append(all, &struck{row: w, place: w.place(t, r)})
		}
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
		if !strings.Contains(text, "Unclear: "+s.action+" was interrupted; it may or may not have happened") {
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
