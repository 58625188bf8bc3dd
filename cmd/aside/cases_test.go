package main

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// TestDiscordEveryActionEndsInEveryWayItCan carries out each action of the categories that
// have to do with Discord: as it should be, by somebody without the right, by a bot without
// the permission, at and beyond each limit, and on a platform that cannot do it.
func TestDiscordEveryActionEndsInEveryWayItCan(t *testing.T) {
	t.Parallel()
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	for category, rows := range caseCategories {
		t.Run(category, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			for _, w := range rows {
				spec := registry.Find(w.action)
				t.Run(w.action, func(t *testing.T) {
					t.Run("is done", func(t *testing.T) { w.isDone(t, r) })
					w.isRefused(t, r)
					w.isForbidden(t, r)
					t.Run("is done at its limits", func(t *testing.T) { w.isWithinLimits(t, r, spec) })
					t.Run("is not done beyond its limits", func(t *testing.T) { w.isBeyondLimits(t, r, spec) })
					for _, rule := range w.rules {
						t.Run("and "+rule.name, func(t *testing.T) { w.obeys(t, r, rule) })
					}
					w.isElsewhere(t, r, spec)
				})
			}
		})
	}
}

// perform has Grace ask for an instruction and confirm what has to be. It returns what came
// of it and what to leave out of a look: the questions and the answers.
func (p *place) perform(t *testing.T, w row, instruction string) (end store.Action, leave []string, text string) {
	t.Helper()
	room := w.room(p)
	messages := []string{p.ask(t, p.grace(), room, blockOf(p.fill(instruction)))}
	all := p.ledger(t, messages...)
	if len(all) != 1 {
		t.Fatalf("there are %d actions: %+v", len(all), all)
	}
	if all[0].State == store.Asked {
		messages = append(messages, p.confirm(t, p.grace(), room))
		all = p.ledger(t, messages[1])
		if len(all) != 1 {
			t.Fatalf("there are %d confirmed actions: %+v", len(all), all)
		}
	}
	ids, text := p.said(t, messages...)
	if !strings.HasPrefix(text, "Right away.") {
		t.Errorf("the text did not arrive: %q", text)
	}
	return all[0], append(ids, messages...), text
}

func (w row) isDone(t *testing.T, r *rig) {
	p := w.place(t, r)
	a, _, _ := p.perform(t, w, w.does)
	if a.State != store.Done {
		t.Fatalf("it came to %s: %s", a.State, a.Summary)
	}
	if wrong := w.happens(p, a); wrong != "" {
		t.Errorf("it is done, but: %s", wrong)
	}
}

// isRefused takes each right away that the person needs, one at a time.
func (w row) isRefused(t *testing.T, r *rig) {
	for _, right := range each(w.right) {
		t.Run(fmt.Sprintf("is not done for somebody without right %d", bits.TrailingZeros64(uint64(right))), func(t *testing.T) {
			p := w.place(t, r)
			p.deny(p.grace(), right, w.rightIn)
			room := w.room(p)
			before := r.discord.Look(p.guild)
			message := r.ask(t, p.grace(), room, blockOf(p.fill(w.does)))
			ids, text := r.said(t, message)
			all := r.ledger(t, message)
			if len(all) != 1 || all[0].State != store.Refused || all[0].Summary == "" {
				t.Fatalf("it came to %+v", all)
			}
			if !strings.HasPrefix(text, "Right away.") || !strings.Contains(text, "Refused: "+all[0].Summary) {
				t.Errorf("the reply is %q", text)
			}
			unchanged(t, before, r.discord.Look(p.guild, append(ids, message)...))
		})
	}
}

func unchanged(t *testing.T, before, after string) {
	t.Helper()
	if before != after {
		t.Errorf("something has changed. It was\n%s\nand is\n%s", before, after)
	}
}

// isForbidden takes each permission away that the bot needs, one at a time. Where it needs
// none, TestEveryActionAtDiscordHasARow has seen that the row says why.
func (w row) isForbidden(t *testing.T, r *rig) {
	for _, right := range each(w.bot) {
		t.Run(fmt.Sprintf("is not done by a bot without permission %d", bits.TrailingZeros64(uint64(right))), func(t *testing.T) {
			p := w.place(t, r)
			p.denyBot(right, w.botIn)
			before := r.discord.Look(p.guild)
			a, leave, text := p.perform(t, w, w.does)
			if a.State != store.Failed || !strings.Contains(a.Summary, "give its role") {
				t.Errorf("it came to %s: %s", a.State, a.Summary)
			}
			if !strings.Contains(text, "Failed: "+a.Summary) {
				t.Errorf("the reply is %q", text)
			}
			unchanged(t, before, r.discord.Look(p.guild, leave...))
		})
	}
}

// each are single rights.
func each(rights discordtest.Bits) []discordtest.Bits {
	var all []discordtest.Bits
	for ; rights != 0; rights &= rights - 1 {
		all = append(all, rights&-rights)
	}
	return all
}

// mostInReply is how many actions of a reply are carried out.
const mostInReply = 20

