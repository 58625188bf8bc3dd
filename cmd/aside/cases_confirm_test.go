package main

import (
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/store"
)

// TestDiscordDestructiveActionsWaitForWhoAsked asks for each of them, and answers in every
// way there is.
func TestDiscordDestructiveActionsWaitForWhoAsked(t *testing.T) {
	t.Parallel()
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	for category, rows := range caseCategories {
		t.Run(category, func(t *testing.T) {
			t.Parallel()
			var destructive []row
			for _, w := range rows {
				if registry.Find(w.action).Destructive {
					destructive = append(destructive, w)
				}
			}
			if destructive == nil {
				return
			}
			r := newRig(t)
			for _, w := range destructive {
				t.Run(w.action, func(t *testing.T) {
					w.waits(t, r)
					w.isNotAutomatic(t, r)
				})
			}
		})
	}
}

// A confirmation is what somebody does about a question, and which message that was.
type confirmation struct {
	name string
	give func(t *testing.T, p *place, room *discordtest.Channel, post string) (message string)
	done bool
	over bool // the question is answered: nobody can say yes to it any more
}

var confirmations = []confirmation{
	{"by the command", func(t *testing.T, p *place, room *discordtest.Channel, _ string) string {
		return p.confirm(t, p.grace(), room)
	}, true, true},
	{"by a tick", func(t *testing.T, p *place, room *discordtest.Channel, post string) string {
		return p.react(t, p.grace(), room, post, "✅")
	}, true, true},
	{"by a tick twice", func(t *testing.T, p *place, room *discordtest.Channel, post string) string {
		first := p.react(t, p.grace(), room, post, "✅")
		p.discord.Unreact(p.grace(), room, post, "✅")
		p.confirm(t, p.grace(), room)
		return first
	}, true, true},
	{"not by a cross", func(t *testing.T, p *place, room *discordtest.Channel, post string) string {
		return p.react(t, p.grace(), room, post, "❌")
	}, false, true},
	{"not by somebody else's tick", func(t *testing.T, p *place, room *discordtest.Channel, post string) string {
		return p.react(t, p.user("eve"), room, post, "✅")
	}, false, false},
	{"not by somebody else's command", func(t *testing.T, p *place, room *discordtest.Channel, _ string) string {
		return p.confirm(t, p.user("eve"), room)
	}, false, false},
	{"not by the owner's tick", func(t *testing.T, p *place, room *discordtest.Channel, post string) string {
		return p.react(t, p.user("olga"), room, post, "✅")
	}, false, false},
	{"not by a tick on another post", func(t *testing.T, p *place, room *discordtest.Channel, _ string) string {
		hello := p.ask(t, p.grace(), room, "Hello.")
		posts, _ := p.said(t, hello)
		return p.react(t, p.grace(), room, posts[0], "✅")
	}, false, false},
}

// waits asks for an action that destroys something, and answers the question.
func (w row) waits(t *testing.T, r *rig) {
	for _, answer := range confirmations {
		t.Run("is confirmed "+answer.name, func(t *testing.T) {
			p := w.place(t, r)
			room := w.room(p)
			before := r.discord.Look(p.guild)
			question := r.ask(t, p.grace(), room, blockOf(p.fill(w.does)))
			posts, text := r.said(t, question)
			if all := r.ledger(t, question); len(all) != 1 || all[0].State != store.Asked || !strings.Contains(text, "Confirm: "+w.action) {
				t.Fatalf("it came to %+v, and the reply is %q", all, text)
			}
			unchanged(t, before, r.discord.Look(p.guild, append(posts, question)...))
			count := r.requests()
			message := answer.give(t, p, room, posts[0])
			if answer.done {
				all := r.ledger(t, message)
				if len(all) != 1 || all[0].State != store.Done {
					t.Fatalf("it came to %+v", all)
				}
				if wrong := w.happens(p, all[0]); wrong != "" {
					t.Errorf("it is done, but: %s", wrong)
				}
			}
			writes := 0
			for _, asked := range r.requestsSince(count, room) {
				if !strings.HasPrefix(asked, "GET ") && !strings.Contains(asked, "/callback") {
					writes++
				}
			}
			if want := map[bool]int{true: 1, false: 0}[answer.done]; writes != want {
				t.Errorf("Discord was asked for %d changes: %q", writes, r.requestsSince(count, room))
			}
			waiting := r.ledger(t, question)[0].State == store.Asked
			if waiting == answer.over {
				t.Errorf("whether it still waits is %v", waiting)
			}
		})
	}
}

// isNotAutomatic asks for the same where nobody can confirm it.
func (w row) isNotAutomatic(t *testing.T, r *rig) {
	for _, flow := range []action.Flow{action.OnCron, action.OnDeferral, action.OnLoop, action.OnPlan, action.OnSpawn} {
		t.Run("is not done in a "+string(flow), func(t *testing.T) {
			p := w.place(t, r)
			room := w.room(p)
			before := r.discord.Look(p.guild)
			message := r.askIn(t, flow, p.grace(), room, blockOf(p.fill(w.does)))
			posts, text := r.said(t, message)
			all := r.ledger(t, message)
			if len(all) != 1 || all[0].State != store.Refused || !strings.Contains(text, "Refused: "+all[0].Summary) {
				t.Errorf("it came to %+v, and the reply is %q", all, text)
			}
			unchanged(t, before, r.discord.Look(p.guild, append(posts, message)...))
		})
	}
}
