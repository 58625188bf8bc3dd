package model

import "unicode/utf8"

// Tokens is about how many tokens a text has. No two models count alike, and no exact
// count is needed: it decides how much history fits a prompt, and errs on the side of
// too many. Four ASCII characters are about a token; of other writing, one is.
func Tokens(text string) int {
	narrow, wide := 0, 0
	for _, r := range text {
		if r < utf8.RuneSelf {
			narrow++
		} else {
			wide++
		}
	}
	return (narrow+3)/4 + wide
}
