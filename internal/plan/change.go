package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// errShape says that a text does not fit where it is to stand.
var errShape = errors.New("it has a heading that would begin another section, or a code fence that does not end")

// SetHeader sets a field of the header. One that is not there yet comes last.
func (d *Document) SetHeader(name, value string) error {
	value = strings.TrimSpace(value)
	if strings.ContainsAny(name+value, "\r\n") {
		return fmt.Errorf("%s is one line", name)
	}
	for _, f := range d.header {
		if f.name == name {
			gap := ""
			if value != "" && d.text[f.from-1] == ':' {
				gap = " "
			}
			return d.become(d.text[:f.from] + gap + value + d.text[f.to:])
		}
	}
	return d.become(d.text[:d.end] + name + ": " + value + d.eol + d.text[d.end:])
}

// SetSection sets what a section says. One that is not there yet comes last, but before the
// audit log. See Tame for texts that somebody else has written.
func (d *Document) SetSection(name, body string) error {
	body = trimLines(body)
	if now, ok := d.Section(name); ok && now == body {
		return nil
	}
	i := d.find(name)
	if i < 0 {
		return d.addSection(name, body)
	}
	s := d.sections[i]
	text := d.eol + d.lines(body) + d.eol
	if s.to < len(d.text) {
		text += d.eol
	}
	return d.write(i, s.from, s.to, text)
}

// Append adds a paragraph at the end of a section.
func (d *Document) Append(name, text string) error {
	text = trimLines(text)
	i := d.find(name)
	if i < 0 {
		return d.addSection(name, text)
	}
	s := d.sections[i]
	if body := trimLines(s.Body); body == "" || body == Placeholder {
		return d.SetSection(name, text)
	}
	at := s.from + len(strings.TrimRight(s.Body, " \t\r\n"))
	for at < len(d.text) && (d.text[at] == ' ' || d.text[at] == '\t') { // they are a person's
		at++
	}
	end := d.eol + d.eol + d.lines(text)
	if at == len(d.text) {
		end += d.eol
	}
	return d.write(i, at, at, end)
}

// addSection adds a section that is not there.
func (d *Document) addSection(name, body string) error {
	at := len(d.text)
	if i := d.find(AuditLog); i >= 0 && !strings.EqualFold(name, AuditLog) {
		at = strings.LastIndex(d.text[:d.sections[i].from-1], "\n") + 1
	}
	before, after := d.text[:at], d.text[at:]
	gap := d.eol
	if !strings.HasSuffix(before, "\n") {
		gap += d.eol
	} else if blank(before[strings.LastIndex(before[:len(before)-1], "\n")+1:]) {
		gap = ""
	}
	text := gap + "## " + name + d.eol + d.eol + d.lines(body) + d.eol
	if after != "" {
		text += d.eol
	}
	return d.write(-1, at, at, text)
}

// lines is a text with the document's line ends.
func (d *Document) lines(text string) string {
	if d.eol == "\n" {
		return text
	}
	return strings.ReplaceAll(text, "\n", d.eol)
}

// write puts a text in place of another one, and makes sure that of all sections only one,
// -1 for a new one, says something else than before.
func (d *Document) write(changed, from, to int, text string) error {
	next, err := Parse(d.text[:from] + text + d.text[to:])
	if err != nil {
		return errShape
	}
	same := func(a, b []Section) bool {
		return slices.EqualFunc(a, b, func(a, b Section) bool { return a.Name == b.Name && trimLines(a.Body) == trimLines(b.Body) })
	}
	now, was := slices.Clone(next.sections), slices.Clone(d.sections)
	if changed < 0 { // it is the one that was not there
		changed = len(now) - 1
		for i := range was {
			if i < len(now) && now[i].Name != was[i].Name {
				changed = i
				break
			}
		}
		was = slices.Insert(was, min(max(changed, 0), len(was)), Section{})
	}
	if len(now) != len(was) {
		return errShape
	}
	now[changed], was[changed] = Section{}, Section{}
	if !same(now, was) {
		return errShape
	}
	*d = *next
	return nil
}

// become takes over another text.
func (d *Document) become(text string) error {
	next, err := Parse(text)
	if err != nil {
		return err
	}
	*d = *next
	return nil
}

// Tame makes a text that somebody else has written fit into a section: headings that would
// begin another one become smaller, and a code fence that does not end is ended.
func Tame(text string) string {
	text = trimLines(strings.TrimPrefix(text, mark))
	var b strings.Builder
	lines, open := readLines(text, 0, 1)
	for _, l := range lines {
		switch {
		case l.level == 1 || l.level == 2:
			b.WriteString(strings.TrimRight("### "+l.heading, " "))
		default:
			b.WriteString(l.text)
		}
		b.WriteString("\n")
	}
	if open > 0 {
		b.WriteString(fenceOf(lines[open-1].text) + "\n")
	}
	return trimLines(b.String())
}
