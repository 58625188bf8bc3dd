package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/turn"
)

// A truth is what has become of a message, as the platform's server knows it.
type truth struct {
	facts  mark.Facts
	own    []string // what the agent itself has put on it
	before []string // and because of an earlier version of it
	marked bool     // it may have a mark at all
	told   string   // how all that is known
}

// truthOf finds out about a message that stands in a room. The store tells which turns have
// answered it; what they were to say is the plan's, and what was said the server's.
func (w *markWorld) truthOf(room markRoom, turns []*store.Turn, id string) (x truth) {
	w.t.Helper()
	var latest int64
	for _, t := range turns {
		if t.Message.Reaction == nil && t.Message.Stands() == id {
			latest = max(latest, t.Number)
		}
	}
	if latest == 0 {
		return x
	}
	x.marked = true
	for _, t := range turns {
		if t.Number != latest && t.Message.Stands() == id {
			x.before = append(x.before, w.reactions(t)...)
		}
	}
	chain := w.chain(turns, latest)
	if chain[0].Message.Stands() == id {
		for _, t := range chain {
			for _, emoji := range w.reactions(t) {
				x.own = append(slices.DeleteFunc(x.own, func(e string) bool { return e == emoji }), emoji)
			}
		}
	}
	w.judge(room, chain, &x)
	return x
}

// turnsIn are all turns of a room, oldest first.
func (w *markWorld) turnsIn(room markRoom) []*store.Turn {
	w.t.Helper()
	turns, err := w.store.Turns(w.ctx, store.TurnQuery{Room: room.Room, Limit: 1000})
	w.check(err)
	slices.Reverse(turns)
	return turns
}

// chain are the turns that have answered a message.
func (w *markWorld) chain(turns []*store.Turn, message int64) (chain []*store.Turn) {
	w.t.Helper()
	for _, t := range turns {
		switch {
		case t.Number != message:
		case t.Joined != 0:
			into := slices.IndexFunc(turns, func(other *store.Turn) bool { return other.ID == t.Joined })
			w.seen[fmt.Sprint("joined, as a correction: ", turns[into].Follows > 0)]++
			return w.chain(turns, turns[into].Number)
		default:
			chain = append(chain, t)
		}
	}
	return chain
}

// reactions are what the agent has put on a message in a turn.
func (w *markWorld) reactions(t *store.Turn) (all []string) {
	w.t.Helper()
	actions, err := w.store.Actions(w.ctx, t.ID)
	w.check(err)
	for _, a := range actions {
		if a.Type == "react" && a.State == store.Done {
			all = append(all, w.model.react(t))
		}
	}
	return all
}

// judge compares what was to be said with what stands in the room.
func (w *markWorld) judge(room markRoom, chain []*store.Turn, x *truth) {
	w.t.Helper()
	last := chain[len(chain)-1]
	if last.Unanswered != "" { // it was stopped before it began
		x.told = "stopped before it began"
		w.seen[x.told]++
		return
	}
	if turn.IsCommand(chain[0].Message.Text) {
		w.judgeCommand(room, chain, x)
		return
	}
	f := &x.facts
	var words, held []string
	for _, t := range chain {
		say, _ := w.model.of(t)
		actions, err := w.store.Actions(w.ctx, t.ID)
		w.check(err)
		f.Asked = f.Asked || slices.ContainsFunc(actions, func(a store.Action) bool { return a.State == store.Asked })
		f.Stopped, f.Failed, f.Output = t.Failure == store.StoppedByPerson, say.fails, ""
		switch {
		case f.Stopped:
			f.Failed = false
			if t.Shown == "" {
				w.t.Errorf("nobody is told that turn %d was stopped", t.ID)
			}
			x.facts.Delivered++ // looked for with the posts
			continue
		case t.Failure != "" != say.fails:
			w.t.Errorf("turn %d was to fail: %t, and says %q", t.ID, say.fails, t.Failure)
		case say.asks:
			f.Output = "question"
		case say.blocks:
			f.Output = "blocker"
		}
		if say.held {
			held = append(held, say.words...)
			continue
		}
		if len(say.words) > 0 {
			held = nil
		}
		words = append(words, say.words...)
	}
	words = append(words, held...)
	for _, word := range words {
		if room.has(word) {
			f.Delivered++
		} else {
			f.Lost++
		}
	}
	w.judgePosts(room, chain, x)
	if f.Stopped {
		w.seen["stopped"]++
	}
	if f.Lost > 0 {
		w.seen["refused"]++
	}
	if len(chain) > 1 {
		w.seen["chains"]++
	}
	if len(x.before) > 0 {
		w.seen["own before"]++
	}
	x.told = fmt.Sprintf("words %q, %+v", words, *f)
}

// judgeCommand is judge for what the runtime answers itself: its words are not planned.
func (w *markWorld) judgeCommand(room markRoom, chain []*store.Turn, x *truth) {
	w.t.Helper()
	if strings.TrimSpace(chain[len(chain)-1].Shown) == "" {
		w.t.Errorf("nothing is said to %q", chain[0].Message.Text)
	}
	w.judgePosts(room, chain, x)
	x.told = fmt.Sprintf("a command, %+v", x.facts)
}

// judgePosts looks whether the posts of a chain stand in the room with their texts, or are
// known not to.
func (w *markWorld) judgePosts(room markRoom, chain []*store.Turn, x *truth) {
	w.t.Helper()
	ids, texts := room.posts()
	for _, t := range chain {
		posts, err := w.store.Posts(w.ctx, t.ID)
		w.check(err)
		for _, p := range posts {
			at := slices.Index(ids, p.PostID)
			stands := at >= 0 && p.PostID != "" && texts[at] != "…"
			switch {
			case !strings.Contains(p.Key, "-post-"):
			case stands && p.State == store.Delivered:
				x.facts.Delivered++
			case p.State == store.Withdrawn && !stands:
			case p.State == store.Dead && !stands:
				x.facts.Lost++
			default:
				w.t.Errorf("post %s is %s, and stands in the room: %t (%q)", p.Key, p.State, stands, p.Text)
			}
		}
	}
}

// react is the emoji that a turn puts on its message.
func (p *planner) react(t *store.Turn) string {
	say, _ := p.of(t)
	return say.react
}

// wants are the emoji of the agent that have to stand on a message.
func (x truth) wants(g mark.Glyphs, one bool) []string {
	if !x.marked {
		return nil
	}
	f, glyph := x.facts, g.Success // without mark.Final, which is what is tested
	switch cannot := f.Failed || f.Output == "blocker"; {
	case f.Lost > 0, cannot && !f.Stopped:
		glyph = g.Error
	case f.Asked, f.Output == "question":
		glyph = ""
	case f.Delivered > 0:
		glyph = g.Complete
	}
	if one && len(x.own) > 0 && glyph != g.Error {
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
