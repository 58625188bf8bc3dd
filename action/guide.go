package action

import (
	"fmt"
	"slices"
	"strings"
)

// A Guide teaches a model which actions there are and how to write them.
type Guide struct {
	// Which dialects are on. Without blocks, only what has a name in another dialect
	// can be said.
	Blocks, Directives, Signals bool

	// Envelope is set where the whole reply is to be one object. Then nothing is said of the
	// other dialects.
	Envelope bool

	// Full tells whether a category is explained. What is not costs one line until it
	// is asked for. nil explains everything.
	Full func(category string) bool
}

// HelpName is the action that explains a category.
const HelpName = "actionHelp"

// Text is the guide to some actions, grouped by category in the order given; "" if
// there is nothing to say.
func (g Guide) Text(specs []*Spec) string {
	specs = slices.DeleteFunc(slices.Clone(specs), func(s *Spec) bool { return g.form(s) == "" })
	if len(specs) == 0 && !g.Envelope {
		return ""
	}
	if g.form(&Spec{Name: HelpName}) == "" {
		g.Full = nil // nobody could ask for more
	}
	var b strings.Builder
	b.WriteString(g.opening())
	var brief []string
	for _, category := range categories(specs) {
		members := slices.DeleteFunc(slices.Clone(specs), func(s *Spec) bool { return s.Category != category })
		if g.Full != nil && !g.Full(category) {
			brief = append(brief, "- "+category+": "+strings.Join(g.names(members), ", "))
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n", category)
		for _, s := range members {
			b.WriteString(g.line(s) + "\n")
		}
	}
	if len(brief) > 0 {
		fmt.Fprintf(&b, "\nThere are more. Before you use one of these, ask for its arguments with %s:\n%s\n", g.help(), strings.Join(brief, "\n"))
	}
	return b.String()
}

// Explain explains actions to somebody who knows how they are written.
func (g Guide) Explain(specs []*Spec) string {
	var lines []string
	for _, s := range specs {
		if g.form(s) != "" {
			lines = append(lines, g.line(s))
		}
	}
	return strings.Join(lines, "\n")
}

// opening says how instructions are written.
func (g Guide) opening() string {
	if g.Envelope {
		return template
	}
	return "You can act. Write an instruction anywhere in your reply: it is taken out before people see it, carried out, and its outcome is reported. Saying that you do something does nothing; only the instruction does. Inside a code block it is only text.\n"
}

// help is how the arguments of a category are asked for.
func (g Guide) help() string {
	help := &Spec{Name: HelpName, Example: `{"type":"` + HelpName + `","category":"…"}`}
	if g.Envelope {
		return g.form(help)
	}
	return "<action>" + help.Example + "</action>"
}

// categories are those of some actions, in their order.
func categories(specs []*Spec) []string {
	var all []string
	for _, s := range specs {
		if !slices.Contains(all, s.Category) {
			all = append(all, s.Category)
		}
	}
	return all
}

// names are those of some actions, as they are written.
func (g Guide) names(specs []*Spec) []string {
	var names []string
	for _, s := range specs {
		name := s.Name
		if g.Envelope {
			name = s.envelopeName()
		}
		names = append(names, name)
	}
	return names
}

// line explains an action.
func (g Guide) line(s *Spec) string {
	line := g.form(s) + "  " + s.Description
	if (g.Blocks || g.Envelope) && len(s.fields) > 0 {
		var fields []string
		for _, f := range s.fields {
			fields = append(fields, f.brief())
		}
		line += " Fields: " + strings.Join(fields, "; ") + "."
	}
	if s.Query {
		line += " You will be asked again with what was found."
	}
	if s.Destructive {
		line += " A person has to confirm it first."
	}
	return line
}

// form is how an action is written in the first dialect that can say it.
func (g Guide) form(s *Spec) string {
	switch {
	case g.Envelope:
		return s.envelopeName() + s.params()
	case g.Blocks:
		return "<action>" + s.Example + "</action>"
	case g.Directives && s.Directive != "":
		return "<actions><" + s.Directive + s.attributes() + "/></actions>"
	case g.Signals && len(s.Signals) > 0:
		return "[" + s.Signals[0] + ":" + s.signalArgument() + "]"
	}
	return ""
}

// attributes are those that a directive needs.
func (s *Spec) attributes() string {
	var b strings.Builder
	for _, f := range s.fields {
		if !f.optional {
			fmt.Fprintf(&b, " %s=\"…\"", f.name)
		}
	}
	return b.String()
}

func (s *Spec) signalArgument() string {
	var names []string
	for _, f := range s.fields {
		switch {
		case f.optional:
		case len(f.values) > 0:
			names = append(names, f.values[0])
		default:
			names = append(names, f.name)
		}
	}
	return strings.Join(names, ":")
}

// brief is a field in as few words as say it.
func (f field) brief() string {
	s := f.name
	if f.optional {
		s += "?"
	}
	switch {
	case len(f.values) > 0:
		s += " " + strings.Join(f.values, "|")
	case f.kind == listKind && f.bounded:
		s += fmt.Sprintf(" (list of %s)", f.bounds())
	case f.kind == listKind:
		s += " (list)"
	case f.kind == numberKind && f.bounded:
		s += " " + f.bounds()
	case f.kind == flagKind:
		s += " true|false"
	case f.bounded && f.max > 0:
		s += fmt.Sprintf(" ≤ %d characters", f.max)
	}
	if f.standard != "" {
		s += " (" + f.standard + ")"
	}
	if f.doc != "" {
		s += ", " + f.doc
	}
	return s
}

func (f field) bounds() string {
	if f.max == 0 {
		return fmt.Sprintf("≥ %d", f.min)
	}
	return fmt.Sprintf("%d–%d", f.min, f.max)
}
