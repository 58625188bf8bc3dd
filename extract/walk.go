package extract

import "bytes"

// walk reads text until a candidate begins. It returns false at the end of the
// bytes at hand.
func (s *scanner) walk(last last) bool {
	w := s.w
	i := s.pos - s.base
	if s.code.run != 0 {
		if i = s.runOn(i, last); s.code.run != 0 {
			return false
		}
	}
	for i < len(w) {
		if s.code.fence != 0 {
			i = s.walkFence(i, last)
			continue
		}
		if !s.begun {
			i += leadingSpace(w[i:])
			if i == len(w) {
				break
			}
			if c := s.opensReply(w[i]); c != nil {
				s.begin(c, i)
				return true
			}
		}
		j := s.mark(i)
		if len(s.code.spans) > 0 {
			if k := s.walkParagraph(i, j); k >= 0 {
				i = k
				continue
			}
		}
		if j > i {
			s.begun = true
		}
		if j == len(w) {
			break
		}
		switch c := w[j]; c {
		case '<', '[':
			if j+1 < len(w) && s.class[w[j+1]]&opens(c) == 0 {
				s.begun = true
				i = j + 1
				continue
			}
			if c == '<' {
				s.opener.begin(s, j)
			} else {
				s.bracket.begin(s, j)
			}
			return true
		default:
			s.begun = true
			i = s.readRun(j, last)
		}
	}
	s.pos = s.base + len(w)
	s.walkLine(len(w))
	if last == ended {
		s.endParagraph()
	}
	return false
}

// opens is the class of the bytes that may follow a bracket.
func opens(bracket byte) class {
	if bracket == '<' {
		return classTag
	}
	return classSignal
}

// opensReply returns the candidate that a reply may begin with before any text,
// or nil.
func (s *scanner) opensReply(c byte) candidate {
	switch {
	case c == '{' || c == '`':
		s.envelope.begin()
		return &s.envelope
	case s.class[c]&classWord != 0 && !s.show.acted:
		s.word = word{}
		return &s.word
	case c != '<' && c != '[':
		s.begun = true
	}
	return nil
}

// walkParagraph looks for the end of a line between the indexes i and j of w
// while code spans are open, and returns where to go on, or -1 if there is none.
func (s *scanner) walkParagraph(i, j int) int {
	endless := len(s.pieces) > 0 && s.pieces[0].start+s.limit <= s.base+j
	if endless {
		j = max(i, s.pieces[0].start+s.limit-s.base)
	}
	n := bytes.IndexByte(s.w[i:j], '\n')
	switch {
	case n < 0 && endless:
		s.settle() // so long a paragraph is not waited for
		return i
	case n < 0:
		return -1
	}
	s.begun = true
	s.walkLine(i + n)
	s.pos = s.base + i + n
	if s.code.maybe >= 0 || s.code.line == lineBlank {
		s.endParagraph()
	}
	s.walkLine(i + n + 1)
	return i + n + 1
}

// endParagraph decides the open spans: a run that may be a fence is one, and the
// others do not close.
func (s *scanner) endParagraph() {
	if m := s.code.maybe; m >= 0 {
		fence := s.code.spans[m]
		s.drop(fence.pos)
		s.settle()
		s.code.enterFence('`', fence.length)
		return
	}
	s.settle()
}

// readRun reads the run of backticks or tildes at the index i of w and returns
// where to go on.
func (s *scanner) readRun(i int, last last) int {
	w, char := s.w, s.w[i]
	n := i + 1
	for n < len(w) && w[n] == char {
		n++
	}
	if char == '`' && n-i < 3 && len(s.code.spans) == 0 {
		// Most spans close right here.
		if k := bytes.IndexByte(w[n:], '`'); k >= 0 && k < s.limit && bytes.IndexByte(w[n:n+k], '\n') < 0 {
			end := n + k + n - i
			if end < len(w) && w[end] != '`' && (n-i == 1 || w[end-1] == '`') {
				return end
			}
		}
	}
	s.walkLine(i)
	s.code.runLine = s.code.line
	s.code.run, s.code.runLen = char, n-i
	if n == len(w) && last != ended {
		s.pos = s.base + n
		return n
	}
	s.endRun(n)
	return n
}

// runOn goes on reading a run that the last chunk ended in.
func (s *scanner) runOn(i int, last last) int {
	w := s.w
	for i < len(w) && w[i] == s.code.run {
		s.code.runLen++
		i++
	}
	s.pos = s.base + i
	if i == len(w) && last != ended {
		s.walkLine(i)
		return i
	}
	s.endRun(i)
	return i
}

// endRun decides what the run that ends before the index n of w is.
func (s *scanner) endRun(n int) {
	c := &s.code
	char, length, at := c.run, c.runLen, c.runLine
	c.run, c.runLen = 0, 0
	end := s.base + n
	switch {
	case c.fence != 0:
		c.closing = length >= c.fenceLen && (at == lineBlank || at == lineQuote && c.fenceQuoted)
	case char == '~':
		if length >= 3 && at.fenceMayFollow() {
			s.settle()
			c.enterFence('~', length)
			c.fenceQuoted = at != lineBlank
		}
	default:
		s.endTicks(length, end, at)
	}
}

// endTicks decides about a run of backticks in text.
func (s *scanner) endTicks(length, end int, at line) {
	c := &s.code
	s.notFence()
	open := c.spanOf(length)
	info := end-s.base < len(s.w) && !isSpace(s.w[end-s.base])
	switch {
	case length >= 3 && at.fenceMayFollow() && (open < 0 || info):
		c.maybe = len(c.spans)
		c.fenceQuoted = at != lineBlank
		c.spans = append(c.spans, span{length, end - length})
	case open >= 0:
		s.closeSpan(open)
	case length <= longestRun:
		c.spans = append(c.spans, span{length, end - length})
	}
}

// notFence is called when a backtick stands in the line of what may be a fence.
func (s *scanner) notFence() {
	c := &s.code
	m := c.maybe
	if m < 0 {
		return
	}
	length := c.spans[m].length
	if c.maybe = -1; length > longestRun {
		c.spans = c.spans[:m]
		return
	}
	for k := range m {
		if c.spans[k].length == length {
			s.closeSpan(k)
			return
		}
	}
}

// closeSpan makes code of everything from the beginning of a span on.
func (s *scanner) closeSpan(k int) {
	s.drop(s.code.spans[k].pos)
	s.code.spans = s.code.spans[:k]
	if k == 0 {
		s.settle()
	}
}

// walkFence reads inside a fence from the index i of w and returns where to go on.
func (s *scanner) walkFence(i int, last last) int {
	w := s.w
	if s.code.closing {
		for i < len(w) && isSpace(w[i]) {
			if w[i] == '\n' {
				s.code.fence, s.code.closing = 0, false
				return i + 1
			}
			i++
		}
		if i < len(w) {
			s.code.closing = false
		}
		return i
	}
	n := bytes.IndexByte(w[i:], s.code.fence)
	if n < 0 {
		return len(w)
	}
	i += n
	n = i
	for n < len(w) && w[n] == s.code.fence {
		n++
	}
	s.walkLine(i)
	s.code.run, s.code.runLen, s.code.runLine = s.code.fence, n-i, s.code.line
	if n < len(w) || last == ended {
		s.endRun(n)
	}
	return n
}
