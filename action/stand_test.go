package action

import (
	"context"
	"testing"
)

func TestWhatAnActionStandsForHasToBeAllowedToo(t *testing.T) {
	remove := &Spec{Name: "deleteMessage", Category: "messaging", Right: "manage messages", Destructive: true}
	recall := &Spec{Name: "memoryShow", Category: "memory", Query: true}
	do := Standing(Define(Spec{Name: "do", Category: "search"}, func(context.Context, Call, rememberArgs) Outcome { return Outcome{} }),
		func(args rememberArgs) *Spec { return map[string]*Spec{"remove": remove, "recall": recall}[args.Text] })
	off := func(category string) Policy {
		return Policy{Enabled: true, On: func(c string) bool { return c != category }, Confirm: []string{"destructive"}}
	}
	may, mayNot := func(Right) string { return "" }, func(Right) string { return "you may not" }
	for _, c := range []struct {
		name, text string
		policy     Policy
		in         Situation
		rule       string // that refuses; "" runs, "ask" asks
	}{
		{"itself", "sing", off(""), Situation{Flow: OnMessage}, ""},
		{"itself where it is off", "recall", off("search"), Situation{Flow: OnMessage}, "category"},
		{"another", "recall", off(""), Situation{Flow: OnMessage}, ""},
		{"another that is off", "recall", off("memory"), Situation{Flow: OnMessage}, "category"},
		{"another that the flow has not", "recall", off(""), Situation{Flow: OnCron}, "flow"},
		{"another that destroys", "remove", off(""), Situation{Flow: OnMessage, May: may}, "ask"},
		{"another that the person may not do", "remove", off(""), Situation{Flow: OnMessage, May: mayNot}, "right"},
		{"another that nobody can confirm", "remove", off(""), Situation{Flow: OnCron, May: may}, "automated"},
		{"another, with a list that names itself", "recall", off(""), Situation{Flow: OnMessage, Only: []string{"do"}}, ""},
		{"another, with a list that names only that", "recall", off(""), Situation{Flow: OnMessage, Only: []string{"memoryShow"}}, "list"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args, err := do.Decode([]byte(`{"text":"` + c.text + `"}`))
			if err != nil {
				t.Fatal(err)
			}
			v := c.policy.DecideCall(c.in, do, args)
			got := v.Rule
			if v.Ask {
				got = "ask"
			}
			if got != c.rule || v.Run != (c.rule == "" || c.rule == "ask") {
				t.Errorf("got %+v, want %q", v, c.rule)
			}
		})
	}
}
