package extract

import (
	"slices"
	"encoding/json"
	"strings"
)

// actions is a candidate for <actions>…</actions>. Its children count only once
// the block is closed.
type actions struct {
	state  actionsState
	events []Event
	known  bool // a known child was read, complete
	done   int  // the offset behind the last complete tag
	text   int  // where other text began that the next tag decides about, or 0
	tag    int  // where the tag being read, or the child whose content it is, begins

	open      string // the last child, if it was opened and its closing tag may follow
	openKnown bool

	child  Child // the child whose content is being read
	inside int   // where the content begins
	end    tagEnd
}

type actionsState uint8

const (
	actionsOpen    actionsState = iota // <actions was read
	actionsBetween                     // between children
	actionsText                        // in text that is no child
	actionsTag                         // in a tag
	actionsContent                     // in the content of a child that has a text argument
)

func (a *actions) begin() {
	*a = actions{events: a.events[:0]}
}

func (a *actions) read(s *scanner, hi int, why last) verdict {
	for i := s.at - s.base; i < hi; i++ {
		c, at := s.w[i], s.base+i
		switch a.state {
		case actionsOpen:
			switch {
			case c == '>':
				a.state, a.done = actionsBetween, at+1
				a.events = append(a.events, s.event(KindMarkup, Directives, "", s.start, at+1))
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
	name := strings.ToLower(string(s.bytes(t.start, t.nameEnd)))
	child, known := s.children[name]
	switch {
	case t.closing && name == tagActions:
		a.otherText(s)
		return a.close(s, a.tag, end)
	case t.closing && name == a.open:
		a.closeOpen(s, end)
	case !t.closing && (known || name == tagNoReply):
		a.otherText(s)
		a.openChild(s, child, name, end)
	case a.text != 0:
		return a.never(s, a.tag)
	case !t.closing && name != tagActions:
		a.problem(s, Unknown, a.tag, end, "there is no instruction <"+name+">")
		a.opened(name, false)
	default:
		a.problem(s, Malformed, a.tag, end, "this tag has no place in an actions block")
	}
	if a.state == actionsTag {
		a.state, a.done = actionsBetween, end
	}
	return more
}

// problem adds a problem of the block.
func (a *actions) problem(s *scanner, kind string, from, to int, why string) {
	a.events = append(a.events, s.problem(kind, Directives, from, to, why))
}

// opened notes a child whose closing tag may follow.
func (a *actions) opened(name string, known bool) {
	a.open, a.openKnown = name, known
}

// otherText reports the text before the tag, if there was any.
func (a *actions) otherText(s *scanner) {
	if a.text == 0 {
		return
	}
	text := s.bytes(a.text, a.tag)
	a.problem(s, Malformed, a.text, a.tag-trailingSpace(text), "text inside an actions block is not delivered; put it outside")
	a.text = 0
}

// closeOpen reads the closing tag of a child that was left open.
func (a *actions) closeOpen(s *scanner, end int) {
	switch {
	case a.openKnown:
		a.otherText(s)
		a.events = append(a.events, s.event(KindMarkup, Directives, "", a.tag, end))
	default:
		// An unknown child takes its content with it. Its problem is the last event.
		p := &a.events[len(a.events)-1]
		p.End = s.posOf(end)
		p.Raw += string(s.bytes(a.done, end))
		a.text = 0
	}
	a.open = ""
}

// openChild reads the opening tag of a known child.
func (a *actions) openChild(s *scanner, child Child, name string, end int) {
	a.open = ""
	switch {
	case name == tagNoReply:
		a.known = true
		a.events = append(a.events, s.event(KindControl, Directives, NoReply, a.tag, end))
	case child.Text != "" && !s.tag.selfClosing:
		a.state, a.child, a.inside = actionsContent, child, end
		a.end = tagEnd{names: []string{name, tagActions}}
		return
	default:
		a.add(s, name, end, nil)
	}
	if !s.tag.selfClosing {
		a.opened(name, true)
	}
}

// closeContent reads the closing tag behind a child's content, which may be that
// of the block.
func (a *actions) closeContent(s *scanner, end int, own bool) verdict {
	content := s.bytes(a.inside, a.end.at)
	if !own {
		a.problem(s, Malformed, a.tag, a.end.at, "<"+a.child.Name+"> needs a closing </"+a.child.Name+">")
		return a.close(s, a.end.at, end)
	}
	text := field{name: a.child.Text, value: quoted(unescape(content))}
	a.add(s, strings.ToLower(a.child.Name), end, &text)
	a.state, a.done = actionsBetween, end
	return more
}

// add adds the action of a child: its attributes and, where it has one, its text.
func (a *actions) add(s *scanner, name string, end int, text *field) {
	a.known = true
	e := s.event(KindAction, Directives, name, a.tag, end)
	var fields []field
	var twice []Event
	for _, at := range s.tag.attrs {
		f := field{name: strings.ToLower(string(s.bytes(at.name, at.nameEnd))), value: json.RawMessage(`"true"`)}
		if at.value > 0 {
			f.value = quoted(unescape(s.bytes(at.value, at.valueEnd)))
		}
		if hasField(fields, f.name) {
			twice = append(twice, s.problem(Malformed, Directives, at.name, at.end, "the attribute "+f.name+" stands twice; the first one counts"))
			continue
		}
		fields = append(fields, f)
	}
	if text != nil && hasField(fields, text.name) {
		twice = append(twice, s.problem(Malformed, Directives, a.inside, a.end.at, "the attribute "+text.name+" counts, not the content"))
	} else if text != nil {
		fields = append(fields, *text)
	}
	e.Args = joinFields(fields)
	a.events = append(append(a.events, e), twice...)
}

// close ends the block with its closing tag.
func (a *actions) close(s *scanner, tag, end int) verdict {
	a.events = append(a.events, s.event(KindMarkup, Directives, "", tag, end))
	return s.take(end, slices.Clone(a.events)...)
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

func hasField(fields []field, name string) bool {
	for _, f := range fields {
		if f.name == name {
			return true
		}
	}
	return false
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
