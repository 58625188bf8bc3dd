package extract

import (
	"bytes"
	"slices"
	"strings"
)

// response is a candidate for the XML form of an envelope, of which <response was
// read. It is certain once one of its elements has begun.
type response struct {
	state    responseState
	certain  bool
	element  string
	inside   int // where the element's content, as far as it was not passed, begins
	end      tagEnd
	text     envelopeText
	spoken   bool // there was a text
	thoughts []Event
	contents contents
}

type responseState uint8

const (
	responseOpen    responseState = iota // the name was read
	responseBetween                      // between elements
	responseTag                          // in a tag
	responseContent                      // in an element
	responseBroken                       // in what cannot be read, up to the end of the line
)

func (r *response) begin() {
	*r = response{text: r.text}
}

var responseElements = []string{"thought", "actions", "providers", "params", "text"}

func (r *response) read(s *scanner, hi int, why last) verdict {
	for i := s.at - s.base; i < hi; i++ {
		c, at := s.w[i], s.base+i
		switch r.state {
		case responseOpen:
			if c == '>' {
				r.state = responseBetween
			} else if c != ' ' && c != '\t' {
				return plain
			}
		case responseBetween:
			if c == '<' {
				r.state = responseTag
				s.tag.begin(at)
			} else if !isSpace(c) && !r.fail() {
				return plain
			}
		case responseTag:
			switch v := s.tag.read(c, at); {
			case v == tagMore && !r.certain && !r.mayBegin(s, at+1):
				return plain
			case v == tagDone:
				if v := r.closeTag(s, at+1); v != more {
					return v
				}
			case v == tagBroken:
				if !r.fail() {
					return plain
				}
			}
		case responseContent:
			n, which := r.end.find(s.w, i, hi, s.base)
			i = n - 1
			to := r.end.heldFrom(s.base + n)
			if which >= 0 {
				to = r.end.at
			}
			if r.element == "text" {
				r.readText(s, to, which >= 0)
			}
			if which >= 0 {
				r.closeElement(s, s.base+n)
				if which == 1 {
					return r.close(s, s.base+n)
				}
			}
		case responseBroken:
			if c == '\n' {
				return r.problem(s, at, Malformed, "the response cannot be read from here on; its actions were not run")
			}
		}
	}
	s.at = s.base + hi
	if why != 0 {
		return r.unclosed(s, why)
	}
	return more
}

// fail says what happens to XML that cannot be read: it is text, unless one of its
// elements was taken out already.
func (r *response) fail() bool {
	r.state = responseBroken
	return r.certain
}

// mayBegin tells whether the tag being read, of which the offset end is behind the
// last byte, may be the first of the elements.
func (r *response) mayBegin(s *scanner, end int) bool {
	if s.tag.nameEnd > 0 {
		end = s.tag.nameEnd
	}
	name := strings.ToLower(string(s.bytes(s.tag.start, min(end, s.tag.start+longestName))))
	return !s.tag.closing && slices.ContainsFunc(responseElements, func(element string) bool {
		return strings.HasPrefix(element, name) && (s.tag.nameEnd == 0 || element == name)
	})
}

// closeTag decides about a tag between elements, which ends before the offset end.
func (r *response) closeTag(s *scanner, end int) verdict {
	name := strings.ToLower(string(s.bytes(s.tag.start, s.tag.nameEnd)))
	known := slices.Contains(responseElements, name)
	switch {
	case s.tag.closing && name == tagResponse && r.certain:
		return r.close(s, end)
	case s.tag.closing, !known && !r.certain:
		if !r.fail() {
			return plain
		}
		return more
	case known && !r.certain:
		r.certain = true
	}
	r.state, r.inside, r.element = responseContent, end, name
	r.end = tagEnd{names: []string{name, tagResponse}}
	if s.tag.selfClosing {
		r.state = responseBetween
		return more
	}
	if name == "text" && !r.spoken {
		r.text.begin(s, end)
		r.think(s)
		r.spoken = true
	} else if name == "text" {
		r.element = "another text"
	}
	return more
}

