package tools

import (
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
)

func TestCalculateSaysTheResultOrWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, expression, want string
		ok                     bool
	}{
		{"a product", "342 * 15", "342 * 15 = 5130", true},
		{"a percentage", "20% of 50", "20% of 50 = 10", true},
		{"nothing that can be divided by", "1/0", "1/0: division by zero", false},
		{"an expression without end", strings.Repeat("9", 2000), strings.Repeat("9", 100) + "…: the expression is too long", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := calculate()
			args, err := spec.Decode([]byte(`{"expression":"` + c.expression + `"}`))
			if err != nil {
				t.Fatal(err)
			}
			if out := spec.Run(t.Context(), action.Call{}, args); out.OK != c.ok || out.Summary != c.want {
				t.Errorf("it is %+v", out)
			}
		})
	}
}
