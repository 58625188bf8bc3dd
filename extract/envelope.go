package extract

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// An envelope is a reply that as a whole is an object with a text and actions.
// There are two forms, envelope_json.go and envelope_xml.go; what they share is
// here.

// word is a candidate for a reply that is nothing but a control, bare or in
// brackets.
type word struct {
	bracket bool
	n       int // how many letters were read
	lo, hi  int // the controls whose names fit
	end     int // the offset behind the word, once it is complete
}

func (d *word) read(s *scanner, hi int, why last) verdict {
	for i := s.at - s.base; i < hi; i++ {
		c, at := s.w[i], s.base+i
		if at == s.start {
			d.hi = len(controls)
			if d.bracket = c == '['; d.bracket {
				continue
			}
		}
		switch {
		case d.end > 0:
			if !isSpace(c) {
				return again
			}
		case d.bracket && c == ']' || !d.bracket && isSpace(c):
			if !controls.whole(d.lo, d.hi, d.n) {
				return again
			}
			if d.end = at; d.bracket {
				d.end++
			}
		default:
			if d.lo, d.hi = controls.narrow(d.lo, d.hi, d.n, lower(c)); d.lo == d.hi {
				return again
			}
			d.n++
		}
	}
	s.at = s.base + hi
	if why == 0 {
		return more
	}
	if d.end == 0 && !d.bracket && controls.whole(d.lo, d.hi, d.n) {
		d.end = s.at
	}
	if why == overlong || d.end == 0 {
		return again
	}
	return s.take(d.end, s.event(KindControl, Envelope, controls[d.lo], s.start, d.end))
}

// envelopeText reads the text in an envelope, decoded, with a scanner of its own:
// the other dialects' instructions count there too.
type envelopeText struct {
	scan *scanner
}

// begin starts the text. What stands before it is markup.
func (t *envelopeText) begin(s *scanner, at int) {
	if t.scan == nil {
		t.scan = &scanner{inner: true}
		t.scan.init(s.tables.forText(), s.show)
	}
	t.scan.reset()
	s.unwrap(at)
}

// feed reads decoded bytes that stand at an offset of the outer scanner.
func (t *envelopeText) feed(s *scanner, b []byte, at int) {
	in, pos := t.scan, s.posOf(at)
	next := in.base + len(in.buf)
	passed := 0
	for passed+1 < len(in.segments) && in.segments[passed+1].at <= in.sent {
		passed++
	}
	in.segments = slices.Delete(in.segments, 0, passed)
	if n := len(in.segments); n == 0 || in.segments[n-1].pos+next-in.segments[n-1].at != pos {
		in.segments = append(in.segments, segment{next, pos})
	}
	in.feed(b)
}

// feedRune reads a character that was decoded from what stands at an offset. It is
// kept in the arena, where it stays until the queue is drained.
func (t *envelopeText) feedRune(s *scanner, r rune, at int) {
	start := len(s.show.arena)
	s.show.arena = utf8.AppendRune(s.show.arena, r)
	t.feed(s, s.show.arena[start:], at)
}

// end ends the text. Everything in it is decided then.
func (t *envelopeText) end(s *scanner) {
	t.scan.end()
	s.show.takeOut()
}

// passed notes that the bytes before an offset need not be held any more.
func (s *scanner) passed(at int) {
	s.sent, s.start, s.pos = at, at, at
	s.leaveLine(at)
}

// unwrap takes out the bytes of an envelope up to an offset.
func (s *scanner) unwrap(to int) {
	s.send(s.start)
	s.show.takeOut()
	if to > s.start {
		s.show.event(s.markup(Envelope, s.start, to))
	}
	s.passed(to)
}

// contents is what an envelope holds beside its text.
type contents struct {
	named   bool // it names actions, if only an empty list
	actions []Event
	own     [][]field // the parameters that stand with an action, if it is an object
	params  []field
}

// name adds an action by its name, which stands between two offsets, perhaps with
// parameters of its own.
func (c *contents) name(s *scanner, name string, own []field, from, to int) {
	name = strings.TrimSpace(name)
	switch normal(name) {
	case "", "none", "null":
	default:
		c.actions = append(c.actions, s.event(KindAction, Envelope, name, from, to))
		c.own = append(c.own, own)
	}
}

// item adds an action that is a JSON value between two offsets: its name, or an object
// with its name and parameters.
func (c *contents) item(s *scanner, value []byte, from, to int) {
	if value[0] != '{' {
		c.name(s, text(value), nil, from, to)
		return
	}
	fields, err := lenientFields(value)
	if err != nil {
		return
	}
	name, own := typeOf(fields)
	for _, f := range own {
		if f.name == "params" && f.value[0] == '{' {
			own, _ = lenientFields(f.value) // it was read once already
			break
		}
	}
	c.name(s, name, own, from, to)
}

// normal is the form in which names are compared.
func normal(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// add reads a member of the object that is a JSON value between two offsets.
func (c *contents) add(s *scanner, key string, from, to int) {
	value := s.bytes(from, to)
	switch key {
	case "action", "actions":
		switch value[0] {
		case '"':
			c.named = true
			c.item(s, value, from, to)
		case '{': // one that names nothing may be anything
			c.item(s, value, from, to)
			c.named = c.named || len(c.actions) > 0
		case '[':
			items, err := lenientItems(value)
			if err != nil {
				return
			}
			c.named = true
			for _, item := range items {
				c.item(s, item.value, from+item.pos, from+item.end)
			}
		}
	case "params":
		c.params, _ = lenientFields(value)
	}
}

// text is the string that a JSON value is, or "".
func text(value []byte) string {
	if value[0] == '"' && bytes.IndexByte(value, '\\') < 0 {
		return string(value[1 : len(value)-1])
	}
	fields, err := lenientFields(slices.Concat([]byte(`{"name":`), value, []byte(`}`)))
	if err != nil {
		return ""
	}
	var name string
	_ = json.Unmarshal(fields[0].value, &name) // what is no string names nothing
	return name
}

// events are the actions, each with the flags found in the text and its
// parameters. Flags that no action receives are a problem.
func (c *contents) events(found []Event) []Event {
	var events []Event
	var given []field
	for _, f := range found {
		given = append(given, field{f.Name, json.RawMessage("true")})
		if len(c.actions) == 0 {
			f.Kind = KindProblem
			f.Instruction = &Instruction{Name: Misplaced, Raw: f.Raw, Why: "there is no action that could receive " + f.Raw}
			events = append(events, f)
		}
	}
	for i, e := range c.actions {
		e.Args = joinFields(append(given[:len(given):len(given)], c.paramsOf(i)...))
		events = append(events, e)
	}
	return events
}

// paramsOf are the parameters of an action: its own, or what stands under its name or,
// if it is the only one, everything.
func (c *contents) paramsOf(i int) []field {
	if len(c.own[i]) > 0 {
		return c.own[i]
	}
	name := c.actions[i].Name
	for _, f := range c.params {
		if normal(f.name) == normal(name) {
			if fields, err := lenientFields(f.value); err == nil {
				return fields
			}
		}
	}
	if len(c.actions) == 1 {
		return c.params
	}
	return nil
}
