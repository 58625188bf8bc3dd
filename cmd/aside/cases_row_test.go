package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/store"
)

// A row is an action and every way in which it can end at Discord.
type row struct {
	action string
	fields string // with their limits, as the catalogue has them: "name 1–100; topic? ≤1024"
	does   string // the instruction, with {…} for ids of the place
	ask    string // the room in which it is asked for; "" is desk
	first  string // an instruction that is carried out before
	with   func(*place)

	// What the person who asks must be allowed to do, in a room or, where that is "", on
	// the server.
	right   discordtest.Bits
	rightIn string

	// What the bot must be allowed to do, or why it needs nothing.
	bot   discordtest.Bits
	botIn string
	free  string

	// happens tells what is wrong after a success, "" if nothing is.
	happens func(p *place, a store.Action) string

	web   string // what the web page cannot do; "" if it can
	onWeb string // the instruction there, if it is another one

	fills map[string]func(n int) any // see limiter.fill
	apart bool                       // what is done at one limit is in the way of the next
	rules []rule                     // that no single field tells
}

// A rule is about more than one field, about what a field means, or about how the server is.
type rule struct {
	name, does, says string // says why it is not done; "" is done

	// Who has to be asked to know: nobody, or Discord who is who, or Discord whether it
	// does it.
	knows knows

	with func(*place)
}

type knows int

const (
	nobodyAsked knows = iota
	lookedUp
	tried
)

// room is where a row is asked for.
func (w row) room(p *place) *discordtest.Channel {
	if w.ask == "" {
		return p.rooms["desk"]
	}
	return p.rooms[w.ask]
}

// place makes one for a row, in which the person and the bot may do what it takes.
func (w row) place(t *testing.T, r *rig) *place {
	t.Helper()
	p := r.newPlace(t, w.right)
	if w.with != nil {
		w.with(p)
	}
	if w.first != "" {
		m := r.ask(t, p.grace(), w.room(p), blockOf(p.fill(w.first)))
		ids, _ := r.said(t, m)
		p.leave = append(ids, m)
		for _, a := range r.ledger(t, m) {
			if a.State != store.Done {
				t.Fatalf("first, %s came to %s: %s", a.Type, a.State, a.Summary)
			}
		}
	}
	return p
}

// blockOf is an instruction in a reply.
func blockOf(instructions ...string) string {
	return "Right away.\n<action>" + strings.Join(instructions, "</action>\n<action>") + "</action>"
}

// caseCategories are those whose every action has a row.
var caseCategories = map[string][]row{
	"channels": channelRows, "messaging": messagingRows, "guild": guildRows, "moderation": moderationRows,
	"polls": pollRows, "profile": profileRows, "config": configRows, "voice": voiceRows, "social": socialRows,
}

func TestEveryActionAtDiscordHasARow(t *testing.T) {
	t.Parallel()
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]row{}
	for category, all := range caseCategories {
		for _, w := range all {
			if spec := registry.Find(w.action); spec == nil || spec.Name != w.action || spec.Category != category {
				t.Errorf("there is no action %s of the category %s", w.action, category)
			}
			if _, twice := rows[w.action]; twice {
				t.Errorf("%s has two rows", w.action)
			}
			rows[w.action] = w
		}
	}
	for _, spec := range registry.Specs() {
		if _, ours := caseCategories[spec.Category]; !ours {
			continue
		}
		w, ok := rows[spec.Name]
		if !ok {
			t.Errorf("%s has no row", spec.Name)
			continue
		}
		if got := fieldsOf(t, spec); !slices.Equal(got, sortedFields(w.fields)) {
			t.Errorf("%s has the fields\n%s\nwant\n%s", spec.Name, strings.Join(got, "; "), strings.Join(sortedFields(w.fields), "; "))
		}
		if (spec.Right == "") != (w.right == 0) {
			t.Errorf("%s needs the right %q, and its row says %d", spec.Name, spec.Right, w.right)
		}
		if (w.bot == 0) == (w.free == "") {
			t.Errorf("%s: say what the bot needs, or why it needs nothing", spec.Name)
		}
		if w.happens == nil {
			t.Errorf("nobody looks at what %s has done", spec.Name)
		}
		goesByOtherNames(t, spec, w)
	}
}

// goesByOtherNames checks that a room and a message can be named by both names everywhere.
func goesByOtherNames(t *testing.T, spec *action.Spec, w row) {
	t.Helper()
	for _, names := range [][2]string{{"channel", "channelId"}, {"message", "messageId"}} {
		for _, name := range names {
			other := names[0]
			if name == other {
				other = names[1]
			}
			does := strings.Replace(w.does, `"`+name+`":`, `"`+other+`":`, 1)
			if args, err := spec.Decode([]byte(does)); err != nil || len(args.Warnings) > 0 {
				t.Errorf("%s with %s for %s: %v, %q", spec.Name, other, name, err, args.Warnings)
			}
		}
	}
}

func sortedFields(text string) []string {
	if text == "" {
		return nil
	}
	all := strings.Split(text, "; ")
	slices.Sort(all)
	return all
}

// fieldsOf are the fields of an action in the words of a row.
func fieldsOf(t *testing.T, spec *action.Spec) []string {
	t.Helper()
	var all []string
	for name, f := range schemaOf(t, spec).Properties {
		text := name
		if !slices.Contains(schemaOf(t, spec).Required, name) {
			text += "?"
		}
		if l := f.limits(); l != "" {
			text += " " + l
		}
		if f.Default != nil {
			text += fmt.Sprintf(" (%v)", f.Default)
		}
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}

// A fieldSchema is what a Spec says about a field.
type fieldSchema struct {
	Type        string
	Description string
	Default     any
	Enum        []any
	MinLength   *int
	MaxLength   *int
	Minimum     *int
	Maximum     *int
	MinItems    *int
	MaxItems    *int
	Items       *struct {
		Type      string
		MaxLength *int
	}
}

type specSchema struct {
	Title, Description, Type string
	Properties               map[string]fieldSchema
	Required                 []string
	AdditionalProperties     bool
}

// schemaOf reads a Spec. A keyword that is not known here is a limit without a case, and
// an error.
func schemaOf(t *testing.T, spec *action.Spec) specSchema {
	t.Helper()
	var s specSchema
	decoder := json.NewDecoder(strings.NewReader(string(spec.Schema())))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil {
		t.Fatalf("%s has a limit of a kind that no case is made for: %v", spec.Name, err)
	}
	return s
}

// bounds are the least and the most of a field, by whatever is counted.
func (f fieldSchema) bounds() (least, most *int) {
	switch f.Type {
	case "integer":
		return f.Minimum, f.Maximum
	case "array":
		return f.MinItems, f.MaxItems
	}
	return f.MinLength, f.MaxLength
}

func (f fieldSchema) limits() string {
	var values []string
	for _, v := range f.Enum {
		values = append(values, fmt.Sprint(v))
	}
	text := strings.Join(values, "|")
	least, most := f.bounds()
	switch {
	case f.Type == "boolean":
		text = "flag"
	case most == nil && least != nil:
		text = fmt.Sprintf("≥%d", *least)
	case most != nil && *least == 0 && f.Type != "integer":
		text = fmt.Sprintf("≤%d", *most)
	case most != nil:
		text = fmt.Sprintf("%d–%d", *least, *most)
	}
	if f.Items != nil && f.Items.MaxLength != nil {
		text += fmt.Sprintf(" of ≤%d", *f.Items.MaxLength)
	}
	return text
}
