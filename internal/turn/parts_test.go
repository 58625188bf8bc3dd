package turn

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/extract"
)

func TestAReplyIsCutWhereItsReadingChanges(t *testing.T) {
	tests := []struct {
		name, reply, want string
		config            extract.Config
	}{
		{"nothing", "", "[]", extract.Config{}},
		{"words", "Hello there.", "[{text Hello there.}]", extract.Config{}},
		{"a signal", "Noted. [REMEMBER:tea]\n", "[{text Noted. } {action [REMEMBER:tea]} {text \n}]", extract.Config{}},
		{"a signal that stays visible", "Noted. [REMEMBER:tea] Bye.", "[{text Noted. } {action [REMEMBER:tea]} {text  Bye.}]", extract.Config{VisibleSignals: true}},
		{"two signals", "[REMEMBER:a][REMEMBER:b]", "[{action [REMEMBER:a]} {action [REMEMBER:b]}]", extract.Config{}},
		{"directives", `<actions><react emoji="👋"/></actions>` + "\nHi", `[{markup <actions>} {action <react emoji="👋"/>} {markup </actions>} {text ` + "\nHi}]", extract.Config{}},
		{"no reply", "<no-reply/>", "[{control <no-reply/>}]", extract.Config{}},
		{"a block that never ends", "a <discord-action>{", "[{text a } {problem <discord-action>{}]", extract.Config{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := fmt.Sprint(Parts(test.config, test.reply)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestPartsAreTheWholeReply(t *testing.T) {
	parts := []string{"words ", "\n\n", "[REMEMBER:x]", "[SEARCH", "<think>", "</think>", "<actions>", `<react emoji="x"/>`, "</actions>", "<action>", `{"type":"a"}`, "</action>", "`", "```", "é", "<no-reply/>"}
	rapid.Check(t, func(t *rapid.T) {
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 20).Draw(t, "reply"), "")
		c := extract.Config{VisibleSignals: rapid.Bool().Draw(t, "visible")}
		whole := ""
		for _, s := range Parts(c, reply) {
			if s.Kind == "" || s.Text == "" || !utf8.ValidString(s.Text) {
				t.Errorf("there is %+v", s)
			}
			whole += s.Text
		}
		if whole != reply {
			t.Errorf("%q became %q", reply, whole)
		}
	})
}
