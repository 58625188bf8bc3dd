package action

import (
	"context"
	"strings"
	"testing"
)

func TestPolicy(t *testing.T) {
	everything := Policy{Enabled: true, On: func(string) bool { return true }, Confirm: []string{"destructive"}}
	may := func(Right) string { return "" }
	mayNot := func(r Right) string { return "you may not " + string(r) }
	query := &Spec{Name: "memoryShow", Category: "memory", Query: true}
	remember := &Spec{Name: "memoryRemember", Category: "memory", Signals: []string{"REMEMBER"}}
	send := &Spec{Name: "sendMessage", Category: "messaging"}
	create := &Spec{Name: "channelCreate", Category: "channels", Right: "manage channels", Server: true}
	remove := &Spec{Name: "channelDelete", Category: "channels", Right: "manage channels", Destructive: true, Server: true}
	spawn := &Spec{Name: "spawnAgent", Category: "spawn", Query: true}
	cron := &Spec{Name: "cronCreate", Category: "crons"}

	tests := []struct {
		name   string
		policy Policy
		in     Situation
		spec   *Spec
		rule   string // that refuses; "" runs, "ask" asks
	}{
		{"a person asks for something harmless", everything, Situation{Flow: OnMessage}, send, ""},
		{"actions are switched off", Policy{On: everything.On}, Situation{Flow: OnMessage}, send, "switch"},
		{"the category is off", Policy{Enabled: true, On: func(c string) bool { return c != "memory" }}, Situation{Flow: OnMessage}, query, "category"},
		{"a bot asks", everything, Situation{Flow: OnMessage, Bot: true}, send, "bot"},
		{"a person with the right", everything, Situation{Flow: OnMessage, May: may}, create, ""},
		{"a person without it", everything, Situation{Flow: OnMessage, May: mayNot}, create, "right"},
		{"nobody knows about rights", everything, Situation{Flow: OnMessage}, create, "right"},
		{"something destructive is asked about", everything, Situation{Flow: OnMessage, May: may}, remove, "ask"},
		{"in a reaction as well", everything, Situation{Flow: OnReaction, May: may}, remove, "ask"},
		{"without the right it is not even asked about", everything, Situation{Flow: OnMessage, May: mayNot}, remove, "right"},
		{"confirmation can be switched off", Policy{Enabled: true, On: everything.On}, Situation{Flow: OnMessage, May: may}, remove, ""},
		{"and on for a category", Policy{Enabled: true, On: everything.On, Confirm: []string{"messaging"}}, Situation{Flow: OnMessage}, send, "ask"},
		{"in a direct chat there are no channels", everything, Situation{Flow: OnMessage, Direct: true, May: may}, create, "server"},
		{"in a cron nobody confirms", everything, Situation{Flow: OnCron, May: may}, remove, "automated"},
		{"in a cron there is no memory", everything, Situation{Flow: OnCron}, remember, "flow"},
		{"nor are there crons", everything, Situation{Flow: OnCron}, cron, "flow"},
		{"but messages", everything, Situation{Flow: OnCron}, send, ""},
		{"a cron's follow-up is still a cron", everything, Situation{Flow: OnFollowUp, Origin: OnCron}, remember, "flow"},
		{"a deferral has no memory", everything, Situation{Flow: OnDeferral}, query, "flow"},
		{"a loop looks up", everything, Situation{Flow: OnLoop}, query, ""},
		{"a loop sends", everything, Situation{Flow: OnLoop}, send, ""},
		{"a loop does nothing else", everything, Situation{Flow: OnLoop}, remember, "flow"},
		{"a spawned agent spawns none", everything, Situation{Flow: OnSpawn, Depth: 1}, spawn, "flow"},
		{"an agent that a deferral has started has no memory either", everything, Situation{Flow: OnSpawn, Within: OnDeferral, Depth: 1}, remember, "flow"},
		{"one that a loop has started does nothing else either", everything, Situation{Flow: OnFollowUp, Origin: OnSpawn, Within: OnLoop, Depth: 1}, remember, "flow"},
		{"but it sends", everything, Situation{Flow: OnSpawn, Within: OnLoop, Depth: 1}, send, ""},
		{"one that a message has started remembers", everything, Situation{Flow: OnSpawn, Within: OnMessage, Depth: 1}, remember, ""},
		{"nor does one of its kind in another flow", everything, Situation{Flow: OnMessage, Depth: 1}, spawn, "depth"},
		{"a list allows by any name", everything, Situation{Flow: OnCron, Only: []string{"send-message"}}, &Spec{Name: "sendMessage", Category: "messaging", Directive: "send-message"}, ""},
		{"a list narrows", everything, Situation{Flow: OnMessage, Only: []string{"react"}}, send, "list"},
		{"a list never widens", everything, Situation{Flow: OnCron, Only: []string{"REMEMBER"}}, remember, "flow"},
		{"an empty list allows nothing", everything, Situation{Flow: OnMessage, Only: []string{}}, send, "list"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := test.policy.Decide(test.in, test.spec)
			got := v.Rule
			if v.Ask {
				got = "ask"
			}
			if got != test.rule || v.Run != (test.rule == "" || test.rule == "ask") || v.Run != (v.Why == "") {
				t.Errorf("got %+v, want %q", v, test.rule)
			}
		})
	}
}