func (w row) isWithinLimits(t *testing.T, r *rig, spec *action.Spec) {
	p := w.place(t, r)
	inside, _ := limitsOf(t, spec, w, p)
	most := mostInReply
	if w.apart {
		most = 1
	}
	for at := 0; at < len(inside); at += most {
		if w.apart && at > 0 {
			p = w.place(t, r)
			inside, _ = limitsOf(t, spec, w, p)
		}
		batch := inside[at:min(at+most, len(inside))]
		for i, a := range w.askAll(t, r, p, batch) {
			if a.State != store.Done && a.State != store.Asked {
				t.Errorf("where %s, it came to %s: %s", batch[i].name, a.State, a.Summary)
			}
		}
	}
}

// askAll has Grace ask for several things at once.
func (w row) askAll(t *testing.T, r *rig, p *place, limits []limit) []store.Action {
	t.Helper()
	var instructions []string
	for _, l := range limits {
		instructions = append(instructions, l.does)
	}
	all := r.ledger(t, r.ask(t, p.grace(), w.room(p), blockOf(instructions...)))
	if len(all) != len(limits) {
		t.Fatalf("of %d instructions %d stand in the ledger", len(limits), len(all))
	}
	return all
}

func (w row) isBeyondLimits(t *testing.T, r *rig, spec *action.Spec) {
	p := w.place(t, r)
	_, outside := limitsOf(t, spec, w, p)
	for batch := range slices.Chunk(outside, mostInReply) {
		before := r.requests()
		for i, a := range w.askAll(t, r, p, batch) {
			if a.State != store.Failed || a.Summary != batch[i].says {
				t.Errorf("where %s, it came to %s: %s\nwant %s", batch[i].name, a.State, a.Summary, batch[i].says)
			}
		}
		if asked := r.requestsSince(before, w.room(p)); len(asked) > 0 {
			t.Errorf("Discord was asked for %q", asked)
		}
	}
}

// obeys sees that a rule holds that no single field tells.
func (w row) obeys(t *testing.T, r *rig, rule rule) {
	p := w.place(t, r)
	if rule.with != nil {
		rule.with(p)
	}
	look, before := r.discord.Look(p.guild), r.requests()
	a, leave, _ := p.perform(t, w, rule.does)
	if rule.says == "" {
		if a.State != store.Done {
			t.Errorf("it came to %s: %s", a.State, a.Summary)
		}
		return
	}
	if a.State != store.Failed && a.State != store.Refused || !strings.Contains(a.Summary, rule.says) {
		t.Errorf("it came to %s: %s\nwant %s", a.State, a.Summary, rule.says)
	}
	unchanged(t, look, r.discord.Look(p.guild, leave...))
	for _, asked := range r.requestsSince(before, w.room(p)) {
		switch answered := strings.Contains(asked, "/callback"); { // a slash command is answered
		case rule.knows == tried, answered:
		case rule.knows == lookedUp && strings.HasPrefix(asked, "GET "):
		default:
			t.Errorf("Discord was asked for %s", asked)
		}
	}
}

// isElsewhere carries an action out on the web page, where somebody is alone with the
// agent, and as if there were rooms with several people.
func (w row) isElsewhere(t *testing.T, r *rig, spec *action.Spec) {
	for _, direct := range []bool{true, false} {
		if !direct && !spec.Server {
			continue // it would be the same again
		}
		name := "in a room of a platform that cannot do it"
		if direct {
			name = "on the web page"
		}
		t.Run(name, func(t *testing.T) {
			id := strings.ToLower(fmt.Sprintf("%s-%v", w.action, direct))
			p := &place{rig: r, ids: map[string]string{"question": id}}
			does := w.does
			if w.onWeb != "" {
				does = w.onWeb
			}
			room := platform.Room{Platform: "web", ID: "room-" + id}
			write := func(id, text string) {
				m := platform.Message{
					Room: room, ID: id, Text: text,
					Author: platform.Person{ID: "you", Name: "you"}, At: time.Now(), Direct: direct, Mentioned: true,
				}
				if err := r.inbox.Receive(r.ctx, m); err != nil {
					t.Fatal(err)
				}
				r.settleMessage(t, id)
			}
			if strings.Contains(does, "{post}") {
				write(id+"-hello", r.model.will("Hello."))
				posts, _ := r.said(t, id+"-hello")
				p.ids["post"] = posts[0]
			}
			write(id, r.model.will(blockOf(p.fill(does))))
			all := r.ledger(t, id)
			if len(all) == 1 && all[0].State == store.Asked {
				write(id+"-confirm", "/confirm")
				all = r.ledger(t, id+"-confirm")
			}
			if len(all) != 1 {
				t.Fatalf("there are %d actions", len(all))
			}
			a := all[0]
			_, text := r.said(t, id, id+"-confirm")
			if !strings.HasPrefix(text, "Right away.") {
				t.Errorf("the text did not arrive: %q", text)
			}
			switch {
			case direct && spec.Server:
				if a.State != store.Refused || !strings.Contains(text, "Refused: "+w.action+" makes no sense in a direct chat") {
					t.Errorf("it came to %s: %s, and the text is %q", a.State, a.Summary, text)
				}
			case w.web == "":
				if a.State != store.Done {
					t.Errorf("it came to %s: %s", a.State, a.Summary)
				}
			case a.State != store.Failed || !strings.Contains(text, "Failed: web cannot "+w.web):
				t.Errorf("it came to %s: %s, and the text is %q", a.State, a.Summary, text)
			}
		})
	}
}
