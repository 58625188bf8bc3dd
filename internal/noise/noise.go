// Package noise takes out of a reply what agents on the command line print about their
// work: calls of tools and what they gave back, spinners, counts of tokens.
//
// It imports package model. Before changing it, know the two things that must not happen:
// that an answer is eaten (so it only leaves whole lines out, never in code, and gives back
// what it was unsure about if little would be left), and that what looks like an
// instruction in a trace of a tool is carried out (so it works before replies are read).
package noise

import "strings"

// nothingElse is what is said when a reply has nothing but noise.
const nothingElse = "Done."

// What is left of a reply is little if it is less than a fifth and fewer characters than
// these. "Yes." may be a whole answer; it may also be what a careless rule has left of one.
const (
	littleLength = 40
	littlePart   = 5
)

// Clean is a reply without noise.
func Clean(reply string) string {
	unsure, sure := Lines(reply, Doubtful), Lines(reply, Certain)
	switch {
	case strings.TrimSpace(reply) == "":
		return reply
	case strings.TrimSpace(sure) == "":
		return nothingElse
	case little(unsure, sure):
		return sure
	}
	return unsure
}

func little(left, of string) bool {
	left = strings.TrimSpace(left)
	return left == "" || len([]rune(left)) < littleLength && littlePart*len([]rune(left)) < len([]rune(of))
}

// Lines leaves out lines that are at least so surely noise. The rest stays as it is, but
// for empty lines next to what was left out.
func Lines(text string, least Surety) string {
	s := sieve{least: least}
	var kept strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		kept.WriteString(s.line(line))
	}
	kept.WriteString(s.end())
	return kept.String()
}

// A sieve lets lines through that are no noise.
type sieve struct {
	least Surety
	state reading

	some    bool     // something was let through
	dropped bool     // something was left out since
	blank   []string // empty lines that wait for the next one
}

// line is what is let through with the next line, which has its end unless it is the last
// one.
func (s *sieve) line(line string) string {
	surety := s.state.next(line)
	switch {
	case surety >= s.least:
		s.dropped = true
		return ""
	case strings.TrimSpace(line) == "" && !s.state.code():
		s.blank = append(s.blank, line)
		return ""
	}
	return s.before() + line
}

// before are the empty lines before a line that is let through: one at most in place of
// what was left out, and none at the beginning.
func (s *sieve) before() string {
	blank := s.blank
	switch {
	case s.dropped && !s.some:
		blank = nil
	case s.dropped && len(blank) > 1:
		blank = blank[:1]
	}
	s.blank, s.dropped, s.some = nil, false, true
	return strings.Join(blank, "")
}

// end are the empty lines at the end, if nothing was left out there.
func (s *sieve) end() string {
	if s.dropped {
		return ""
	}
	return strings.Join(s.blank, "")
}
