package extract

import "bytes"

// A watch looks out for the end of a code span, or of its paragraph, inside a
// candidate.
type watch struct {
	at    int  // what it looks at next
	run   int  // the length so far of a run of backticks that ends at at
	blank bool // only white space was seen on this line
}

// lookOut says how far the candidate may read before the watch has something to
// decide, and decides it once the candidate has read that far. If a code span
// closes there, the candidate was code and is gone.
func (s *scanner) lookOut(hi int, why last) (int, last) {
	o := &s.watch
	if len(s.pieces) > 0 && s.pieces[0].start+s.limit < s.base+hi {
		// So long a paragraph is not waited for.
		if s.at >= s.pieces[0].start+s.limit {
			s.settle()
			return hi, why
		}
		hi, why = s.pieces[0].start+s.limit-s.base, 0
	}
	for {
		for ; o.run == 0 && o.at < s.at; o.at++ {
			o.blank = o.blank && isSpace(s.w[o.at-s.base])
		}
		i := o.at - s.base
		if o.run == 0 {
			i = s.stop(i)
			switch {
			case i < hi && s.base+i > s.at:
				return i, 0
			case i >= hi && (why != ended || s.base+hi > s.at):
				return hi, 0
			}
			o.at = s.base + i
		}
		if i < len(s.w) && s.w[i] == '\n' && o.run == 0 && s.code.maybe < 0 && !o.blank {
			o.blank = true
			o.at++
			continue
		}
		for i < len(s.w) && s.w[i] == '`' {
			o.run++
			i++
		}
		o.at = s.base + i
		if i == len(s.w) && why != ended {
			return hi, why
		}
		if o.run > 0 {
			if s.ticksInside(o.run, o.at); s.cand == nil {
				return 0, 0
			}
			o.run, o.blank = 0, false
			continue
		}
		// The paragraph ends here.
		if s.code.maybe >= 0 {
			s.stepAside(o.at)
		}
		s.endParagraph()
		return hi, why
	}
}

// stop returns the index of the next backtick or newline at or after i. The places
// are kept: behind an open span every candidate asks, and each may be short.
func (s *scanner) stop(i int) int {
	for k, c := range [...]byte{'`', '\n'} {
		if s.stops[k] >= i {
			continue
		}
		if n := bytes.IndexByte(s.w[i:], c); n >= 0 {
			s.stops[k] = i + n
		} else {
			s.stops[k] = len(s.w)
		}
	}
	return min(s.stops[0], s.stops[1])
}

// ticksInside decides about a run of backticks that ends at the offset end
// inside the candidate.
func (s *scanner) ticksInside(length, end int) {
	open := len(s.code.spans)
	if s.notFence(); len(s.code.spans) < open {
		s.stepAside(end - length)
		return
	}
	if k := s.code.spanOf(length); k >= 0 {
		s.closeSpan(k)
		s.stepAside(end)
	}
}
