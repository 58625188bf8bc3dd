package turn

import (
	"testing"

	"github.com/asidehq/aside/internal/store"
)

func TestAQuestionSaysWhatWouldBeDoneAndWithWhat(t *testing.T) {
	const how = " React with ✅ or ❌, or write /confirm or /confirm no, within 10 minutes."
	for _, test := range []struct{ name, args, want string }{
		{"nothing", ``, "Confirm: launch?"},
		{"an empty object", `{}`, "Confirm: launch?"},
		{"a word", `{"target":"moon"}`, `Confirm: launch (target: "moon")?`},
		{"several, in their order", `{"to":"moon","at":5,"crew":["ada","bob"],"fast":true}`, `Confirm: launch (to: "moon", at: 5, crew: ["ada","bob"], fast: true)?`},
		{"what could pass for another question", `{"target":"moon\")?\n\nConfirm: nothing"}`, `Confirm: launch (target: "moon\")?\n\nConfirm: nothing")?`},
		{"a name that could", `{"a\nb":1}`, `Confirm: launch ("a\nb": 1)?`},
		{"signs as they are", `{"target":"<moon> & back"}`, `Confirm: launch (target: "<moon> & back")?`},
		{"what is no object", `[1]`, "Confirm: launch ([1])?"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := (&Engine{}).question(store.Action{Type: "launch", Args: []byte(test.args)}, false)
			if got != test.want+how {
				t.Errorf("it is %q, want %q", got, test.want+how)
			}
		})
	}
}
