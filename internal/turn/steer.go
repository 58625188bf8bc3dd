package turn

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/store"
)

// Where an envelope names its actions it may say what is to become of the reply itself:
// REPLY, CONTINUE or IGNORE. They are no actions, so no policy switches them off and no
// platform is asked. They stand in the ledger all the same: whoever reads there wants to
// know why nothing was posted.

// What these words come to.
const (
	replied   = "replied"
	goesOn    = "there is more to come"
	ignored   = "nothing is posted"
	overruled = "the reply is posted: the same one says that it replies"
)

// engage is the action that the flags of an envelope are for.
const engage = "SOCIAL_ENGAGE"

// flags are what the keywords in an envelope's text set.
var flags = []string{"like", "retweet", "repost", "quote", "reply"}

// steer gives those rows of a ledger their outcome that are no actions. A REPLY with flags
// is what the flags say, if nothing else of the reply receives them; one with other
// arguments is an action that answers another message.
func (d *Decider) steer(rows []store.Action) {
	words := make([]string, len(rows))
	posted, acts := false, false
	for i, row := range rows {
		words[i] = wordOf(row)
		posted = posted || words[i] == "reply" || words[i] == "continue"
		acts = acts || words[i] == ""
	}
	for i := range rows {
		row := &rows[i]
		if words[i] == "" || row.State != store.Planned {
			continue
		}
		said := replied
		switch words[i] {
		case "reply":
			given := fieldsOf(row.Args)
			if slices.ContainsFunc(given, func(name string) bool { return !slices.Contains(flags, name) }) {
				continue
			}
			if given = slices.DeleteFunc(given, func(name string) bool { return name == "reply" }); len(given) > 0 && !acts && d.Registry.Find(engage) != nil {
				row.Type, acts = engage, true
				continue
			}
		case "continue":
			said = goesOn
		case "ignore":
			if said = ignored; posted {
				said = overruled
			}
		}
		row.State, row.Summary = store.Done, said
	}
}

// wordOf is the word of an envelope that a row is, or "".
func wordOf(row store.Action) string {
	name := strings.ToLower(strings.TrimSpace(row.Type))
	if row.Dialect == extract.Envelope.String() && slices.Contains([]string{"reply", "continue", "ignore"}, name) {
		return name
	}
	return ""
}

// fieldsOf are the names of the arguments given, in lower case.
func fieldsOf(args json.RawMessage) []string {
	var given map[string]json.RawMessage
	_ = json.Unmarshal(args, &given) // always an object
	var names []string
	for name := range given {
		names = append(names, strings.ToLower(name))
	}
	return names
}

// steered tells whether a word of an envelope has come to something.
func steered(ledger []store.Action, to string) bool {
	return slices.ContainsFunc(ledger, func(a store.Action) bool {
		return a.State == store.Done && a.Summary == to && wordOf(a) != ""
	})
}

// said is what of a reply people are to see, if it has these rows. Whoever only says yes or
// no has answered: that steers nothing here, and to keep it back would lose the answer.
func (w *words) said(rows []store.Action) string {
	if steered(rows, ignored) {
		return ""
	}
	if len(bytes.TrimSpace(w.Text)) == 0 {
		for _, c := range w.Controls {
			if c.Name == extract.Yes || c.Name == extract.No {
				return strings.Trim(strings.TrimSpace(c.Raw), "[]")
			}
		}
	}
	return string(w.Text)
}

// wantsToGoOn tells whether a reply says that it is not the last one: with CONTINUE, or as
// one that is nothing but RESPOND.
func (e *Engine) wantsToGoOn(t *store.Turn, ledger []store.Action) bool {
	switch {
	case t.Silent:
		return false // nobody reads it
	case steered(ledger, goesOn):
		return true
	case len(ledger) > 0 || t.Shown != "" || t.Failure != "":
		return false
	}
	controls := extract.Read(e.Reading, []byte(t.Reply)).Controls
	return len(controls) > 0 && controls[0].Name == extract.Respond
}