func TestTheGuideNamesWhatCanBeSaidInTheDialectsThatAreOn(t *testing.T) {
	react := Define(Spec{Name: "react", Category: "messaging", Directive: "react", Description: "Put an emoji on a message.", Example: `{"type":"react","emoji":"eyes"}`}, nothing[struct {
		Emoji string `arg:"emoji"`
	}])
	remember := Define(Spec{Name: "memoryRemember", Category: "memory", Signals: []string{"REMEMBER"}, Description: "Keep a fact.", Example: `{"type":"memoryRemember","text":"…"}`}, nothing[rememberArgs])
	remove := Define(Spec{Name: "channelDelete", Category: "channels", Destructive: true, Description: "Delete a channel.", Example: `{"type":"channelDelete","channel":"…"}`}, nothing[struct {
		Channel Room `arg:"channel"`
	}])
	specs := []*Spec{react, remember, poll(), remove}
	tests := []struct {
		name  string
		guide Guide
		has   []string
		lacks []string
	}{
		{
			"blocks say everything",
			Guide{Blocks: true, Directives: true, Signals: true},
			[]string{`<action>{"type":"react","emoji":"eyes"}</action>`, "\nmessaging:\n", "answers (list of 2–4), what can be chosen", "durationHours? 1–768 (24)", "kind? fact|preference", "A person has to confirm it first.", "question ≤ 10 characters"},
			[]string{"[REMEMBER", "<actions>", HelpName},
		},
		{"directives say what they have names for", Guide{Directives: true}, []string{`<actions><react emoji="…"/></actions>`}, []string{"Keep a fact", "channelDelete"}},
		{"signals too", Guide{Signals: true}, []string{"[REMEMBER:text]"}, []string{"emoji", "channelDelete"}},
		{
			"what is rarely used costs a line",
			Guide{Blocks: true, Full: func(c string) bool { return c == "messaging" }},
			[]string{"- memory: memoryRemember\n", "- polls: poll\n", "- channels: channelDelete\n", HelpName, "Put an emoji"},
			[]string{"Keep a fact", "durationHours"},
		},
		{
			"an envelope has everything in one object",
			Guide{Blocks: true, Directives: true, Signals: true, Envelope: true},
			[]string{"exactly one JSON object", "\nREACT {\"emoji\":\"eyes\"}  Put an emoji", "\nCHANNEL_DELETE {\"channel\":\"…\"}  Delete a channel.", "kind? fact|preference", "A person has to confirm it first."},
			[]string{"[REMEMBER", "<action", "\"type\"", "anywhere in your reply"},
		},
		{
			"in an envelope, too, what is rarely used costs a line",
			Guide{Envelope: true, Full: func(c string) bool { return c == "messaging" }},
			[]string{"- memory: MEMORY_REMEMBER\n", "- channels: CHANNEL_DELETE\n", "with ACTION_HELP {\"category\":\"…\"}:"},
			[]string{"Keep a fact", "durationHours", "<action"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := test.guide.Text(specs)
			for _, part := range test.has {
				if !strings.Contains(text, part) {
					t.Errorf("it lacks %q:\n%s", part, text)
				}
			}
			for _, part := range test.lacks {
				if strings.Contains(text, part) {
					t.Errorf("it has %q:\n%s", part, text)
				}
			}
		})
	}
	if text := (Guide{}).Text(specs); text != "" {
		t.Errorf("without a dialect it says %q", text)
	}
	if text := (Guide{Envelope: true}).Text(nil); text != template {
		t.Errorf("without actions a model is asked for an envelope with %q", text)
	}
	if text := (Guide{Envelope: true}).Explain(specs[:1]); text != `REACT {"emoji":"eyes"}  Put an emoji on a message. Fields: emoji.` {
		t.Errorf("to who knows the rest an action is explained with %q", text)
	}
}

func nothing[A any](context.Context, Call, A) Outcome { return Outcome{} }