// readText reads the text up to an offset, decoding entities; with final it ends
// there.
func (r *response) readText(s *scanner, to int, final bool) {
	for r.inside < to {
		b := s.bytes(r.inside, to)
		n := bytes.IndexByte(b, '&')
		if n < 0 {
			n = len(b)
		}
		r.text.feed(s, b[:n], r.inside)
		if r.inside += n; n == len(b) {
			break
		}
		c, length := entity(b[n:])
		switch {
		case length > 0:
			r.text.feedRune(s, c, r.inside)
		case len(b)-n < longestEntity && bytes.IndexByte(b[n:], ';') < 0 && !final:
			s.passed(r.inside)
			return // it may still become one
		default:
			length = 1
			r.text.feed(s, b[n:n+1], r.inside)
		}
		r.inside += length
	}
	s.passed(r.inside)
}

// closeElement ends an element with its closing tag, or that of the response.
func (r *response) closeElement(s *scanner, end int) {
	r.state = responseBetween
	content := s.bytes(r.inside, r.end.at)
	switch r.element {
	case "text":
		r.text.end(s)
		s.unwrap(end)
	case "thought":
		said := s.markup(Envelope, r.inside, r.end.at)
		said.Kind, said.Text = KindReasoning, bytes.Clone(content)
		r.thoughts = append(r.thoughts, said)
	case "actions":
		from := r.inside
		for name := range bytes.SplitSeq(content, []byte(",")) {
			r.contents.name(s, string(unescape(name)), nil, from, from+len(name))
			from += len(name) + 1
		}
	case "params":
		if r.contents.params, _ = lenientFields(content); r.contents.params == nil {
			r.contents.params = elements(content, 2)
		}
	}
}

// think reports the thoughts so far.
func (r *response) think(s *scanner) {
	for _, e := range r.thoughts {
		s.show.event(e)
	}
	r.thoughts = nil
}

// elements reads <name>value</name> … as fields whose values are strings or, to
// the given depth, objects where elements stand inside.
func elements(b []byte, depth int) []field {
	if depth == 0 {
		return nil
	}
	var fields []field
	var tag tagReader
	for i := 0; i < len(b); i++ {
		if b[i] != '<' {
			continue
		}
		tag.begin(i)
		v := tagMore
		for i++; i < len(b) && v == tagMore; i++ {
			v = tag.read(b[i], i)
		}
		if v != tagDone || tag.closing || tag.selfClosing {
			continue
		}
		name := string(b[tag.start:tag.nameEnd])
		end := tagEnd{names: []string{strings.ToLower(name)}}
		n, which := end.find(b, i, len(b), 0)
		if which < 0 {
			break
		}
		content := b[i:end.at]
		f := field{name, quoted(bytes.TrimSpace(unescape(content)))}
		if inner := elements(content, depth-1); inner != nil {
			f.value = joinFields(inner)
		}
		fields = append(fields, f)
		i = n - 1
	}
	return fields
}

// close ends the response before the offset end.
func (r *response) close(s *scanner, end int) verdict {
	var found []Event
	if r.spoken {
		found = r.text.scan.flags
	}
	s.begun = true
	s.unwrap(end)
	r.think(s)
	return s.take(end, r.contents.events(found)...)
}

// unclosed ends a response that the reply, or the limit, has cut off.
func (r *response) unclosed(s *scanner, why last) verdict {
	switch {
	case !r.certain:
		return plain
	case r.state == responseContent && r.element == "text" && why == overlong:
		return more // the text has no limit
	case r.state == responseContent && r.element == "text":
		r.readText(s, s.at, true)
		r.text.end(s)
	}
	return r.problem(s, s.at, why.kindOf(), "the response needs a closing </response>; its actions were not run")
}

// problem ends the response with what was not read of it.
func (r *response) problem(s *scanner, end int, kind, why string) verdict {
	s.begun = true
	r.think(s)
	return s.take(end, s.problem(kind, Envelope, s.start, end, why))
}
