package messaging

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kyokomi/emoji/v2"
	"github.com/rivo/uniseg"

	"github.com/asidehq/aside/platform"
)

// colourful is the character that makes an emoji of a sign that is also a letter: ❤ ❤️.
const colourful = "\ufe0f"

// ownEmoji is one of a Discord server's own: name:id, <:name:id> or <a:name:id>.
var ownEmoji = regexp.MustCompile(`^(?:<a?:)?:?(\w{2,32}):([0-9]{15,20})>?$`)

// Emoji is the emoji that a model means, as a platform's Reactor takes it: by a name
// such as eyes, with or without colons, as a character, or as name:id on Discord.
func Emoji(on, name string) (string, error) {
	name = strings.TrimSpace(name)
	if own := ownEmoji.FindStringSubmatch(name); own != nil {
		if on != "discord" {
			return "", platform.Refuse("%s has no emoji of its own such as %s; use a character", on, own[1])
		}
		return own[1] + ":" + own[2], nil
	}
	found, ok := byName(name)
	if !ok {
		if !isEmoji(name) {
			return "", platform.Refuse("there is no emoji called %q; use its character", cut(strings.Trim(name, ":"), 40))
		}
		found = name
	}
	if on == "telegram" { // which knows each emoji without it, and only so
		return bare(found), nil
	}
	return whole(found), nil
}

// byName finds :thumbs_up:, thumbs_up, Thumbs-Up or thumbs up.
func byName(name string) (string, bool) {
	all := emoji.CodeMap()
	name = strings.Trim(name, ":")
	lower := strings.ToLower(name)
	for _, spelling := range []string{name, lower, strings.NewReplacer("-", "_", " ", "_").Replace(lower)} {
		if found, ok := all[":"+spelling+":"]; ok {
			return found, true
		}
	}
	return "", false
}

// isEmoji tells whether a text is one emoji, of which there are more every year: one
// grapheme that begins with a symbol, or a keycap such as 1️⃣.
func isEmoji(text string) bool {
	grapheme, rest, _, _ := uniseg.FirstGraphemeClusterInString(text, -1)
	if grapheme == "" || rest != "" || len(grapheme) > 100 {
		return false
	}
	const keycap = "\u20e3"
	first, _ := utf8.DecodeRuneInString(grapheme)
	if first < utf8.RuneSelf {
		return strings.ContainsRune("0123456789#*", first) && strings.HasSuffix(grapheme, keycap)
	}
	return unicode.Is(unicode.So, first) || first >= 0x1f000 && first < 0x1fb00 || unicode.Is(unicode.Sm, first) || strings.ContainsRune("‼⁉〰〽ℹ", first)
}

func bare(emoji string) string { return strings.ReplaceAll(emoji, colourful, "") }

// whole is an emoji with all that belongs to it. Models leave out what cannot be seen.
func whole(given string) string {
	plain, best := bare(given), given
	for _, known := range emoji.CodeMap() {
		if len(known) < len(best) || !strings.Contains(known, colourful) || bare(known) != plain {
			continue
		}
		if len(known) > len(best) || known < best { // the same one every time
			best = known
		}
	}
	return best
}
