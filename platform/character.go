package platform

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// size is how much a character of some bytes counts.
func (c Count) size(r rune, bytes int) int {
	if c == CountBytes {
		return bytes
	}
	return c.ofRune(r)
}

// joined tells whether the characters before and after a place are one grapheme.
// One of them is white space, a backtick or a full stop: what stands further away
// does not matter.
func joined(text string, at int) bool {
	if at == 0 || at == len(text) || text[at-1] < utf8.RuneSelf && text[at] < utf8.RuneSelf {
		return false
	}
	_, before := utf8.DecodeLastRuneInString(text[:at])
	_, after := utf8.DecodeRuneInString(text[at:])
	pair := text[at-before : at+after]
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(pair, -1)
	return len(cluster) > before
}

// newline is how long the newline is that a text begins with, or 0.
func newline(text string) int {
	switch {
	case strings.HasPrefix(text, "\n"):
		return 1
	case strings.HasPrefix(text, "\r\n"):
		return 2
	}
	return 0
}

// isSpace tells whether a text may be cut at a character. It may not at spaces
// whose purpose is to prevent that.
func isSpace(r rune) bool {
	const noBreak, figure, narrow = '\u00a0', '\u2007', '\u202f'
	return unicode.IsSpace(r) && r != noBreak && r != figure && r != narrow
}

// isStop tells whether a character ends a sentence.
func isStop(r rune) bool { return strings.ContainsRune(".!?…", r) || isWideStop(r) }

// isWideStop tells whether it does so without a space after it.
func isWideStop(r rune) bool { return r > unicode.MaxASCII && strings.ContainsRune("。！？｡", r) }

// isCloser tells whether a character may stand between a full stop and the space.
func isCloser(r rune) bool { return strings.ContainsRune(`"')]*_”’»›」』）】`, r) }

// endsSentence tells whether a sentence ends before white space. "e.g. this" has
// no end in it, and neither has "1. First".
func endsSentence(before, after string) bool {
	r, n := utf8.DecodeLastRuneInString(before)
	for range 4 {
		if !isCloser(r) {
			break
		}
		before = before[:len(before)-n]
		r, n = utf8.DecodeLastRuneInString(before)
	}
	if !isStop(r) {
		return false
	}
	if next, _ := utf8.DecodeRuneInString(after); unicode.IsLower(next) {
		return false
	}
	near := before[max(0, len(before)-longestPrefix):]
	line := near[strings.LastIndexByte(near, '\n')+1:]
	return r != '.' || strings.Trim(line, "0123456789. \t>") != ""
}
