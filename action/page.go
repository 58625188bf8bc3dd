package action

import (
	"fmt"
	"strings"
)

// Page is the page about some actions, in Markdown, grouped by category.
func Page(specs []*Spec) string {
	var b strings.Builder
	for _, category := range categories(specs) {
		fmt.Fprintf(&b, "## %s\n\n", category)
		for _, s := range specs {
			if s.Category == category {
				b.WriteString(s.page() + "\n")
			}
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// page is the section about an action.
func (s *Spec) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n%s", s.Name, s.Description)
	for _, trait := range s.Traits() {
		b.WriteString(" " + trait)
	}
	fmt.Fprintf(&b, "\n\n    %s\n", s.Example)
	var others []string
	if s.Directive != "" {
		others = append(others, "the directive `<"+s.Directive+"/>`")
	}
	for _, name := range s.Signals {
		others = append(others, "the signal `["+name+":…]`")
	}
	for _, name := range s.Aliases {
		others = append(others, "`"+name+"`")
	}
	if len(others) > 0 {
		b.WriteString("\nAlso " + strings.Join(others, ", ") + ".\n")
	}
	if len(s.fields) > 0 {
		b.WriteString("\n| field | | |\n|---|---|---|\n")
		for _, f := range s.fields {
			fmt.Fprintf(&b, "| `%s`%s | %s | %s |\n", f.name, f.others(), f.limits(), f.doc)
		}
	}
	return b.String()
}

// Traits are what is special about an action, in sentences.
func (s *Spec) Traits() []string {
	var all []string
	add := func(is bool, sentence string) {
		if is {
			all = append(all, sentence)
		}
	}
	add(s.Query, "The model is asked again with what was found.")
	add(s.Interrupting, "Its result takes the place of the reply.")
	add(s.Destructive, "A person has to confirm it first.")
	add(s.Right != "", fmt.Sprintf("Whoever asks must be allowed to %s.", s.Right))
	add(s.Server, "Not in direct chats.")
	add(s.Most > 0, fmt.Sprintf("At most %d in a reply.", s.Most))
	add(!s.Repeatable, "After a crash in its middle it is reported as unknown, not repeated.")
	return all
}

func (f field) others() string {
	if len(f.aliases) == 0 {
		return ""
	}
	return " (`" + strings.Join(f.aliases, "`, `") + "`)"
}

// limits says what may stand in a field.
func (f field) limits() string {
	var parts []string
	if f.optional {
		parts = append(parts, "optional")
	}
	switch {
	case len(f.values) > 0:
		parts = append(parts, strings.Join(f.values, ", "))
	case f.kind == numberKind && f.bounded:
		parts = append(parts, f.bounds())
	case f.kind == numberKind:
		parts = append(parts, "a number")
	case f.kind == flagKind:
		parts = append(parts, "true or false")
	case f.kind == listKind && f.bounded:
		parts = append(parts, "a list of "+f.bounds())
	case f.kind == listKind:
		parts = append(parts, "a list")
	case f.kind == roomKind:
		parts = append(parts, "a room")
	case f.kind == personKind:
		parts = append(parts, "a person")
	case f.bounded && f.max > 0:
		parts = append(parts, fmt.Sprintf("at most %d characters", f.max))
	}
	if f.each > 0 {
		parts = append(parts, fmt.Sprintf("each at most %d characters", f.each))
	}
	if f.standard != "" {
		parts = append(parts, f.standard+" if left out")
	}
	return strings.Join(parts, "; ")
}
