package config

import (
	"reflect"
	"regexp"
	"strings"
	"unicode"
)

// longestGlyph is how long an emoji may be, in bytes: the longest families have 35, and a
// server's own has a name and an id.
const longestGlyph = 64

// ownGlyph is an emoji that a server has made, by its name and its id.
var ownGlyph = regexp.MustCompile(`^\w+:\d+$`)

// isGlyph tells whether a text can be an emoji. Which ones there are is known by each
// platform.
func isGlyph(text string) bool {
	symbol := strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxLatin1 && !unicode.IsLetter(r) && !unicode.IsSpace(r) })
	return len(text) <= longestGlyph && (ownGlyph.MatchString(text) || symbol && !strings.ContainsFunc(text, unicode.IsSpace))
}

// checkGlyphs checks that marks can be told apart.
func (d *decoder) checkGlyphs(g Glyphs) {
	const path = "reactions.glyphs"
	seen := map[string]string{}
	for _, k := range keysOf(reflect.TypeOf(g)) {
		inner := join(path, k.name)
		glyph := reflect.ValueOf(g).FieldByIndex(k.index).String()
		if d.wrong[inner] {
			continue
		}
		at, ok := d.given[inner]
		if !ok {
			at = d.given[path]
		}
		if !isGlyph(glyph) {
			d.report(at, inner, "this is not an emoji; write its character, such as 👀")
			continue
		}
		bare := strings.ReplaceAll(glyph, "\ufe0f", "") // which nobody can see
		if other, ok := seen[bare]; ok {
			d.report(at, inner, "%s is %s as well; people could not tell the two apart, so choose another", glyph, other)
			continue
		}
		seen[bare] = k.name
	}
}
