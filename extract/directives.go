package extract

import (
	"encoding/json"
	"strings"
)

// actions is a candidate for <actions>…</actions>. Its children count only once
// the block is closed, so until then it only notes where they stand.
type actions struct {
	state  actionsState
	found  []finding
	attrs  []attr  // of the children found
	events []Event // what they come to
	known  bool    // a known child was read, complete
	done   int     // the offset behind the last complete tag
	text   int     // where other text began that the next tag decides about, or 0
	tag    int     // where the tag being read, or the child whose content it is, begins

	open      string // the last child, if it was opened and its closing tag may follow
	openKnown bool

	child  *Child // the child whose content is being read
	inside int    // where the content begins
	end    tagEnd
}

// A finding is something in a block, by its offsets.
type finding struct {
	kind             findingKind
	from, to         int
	child            *Child
	attrs, attrsEnd  int // which of the block's attributes are its own
	inside, insideTo int // its content
}

type findingKind uint8

const (
	foundTag      findingKind = iota // a tag that says nothing more: markup
	foundChild                       // a known child
	foundNoReply                     // <no-reply/>
	foundUnknown                     // a child that nobody knows
	foundText                        // text that is no child
	foundMisfit                      // a tag that has no place here
	foundUnclosed                    // a known child without its closing tag
)

type actionsState uint8

const (
	actionsOpen    actionsState = iota // <actions was read
	actionsBetween                     // between children
	actionsText                        // in text that is no child
	actionsTag                         // in a tag
	actionsContent                     // in the content of a child that has a text argument
)

func (a *actions) begin() {
	*a = actions{found: a.found[:0], attrs: a.attrs[:0], events: a.events[:0]}
}

func (a *actions) read(s *scanner, hi int, why last) verdict {
	for i := s.at - s.base; i < hi; i++ {
		c, at := s.w[i], s.base+i
		switch a.state {
		case actionsOpen:
			switch {
			case c == '>':
				a.state, a.done = actionsBetween, at+1
				a.add(foundTag, s.start, at+1)
			case c != ' ' && c != '\t':
				return plain
			}
		case actionsBetween, actionsText:
			switch {
			case c == '<':
				a.state, a.tag = actionsTag, at
				s.tag.begin(at)
			case a.state == actionsBetween && !isSpace(c):
				a.state, a.text = actionsText, at
			case a.state == actionsText && c == '\n':
				return a.never(s, at)
			}
		case actionsTag:
			switch s.tag.read(c, at) {
			case tagDone:
				if v := a.closeTag(s, at+1); v != more {
					return v
				}
			case tagBroken:
				// It is other text, and c is read as such.
				if a.text == 0 {
					a.text = a.tag
				}
				a.state = actionsText
				i--
			}
		case actionsContent:
			n, which := a.end.find(s.w, i, hi, s.base)
			if i = n - 1; which >= 0 {
				if v := a.closeContent(s, s.base+n, which == 0); v != more {
					return v
				}
			}
		}
	}
	s.at = s.base + hi
	if why != 0 {
		return a.unclosed(s, why)
	}
	return more
}

// never ends a block that was none: it is text, and no block begins before at.
func (a *actions) never(s *scanner, at int) verdict {
	s.noActions = at
	return plain
}

// closeTag decides about the tag that was read, which ends before the offset end.
func (a *actions) closeTag(s *scanner, end int) verdict {
	t := &s.tag
	name := lowerName(s.bytes(t.start, t.nameEnd))
	child := s.children[name]
	switch {
	case t.closing && name == tagActions:
		a.otherText(s)
		return a.close(s, a.tag, end)
	case t.closing && name == a.open:
		a.closeOpen(s, end)
	case !t.closing && (child != nil || name == tagNoReply):
		a.otherText(s)
		a.openChild(s, child, name, end)
	case a.text != 0:
		return a.never(s, a.tag)
	case !t.closing && name != tagActions:
		a.add(foundUnknown, a.tag, end)
		a.opened(s, name, false)
	default:
		a.add(foundMisfit, a.tag, end)
	}
	if a.state == actionsTag {
		a.state, a.done = actionsBetween, end
	}
	return more
}

func (a *actions) add(kind findingKind, from, to int) *finding {
	a.found = append(a.found, finding{kind: kind, from: from, to: to})
	return &a.found[len(a.found)-1]
}

// opened notes a child whose closing tag may follow.
func (a *actions) opened(s *scanner, name string, known bool) {
	if !s.tag.selfClosing {
		a.open, a.openKnown = name, known
	}
}

// otherText reports the text before the tag, if there was any.
func (a *actions) otherText(s *scanner) {
	if a.text != 0 {
		a.add(foundText, a.text, a.tag-trailingSpace(s.bytes(a.text, a.tag)))
		a.text = 0
	}
}

// closeOpen reads the closing tag of a child that was left open. An unknown child
// takes its content with it.
func (a *actions) closeOpen(s *scanner, end int) {
	if a.openKnown {
		a.otherText(s)
		a.add(foundTag, a.tag, end)
	} else {
		a.found[len(a.found)-1].to = end
		a.text = 0
	}
	a.open = ""
}

// openChild reads the opening tag of a known child.
func (a *actions) openChild(s *scanner, child *Child, name string, end int) {
	a.open = ""
	switch {
	case name == tagNoReply:
		a.known = true
		a.add(foundNoReply, a.tag, end)
	case child.Text != "" && !s.tag.selfClosing:
		a.state, a.child, a.inside = actionsContent, child, end
		a.end = tagEnd{names: []string{name, tagActions}}
		return
	default:
		a.addChild(s, child, end)
	}
	a.opened(s, name, true)
}

