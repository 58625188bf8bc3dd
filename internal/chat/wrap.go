package chat

import (
	"strings"

	"github.com/rivo/uniseg"
)

const tabStop = 4

// wrap cuts a visible text into rows that are at most so many columns wide, between
// words where it can be. Joined by line breaks and spaces they are the text again.
func wrap(text string, width int) []string {
	width = max(width, 2) // the widest character
	var rows []string
	for line := range strings.SplitSeq(text, "\n") {
		rows = append(rows, wrapLine(expandTabs(line), width)...)
	}
	return rows
}

func wrapLine(line string, width int) []string {
	var rows []string
	for {
		cut := fitting(line, width)
		if cut == len(line) {
			return append(rows, line)
		}
		rows = append(rows, strings.TrimRight(line[:cut], " "))
		line = line[cut:]
	}
}

// fitting is how many bytes of a line fit into a row. Spaces at its end need no room.
func fitting(line string, width int) int {
	at, columns, between := 0, 0, 0
	state := -1
	for rest := line; rest != ""; {
		cluster, tail, boundaries, next := uniseg.StepString(rest, state)
		if cluster != " " && columns+boundaries>>uniseg.ShiftWidth > width {
			if between > 0 {
				return between
			}
			return at
		}
		at += len(cluster)
		columns += boundaries >> uniseg.ShiftWidth
		if boundaries&uniseg.MaskLine == uniseg.LineCanBreak && strings.Trim(line[:at], " ") != "" {
			between = at
		}
		rest, state = tail, next
	}
	return at
}

func expandTabs(line string) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	for part := range strings.SplitAfterSeq(line, "\t") {
		text, tab := strings.CutSuffix(part, "\t")
		b.WriteString(text)
		if tab {
			b.WriteString(strings.Repeat(" ", tabStop-uniseg.StringWidth(b.String())%tabStop))
		}
	}
	return b.String()
}

// betweenCharacters reports whether a place in a text is not inside of what a person
// sees as one character.
func betweenCharacters(text string, at int) bool {
	state := -1
	for rest, passed := text, 0; rest != "" && passed <= at; {
		if passed == at {
			return true
		}
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		passed += len(cluster)
	}
	return at == len(text)
}
