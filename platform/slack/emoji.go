package slack

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kyokomi/emoji/v2"

	"github.com/asidehq/aside/platform"
)

// ownNames are those of Slack's names that the emoji library does not have, or means
// something else by.
var ownNames = map[string]string{
	"octagonal_sign": "🛑", "thinking_face": "🤔", "robot_face": "🤖", "hugging_face": "🤗", "unicorn_face": "🦄",
	"face_with_raised_eyebrow": "🤨", "smiling_face_with_3_hearts": "🥰", "face_with_symbols_on_mouth": "🤬",
	"nerd_face": "🤓", "zany_face": "🤪", "face_with_hand_over_mouth": "🤭", "shushing_face": "🤫", "face_with_monocle": "🧐",
	"star-struck": "🤩", "white_check_mark": "✅", "heavy_check_mark": "✔️", "x": "❌", "question": "❓", "exclamation": "❗",
	"bangbang": "‼️", "keycap_ten": "🔟", "one": "1️⃣", "two": "2️⃣", "three": "3️⃣", "four": "4️⃣", "five": "5️⃣", "six": "6️⃣",
	"seven": "7️⃣", "eight": "8️⃣", "nine": "9️⃣", "zero": "0️⃣", "+1": "👍", "-1": "👎", "heart": "❤️", "zap": "⚡",
	"writing_hand": "✍️", "no_entry": "⛔", "speech_balloon": "💬", "wastebasket": "🗑️", "male-technologist": "👨‍💻",
	"female-technologist": "👩‍💻", "hourglass_flowing_sand": "⏳", "ok_hand": "👌", "hocho": "🔪", "facepunch": "👊", "shrug": "🤷",
}

var (
	emojiName = regexp.MustCompile(`^[a-z0-9_+'-]{1,100}$`)
	flagName  = regexp.MustCompile(`^flag-([a-z]{2})$`)
)

const (
	colourful  = "\ufe0f" // makes an emoji of a sign that is also a letter
	firstTone  = '🏻'
	firstFlag  = '🇦'
	namesTried = 5
)

// character is the emoji of a name of Slack's, :name: if it is the workspace's own.
func character(name string) string {
	base, tone, _ := strings.Cut(strings.Trim(name, ":"), "::")
	found, ok := ownNames[base]
	if !ok {
		found, ok = emoji.CodeMap()[":"+base+":"]
	}
	if flag := flagName.FindStringSubmatch(base); !ok && flag != nil {
		found = string(firstFlag+rune(flag[1][0]-'a')) + string(firstFlag+rune(flag[1][1]-'a'))
		ok = true
	}
	if !ok {
		return ":" + base + ":"
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(tone, "skin-tone-")); err == nil && n >= 2 && n <= 6 {
		found = strings.TrimSuffix(found, colourful) + string(firstTone+rune(n-2))
	}
	return found
}

// spellings are the names under which Slack may know an emoji, the likeliest first. The
// library's are not all Slack's.
func spellings(given string) ([]string, error) {
	given = strings.TrimSpace(given)
	if custom := strings.ToLower(strings.Trim(given, ":")); emojiName.MatchString(custom) {
		return []string{custom}, nil
	}
	if given == "" || len(given) > 100 {
		return nil, platform.Refuse("%q is no emoji on Slack", short(given))
	}
	bare, tone := untoned(given)
	var names []string
	for name, char := range ownNames {
		if strings.ReplaceAll(char, colourful, "") == bare {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if first, size := utf8.DecodeRuneInString(bare); first >= firstFlag && first < firstFlag+26 {
		second, _ := utf8.DecodeRuneInString(bare[size:])
		names = append(names, "flag-"+string('a'+first-firstFlag)+string('a'+second-firstFlag))
	}
	var others []string
	for code, char := range emoji.CodeMap() {
		if strings.ReplaceAll(char, colourful, "") == bare {
			others = append(others, strings.Trim(code, ":"))
		}
	}
	slices.SortFunc(others, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	names = append(names, others...)
	for i, name := range names {
		names[i] = name + tone
	}
	if len(names) == 0 {
		return nil, platform.Refuse("Slack has no name for the emoji %s", short(given))
	}
	return names[:min(len(names), namesTried)], nil
}

// untoned is an emoji without what is invisible and without the colour of its skin, which
// Slack has in the name.
func untoned(given string) (bare, tone string) {
	bare = strings.Map(func(r rune) rune {
		switch {
		case r >= firstTone && r < firstTone+5:
			tone = "::skin-tone-" + strconv.Itoa(int(r-firstTone)+2)
			return -1
		case string(r) == colourful:
			return -1
		}
		return r
	}, given)
	return bare, tone
}

var code = regexp.MustCompile("(?s)```.*?(```|$)|`[^`\n]*`")

var nameInText = regexp.MustCompile(`:[a-z0-9_+'-]+:(:skin-tone-[2-6]:)?`)

// unnamed is a text with emoji in place of their names, except in code.
func unnamed(text string) string {
	if strings.Count(text, ":") < 2 {
		return text
	}
	var b strings.Builder
	at := 0
	replace := func(part string) {
		b.WriteString(nameInText.ReplaceAllStringFunc(part, func(found string) string {
			if char := character(found); !strings.HasPrefix(char, ":") {
				return char
			}
			return found
		}))
	}
	for _, span := range code.FindAllStringIndex(text, -1) {
		replace(text[at:span[0]])
		b.WriteString(text[span[0]:span[1]])
		at = span[1]
	}
	replace(text[at:])
	return b.String()
}