// addChild notes a complete child.
func (a *actions) addChild(s *scanner, child *Child, end int) *finding {
	a.known = true
	f := a.add(foundChild, a.tag, end)
	f.child = child
	f.attrs = len(a.attrs)
	a.attrs = append(a.attrs, s.tag.attrs...)
	f.attrsEnd = len(a.attrs)
	return f
}

// closeContent reads the closing tag behind a child's content, which may be that
// of the block.
func (a *actions) closeContent(s *scanner, end int, own bool) verdict {
	if !own {
		a.add(foundUnclosed, a.tag, a.end.at).child = a.child
		return a.close(s, a.end.at, end)
	}
	f := a.addChild(s, a.child, end)
	f.inside, f.insideTo = a.inside, a.end.at
	a.state, a.done = actionsBetween, end
	return more
}

// close ends the block with its closing tag.
func (a *actions) close(s *scanner, tag, end int) verdict {
	a.add(foundTag, tag, end)
	for i := range a.found {
		a.events = a.event(s, a.events, &a.found[i])
	}
	return s.take(end, a.events...)
}

// event appends what a finding comes to.
func (a *actions) event(s *scanner, events []Event, f *finding) []Event {
	kind, why := Malformed, ""
	switch f.kind {
	case foundTag:
		return append(events, s.markup(Directives, f.from, f.to))
	case foundNoReply:
		return append(events, s.event(KindControl, Directives, NoReply, f.from, f.to))
	case foundChild:
		return a.action(s, events, f)
	case foundUnknown:
		kind, why = Unknown, "there is no such instruction"
	case foundText:
		why = "text inside an actions block is not delivered; put it outside"
	case foundMisfit:
		why = "this tag has no place in an actions block"
	case foundUnclosed:
		why = "the closing tag </" + f.child.Name + "> is missing"
	}
	return append(events, s.problem(kind, Directives, f.from, f.to, why))
}

// action appends the action of a child: its attributes and, where it has one, its
// text.
func (a *actions) action(s *scanner, events []Event, f *finding) []Event {
	e := s.event(KindAction, Directives, strings.ToLower(f.child.Name), f.from, f.to)
	events = append(events, e)
	var fields []field
	given := map[string]bool{}
	for _, at := range a.attrs[f.attrs:f.attrsEnd] {
		next := field{name: lowerName(s.bytes(at.name, at.nameEnd)), value: json.RawMessage(`"true"`)}
		if at.value > 0 {
			next.value = quoted(unescape(s.bytes(at.value, at.valueEnd)))
		}
		if given[next.name] {
			events = append(events, s.problem(Malformed, Directives, at.name, at.end, "the attribute "+next.name+" stands twice; the first one counts"))
			continue
		}
		given[next.name] = true
		fields = append(fields, next)
	}
	if f.inside > 0 {
		if given[f.child.Text] {
			events = append(events, s.problem(Malformed, Directives, f.inside, f.insideTo, "the attribute "+f.child.Text+" counts, not the content"))
		} else {
			fields = append(fields, field{f.child.Text, quoted(unescape(s.bytes(f.inside, f.insideTo)))})
		}
	}
	e.Args = joinFields(fields)
	return events
}

// lowerName is a name in lower case.
func lowerName(b []byte) string {
	for _, c := range b {
		if c >= 'A' && c <= 'Z' {
			return strings.ToLower(string(b))
		}
	}
	return string(b)
}

// unclosed ends a block that was not closed. A child that was begun at the end
// belongs to the problem; words do not, they are read again and shown.
func (a *actions) unclosed(s *scanner, why last) verdict {
	end := a.done
	switch a.state {
	case actionsOpen:
		return plain
	case actionsContent, actionsTag:
		if why == ended && a.text == 0 {
			end = s.at
		}
	}
	s.noActions = s.at
	if !a.known {
		return plain
	}
	return s.take(end, s.problem(why.kindOf(), Directives, s.start, end, "the block needs a closing </actions>; nothing in it was run"))
}

// silence is a candidate for <no-reply/>, of which <no-reply was read.
type silence struct {
	state silenceState
	end   tagEnd
	open  int // the offset behind the opening tag
}

type silenceState uint8

const (
	silenceName  silenceState = iota // the name was read, perhaps white space
	silenceSlash                     // / was read
	silenceOpen                      // the tag was opened; its closing tag must follow at once
)

func (q *silence) read(s *scanner, hi int, why last) verdict {
	for i := s.at - s.base; i < hi; i++ {
		c, at := s.w[i], s.base+i
		switch {
		case q.state == silenceOpen && q.end.n == 0 && isSpace(c):
		case q.state == silenceOpen:
			n, which := q.end.find(s.w, i, i+1, s.base)
			if which >= 0 {
				return q.done(s, s.base+n)
			}
			if q.end.n == 0 {
				return plain
			}
		case c == '>' && q.state == silenceSlash:
			return q.done(s, at+1)
		case c == '>':
			q.state, q.open = silenceOpen, at+1
			q.end = tagEnd{names: []string{tagNoReply}}
		case c == '/' && q.state == silenceName:
			q.state = silenceSlash
		case c != ' ' && c != '\t':
			return plain
		}
	}
	s.at = s.base + hi
	if why == 0 {
		return more
	}
	s.send(s.start)
	if why == ended && q.state == silenceOpen && q.end.n == 0 && !s.show.visible {
		return q.done(s, q.open)
	}
	return plain
}

func (q *silence) done(s *scanner, end int) verdict {
	return s.take(end, s.event(KindControl, Directives, NoReply, s.start, end))
}
