package main

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/asidehq/aside/extract"
)

// What aside extract prints. The order of the members is part of it: people read
// it too. Nothing in it is ever null.
type (
	resultLine struct {
		Text      string        `json:"text"`
		Control   []string      `json:"control"`
		Reasoning string        `json:"reasoning"`
		Actions   []actionLine  `json:"actions"`
		Problems  []problemLine `json:"problems"`
	}
	actionLine struct {
		Dialect string          `json:"dialect"`
		Type    string          `json:"type"`
		Args    json.RawMessage `json:"args"`
	}
	problemLine struct {
		Kind        string `json:"kind"`
		Dialect     string `json:"dialect"`
		Raw         string `json:"raw"`
		Explanation string `json:"explanation"`
	}

	// eventLine is a line of --events: the members that its kind of event has.
	eventLine struct {
		Event       string          `json:"event"`
		Dialect     string          `json:"dialect,omitempty"`
		Position    int             `json:"position"`
		Text        string          `json:"text,omitempty"`
		Type        string          `json:"type,omitempty"`
		Args        json.RawMessage `json:"args,omitempty"`
		Name        string          `json:"name,omitempty"`
		Kind        string          `json:"kind,omitempty"`
		Explanation string          `json:"explanation,omitempty"`
		Raw         string          `json:"raw,omitempty"`
	}
)

func newResultLine(r extract.Result) resultLine {
	line := resultLine{
		Text:      string(r.Text),
		Control:   []string{},
		Reasoning: string(r.Reasoning),
		Actions:   []actionLine{},
		Problems:  []problemLine{},
	}
	for _, e := range r.Controls {
		line.Control = append(line.Control, e.Name)
	}
	for _, e := range r.Actions {
		line.Actions = append(line.Actions, actionLine{e.Dialect.String(), e.Name, e.Args})
	}
	for _, e := range r.Problems {
		line.Problems = append(line.Problems, problemLine{e.Name, e.Dialect.String(), e.Raw, e.Why})
	}
	return line
}

func newEventLine(e extract.Event) eventLine {
	line := eventLine{
		Event:    e.Kind.String(),
		Dialect:  e.Dialect.String(),
		Position: e.Pos,
		Text:     string(e.Text),
	}
	if e.Instruction == nil {
		return line
	}
	line.Args, line.Explanation, line.Raw = e.Args, e.Why, e.Raw
	switch e.Kind {
	case extract.KindAction:
		line.Type = e.Name
	case extract.KindControl:
		line.Name = e.Name
	case extract.KindProblem:
		line.Kind = e.Name
	}
	return line
}

// wholeRunes keeps characters in one piece. A chunk may end inside one and its
// bytes are yielded all the same, but half a character has no place in JSON.
type wholeRunes struct {
	held extract.Event // the bytes of an unfinished character; none if its Text is empty
}

// next returns what can be printed once e is there: up to two events.
func (w *wholeRunes) next(e extract.Event) []extract.Event {
	var out []extract.Event
	if held, ok := w.rest(); ok {
		if held.Kind == e.Kind && held.Dialect == e.Dialect {
			e.Text = append(held.Text, e.Text...)
			e.Pos = held.Pos
		} else {
			out = append(out, held)
		}
	}
	if n := unfinished(e.Text); n > 0 {
		whole := len(e.Text) - n
		w.held = extract.Event{Kind: e.Kind, Dialect: e.Dialect, Pos: e.End - n, End: e.End, Text: slices.Clone(e.Text[whole:])}
		if whole == 0 {
			return out
		}
		e.Text, e.End = e.Text[:whole], e.End-n
	}
	return append(out, e)
}

// rest returns what is still held, and holds it no longer.
func (w *wholeRunes) rest() (extract.Event, bool) {
	held := w.held
	w.held = extract.Event{}
	return held, len(held.Text) > 0
}

// unfinished is the number of bytes at the end of text that begin a character
// and do not complete it.
func unfinished(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
