package extract

import "bytes"

// thought is a candidate for <think>…</think>, of which the tag and its name were
// read. Once the tag is complete, nothing can make text of it but the end of the
// reply, so it is reported as it comes.
type thought struct {
	name    string
	inside  bool // the opening tag was read
	content int  // where what was not reported yet begins
	said    bool // something was reported already
	end     tagEnd
	kept    []byte // the content, while it may have to be shown because there is nothing else
}

func (t *thought) begin(name string) {
	*t = thought{name: name, kept: t.kept[:0]}
}

func (t *thought) read(s *scanner, hi int, why last) verdict {
	i := s.at - s.base
	for ; i < hi && !t.inside; i++ {
		switch c := s.w[i]; {
		case c == '>':
			t.inside, t.content = true, s.base+i+1
			t.end = tagEnd{names: []string{t.name}}
		case c != ' ' && c != '\t':
			return plain
		}
	}
	which := -1
	if t.inside {
		i, which = t.end.find(s.w, i, hi, s.base)
	}
	s.at = s.base + i
	if which >= 0 {
		return t.close(s, s.at)
	}
	switch {
	case !t.inside && why != 0:
		return plain
	case !t.inside:
		return more
	case why == overlong && len(s.code.spans) > 0:
		s.settle() // so long a paragraph is not waited for
	}
	if len(s.code.spans) == 0 {
		if why == ended {
			return t.unclosed(s)
		}
		t.say(s, t.end.heldFrom(s.at))
	}
	return more
}

// say reports the content up to an offset.
func (t *thought) say(s *scanner, to int) {
	if !t.said {
		t.said = true
		s.send(s.start)
		s.show.takeOut()
		s.show.event(s.markup(Reasoning, s.start, t.content))
	}
	if to > t.content {
		b := s.bytes(t.content, to)
		s.show.event(Event{Kind: KindReasoning, Dialect: Reasoning, Text: b, Pos: s.posOf(t.content), End: s.posOf(to)})
		if !s.show.visible && !s.show.acted {
			t.kept = append(t.kept, b[:min(len(b), s.limit-len(t.kept))]...)
		}
	}
	t.content = to
	s.passed(to)
}

// close ends the reasoning with its closing tag.
func (t *thought) close(s *scanner, end int) verdict {
	if len(s.code.spans) == 0 {
		t.say(s, t.end.at)
		return s.take(end, s.markup(Reasoning, t.content, end))
	}
	said := s.markup(Reasoning, t.content, t.end.at)
	said.Kind, said.Text = KindReasoning, bytes.Clone(s.bytes(t.content, t.end.at))
	return s.take(end,
		s.markup(Reasoning, s.start, t.content), said,
		s.markup(Reasoning, t.end.at, end))
}

// unclosed ends reasoning that the reply ended in. If there is nothing else it is
// shown as well: an empty answer helps no one.
func (t *thought) unclosed(s *scanner) verdict {
	t.say(s, s.at)
	if !s.show.visible && !s.show.acted && len(s.show.silent) == 0 {
		s.show.text(t.kept, s.posOf(s.at)-len(t.kept), s.posOf(s.at))
	}
	s.cand = nil
	return taken
}
