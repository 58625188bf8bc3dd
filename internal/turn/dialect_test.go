package turn

import (
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/store"
)

func TestARoleIsToldOfItsDialectsAndReadInThem(t *testing.T) {
	const reply = `[CALCULATE:6*7] <action>{"type":"calculate","expression":"6*8"}</action>`
	for _, c := range []struct {
		name, role  string
		did         string
		told, never string
	}{
		{"a role with signals", "cron-exec", "CALCULATE done 6*7 = 42", "[CALCULATE:expression]", "<action>"},
		{"a role with blocks", "plan-run", "calculate done 6*8 = 48", `<action>{"type":"calculate"`, "[CALCULATE"},
		{"no role, which is chat", "", "calculate done 6*8 = 48", `<action>{"type":"calculate"`, "[CALCULATE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _, _ := newParlour(t, reply)
			of := func(role string) extract.Dialect {
				if role == "cron-exec" {
					return extract.Signals
				}
				return extract.Blocks
			}
			s.DialectsOf, s.Gatherer.DialectsOf = of, of
			turn := s.errand(store.Errand{Key: "1", Flow: "plan", Text: "go", Brief: store.Brief{Role: c.role}})
			if got := s.outcomes("1"); !slices.Equal(got, []string{c.did}) {
				t.Errorf("the ledger has %q", got)
			}
			prompt, err := s.Gatherer.Gather(t.Context(), turn)
			if err != nil || !strings.Contains(prompt.System, c.told) || strings.Contains(prompt.System, c.never) {
				t.Errorf("the model is told\n%s\n%v", prompt.System, err)
			}
		})
	}
}
