package messaging

import (
	"testing"

	"github.com/kyokomi/emoji/v2"
	"pgregory.net/rapid"
)

func TestEmojiAreFoundByWhateverTheyAreCalled(t *testing.T) {
	for _, test := range []struct{ name, on, given, want, err string }{
		{"by name", "signal", "eyes", "👀", ""},
		{"by name with colons", "signal", ":eyes:", "👀", ""},
		{"by name in capitals", "signal", "Eyes", "👀", ""},
		{"by name with a hyphen", "signal", "thumbs-up", "👍", ""},
		{"by name with a space", "signal", " thumbs up ", "👍", ""},
		{"by a name with a sign", "signal", ":+1:", "👍", ""},
		{"thumbsup", "signal", "thumbsup", "👍", ""},
		{"thumbs_up", "signal", "thumbs_up", "👍", ""},
		{"heart", "signal", "heart", "❤️", ""},
		{"fire", "signal", "fire", "🔥", ""},
		{"smile", "signal", "smile", "😄", ""},
		{"laughing", "signal", "laughing", "😆", ""},
		{"tada", "signal", "tada", "🎉", ""},
		{"clap", "signal", "clap", "👏", ""},
		{"ok_hand", "signal", "ok_hand", "👌", ""},
		{"a rarer one", "signal", ":white_check_mark:", "✅", ""},
		{"a flag", "signal", ":de:", "🇩🇪", ""},
		{"as a character", "signal", "🎉", "🎉", ""},
		{"as a character that lacks its colour", "signal", "❤", "❤️", ""},
		{"a keycap that lacks its colour", "signal", "1\u20e3", "1️⃣", ""},
		{"a keycap", "signal", "1️⃣", "1️⃣", ""},
		{"with a tone of skin", "signal", "👍🏽", "👍🏽", ""},
		{"several characters that are one", "signal", "👩‍💻", "👩‍💻", ""},
		{"one in which a part lacks its colour", "signal", "❤\u200d🔥", "❤️\u200d🔥", ""},
		{"a sign of mathematics", "signal", "✖️", "✖️", ""},
		{"an arrow", "signal", "↔️", "↔️", ""},
		{"one that is newer than the list", "signal", "\U0001faea", "\U0001faea", ""},
		{"on Telegram without what it does not take", "telegram", "heart", "❤", ""},
		{"on Telegram as a character", "telegram", "❤️", "❤", ""},
		{"a server's own", "discord", "party:123456789012345678", "party:123456789012345678", ""},
		{"a server's own as Discord writes it", "discord", "<:party:123456789012345678>", "party:123456789012345678", ""},
		{"a server's own that moves", "discord", "<a:party:123456789012345678>", "party:123456789012345678", ""},
		{"a server's own elsewhere", "signal", "party:123456789012345678", "", "signal has no emoji of its own such as party; use a character"},
		{"a name that nobody knows", "signal", ":partay:", "", `there is no emoji called "partay"; use its character`},
		{"a server's own without its id", "discord", ":party_parrot_of_ours:", "", `there is no emoji called "party_parrot_of_ours"; use its character`},
		{"a word", "signal", "hello there", "", `there is no emoji called "hello there"; use its character`},
		{"two of them", "signal", "🎉🎉", "", `there is no emoji called "🎉🎉"; use its character`},
		{"a digit", "signal", "1", "", `there is no emoji called "1"; use its character`},
		{"a letter", "signal", "é", "", `there is no emoji called "é"; use its character`},
		{"nothing", "signal", "::", "", `there is no emoji called ""; use its character`},
		{"what breaks lines", "signal", "a\nb", "", `there is no emoji called "a\nb"; use its character`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Emoji(test.on, test.given)
			if got != test.want || words(err) != test.err {
				t.Errorf("it is %q (%q), %v", got, test.want, err)
			}
		})
	}
}

func TestEveryEmojiOfTheListIsOneByNameAndByCharacter(t *testing.T) {
	for name, character := range emoji.CodeMap() {
		if found, ok := byName(name); !ok || found != character {
			t.Errorf("%s is %q", name, found)
		}
		if !isEmoji(character) {
			t.Errorf("%s is no emoji: %+q", name, character)
		}
	}
}

func TestAnEmojiStaysWhatItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := rapid.OneOf(rapid.String(), rapid.StringMatching(`:?[a-z_]{1,12}:?`), rapid.SampledFrom([]string{"❤", "1\u20e3", "👁\u200d🗨", "🏳\u200d🌈"})).Draw(t, "given")
		for _, on := range []string{"discord", "telegram", "signal"} {
			first, err := Emoji(on, given)
			if err != nil {
				continue
			}
			if second, err := Emoji(on, first); err != nil || second != first {
				t.Fatalf("%q on %s is %q, and that is %q, %v", given, on, first, second, err)
			}
		}
	})
}

func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
