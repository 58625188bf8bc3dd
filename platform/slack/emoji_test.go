package slack

import (
	"slices"
	"testing"
)

func TestEmojiHaveSlacksNames(t *testing.T) {
	for _, test := range []struct{ char, name string }{
		{"👍", "+1"},
		{"👎", "-1"},
		{"👀", "eyes"},
		{"🎉", "tada"},
		{"✅", "white_check_mark"},
		{"❌", "x"},
		{"🛑", "octagonal_sign"},
		{"🤔", "thinking_face"},
		{"❤️", "heart"},
		{"1️⃣", "one"},
		{"🔟", "keycap_ten"},
		{"🇩🇪", "flag-de"},
		{"👋🏽", "wave::skin-tone-4"},
		{"👨‍💻", "male-technologist"},
		{"🏆", "trophy"},
		{"😱", "scream"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := character(test.name); got != test.char {
				t.Errorf("%s is %q", test.name, got)
			}
			names, err := spellings(test.char)
			if err != nil || !slices.Contains(names, test.name) {
				t.Errorf("%s may be called %q, %v", test.char, names, err)
			}
		})
	}
	for given, want := range map[string]string{":party_parrot:": "party_parrot", "party_parrot": "party_parrot", ":Party_Parrot:": "party_parrot", "❤": "heart"} {
		if names, err := spellings(given); err != nil || names[0] != want {
			t.Errorf("%s may be called %q, %v", given, names, err)
		}
	}
	for _, given := range []string{"", "two words", "ab\ncd", "a/b", "\x00"} {
		if names, err := spellings(given); err == nil {
			t.Errorf("%q is called %q", given, names)
		}
	}
	if got := character("party_parrot"); got != ":party_parrot:" {
		t.Errorf("an emoji of the workspace's own is %q", got)
	}
}

func TestNamesOfEmojiInATextBecomeEmoji(t *testing.T) {
	for text, want := range map[string]string{
		"hi :wave:":                      "hi 👋",
		":wave::skin-tone-2: you":        "👋🏻 you",
		":party_parrot:":                 ":party_parrot:",
		"at 10:30:45":                    "at 10:30:45",
		"`:wave:` :wave:":                "`:wave:` 👋",
		"```\na:wave:b\n``` :wave:":      "```\na:wave:b\n``` 👋",
		"a: b: c":                        "a: b: c",
		":wave: ```:wave:":               "👋 ```:wave:",
		"::":                             "::",
		"http://x.org:80/:not_an_emoji:": "http://x.org:80/:not_an_emoji:",
	} {
		if got := unnamed(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
