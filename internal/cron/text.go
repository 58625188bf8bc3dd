package cron

import "strings"

// clip is the beginning of a text, at most so many characters.
func clip(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// oneLine is a text that somebody has chosen as a part of a line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
