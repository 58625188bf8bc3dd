package action

import (
	"encoding/json"
	"testing"
)

func spec(name string, aliases ...string) *Spec {
	return &Spec{Name: name, Aliases: aliases, Args: []Arg{
		{Name: "text", Aliases: []string{"argument"}},
		{Name: "kind", Optional: true, Values: []string{"fact", "preference"}},
	}}
}

func TestANameIsFoundExactlyOrNotAtAll(t *testing.T) {
	r, err := NewRegistry(spec("muteRoom", "MUTE_ROOM"), spec("sendMessage", "send-message"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"muteRoom": "muteRoom", "MUTE_ROOM": "muteRoom", "mute room": "muteRoom",
		"send-message": "sendMessage", "SENDMESSAGE": "sendMessage",
		"UNMUTE_ROOM": "", "mute": "", "": "", "send": "",
	} {
		got := ""
		if s := r.Find(name); s != nil {
			got = s.Name
		}
		if got != want {
			t.Errorf("%q finds %q, want %q", name, got, want)
		}
	}
}

func TestTwoActionsOfOneNameAreAnError(t *testing.T) {
	if _, err := NewRegistry(spec("react"), spec("other", "REACT")); err == nil {
		t.Error("there was none")
	}
}

func TestArgumentsAreReadLenientlyAndChecked(t *testing.T) {
	for _, test := range []struct{ name, args, text, kind, err string }{
		{name: "a string", args: `{"text":"tea"}`, text: "tea"},
		{name: "an alias", args: `{"argument":"tea"}`, text: "tea"},
		{name: "another spelling of the name", args: `{"TEXT":" tea "}`, text: "tea"},
		{name: "a number for a string", args: `{"text":5}`, text: "5"},
		{name: "a field that nobody knows", args: `{"text":"tea","colour":"red"}`, text: "tea"},
		{name: "one of the values", args: `{"text":"tea","kind":"preference"}`, text: "tea", kind: "preference"},
		{name: "none of the values", args: `{"text":"tea","kind":"wish"}`, err: `remember: kind is one of fact, preference, got "wish"`},
		{name: "a missing field", args: `{}`, err: "remember: text is missing"},
		{name: "an empty field", args: `{"text":" "}`, err: "remember: text is missing"},
		{name: "null", args: `{"text":null}`, err: "remember: text is missing"},
		{name: "no object", args: `[]`, err: "remember: the arguments are not a JSON object"},
	} {
		t.Run(test.name, func(t *testing.T) {
			args, err := spec("remember").Decode(json.RawMessage(test.args))
			message := ""
			if err != nil {
				message = err.Error()
			}
			if message != test.err || args["text"] != test.text || args["kind"] != test.kind {
				t.Errorf("got %v, %q", args, message)
			}
		})
	}
}
