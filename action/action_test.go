package action

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type rememberArgs struct {
	Text string `arg:"text,argument"`
	Kind string `arg:"kind" optional:"true" values:"fact,preference"`
}

func spec(name string, aliases ...string) *Spec {
	return Define(Spec{Name: name, Aliases: aliases}, func(context.Context, Call, rememberArgs) Outcome { return Outcome{} })
}

func TestANameIsFoundExactlyOrNotAtAll(t *testing.T) {
	r, err := NewRegistry(spec("muteRoom", "SILENCE_ROOM", "be quiet"), spec("unmuteRoom", "SPEAK"), spec("sendMessage", "send-message"), spec("follow"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"muteRoom": "muteRoom", "MUTE_ROOM": "muteRoom", "mute room": "muteRoom",
		"send-message": "sendMessage", "SENDMESSAGE": "sendMessage",
		"UNMUTE_ROOM": "unmuteRoom", "Un-Mute Room": "unmuteRoom", "speak": "unmuteRoom",
		"silence-room": "muteRoom", "BE_QUIET": "muteRoom", "follow": "follow", "FOLLOW": "follow",
		"mute": "", "": "", " ": "", "_": "", "send": "", "room": "", "UNFOLLOW": "", "FOLLOW_ROOM": "", "MUTE_ROOMS": "", "SILENCE": "", "mute.room": "",
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

func TestANameHasALetter(t *testing.T) {
	for _, unnamed := range []*Spec{spec(""), spec("react", "_ -")} {
		if _, err := NewRegistry(unnamed); err == nil {
			t.Errorf("%q was taken", unnamed.Names())
		}
	}
}

func TestArgumentsAreReadLenientlyAndChecked(t *testing.T) {
	for _, test := range []struct{ name, args, text, kind, err string }{
		{name: "a string", args: `{"text":"tea"}`, text: "tea"},
		{name: "an alias", args: `{"argument":"tea"}`, text: "tea"},
		{name: "another spelling of the name", args: `{"TEXT":" tea "}`, text: "tea"},
		{name: "a number for a string", args: `{"text":5}`, text: "5"},
		{name: "a number longer than a float is exact", args: `{"text":1234567890123456789}`, text: "1234567890123456789"},
		{name: "one of the values", args: `{"text":"tea","kind":"Preference"}`, text: "tea", kind: "preference"},
		{name: "none of the values", args: `{"text":"tea","kind":"wish"}`, err: `remember: kind is one of fact, preference, got "wish"`},
		{name: "a missing field", args: `{}`, err: "remember: text is missing"},
		{name: "an empty field", args: `{"text":" "}`, err: "remember: text is missing"},
		{name: "null", args: `{"text":null}`, err: "remember: text is missing"},
		{name: "no object", args: `[]`, err: "remember: the arguments are not a JSON object"},
	} {
		t.Run(test.name, func(t *testing.T) {
			args, err := spec("remember").Decode(json.RawMessage(test.args))
			if message(err) != test.err {
				t.Fatalf("the error is %q", message(err))
			}
			if got, _ := args.value.(rememberArgs); err == nil && got != (rememberArgs{test.text, test.kind}) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

type pollArgs struct {
	Question string   `arg:"question" max:"10"`
	Answers  []string `arg:"answers,choices" min:"2" max:"4" each:"5" doc:"what can be chosen"`
	Hours    int      `arg:"durationHours" min:"1" max:"768" default:"24"`
	Several  bool     `arg:"allowMultiselect" optional:"true"`
	Channel  Room     `arg:"channel,channelId" optional:"true"`
	Topic    *string  `arg:"topic" max:"3"`
	Least    int      `arg:"least" min:"2" optional:"true"`
}

func poll() *Spec {
	return Define(Spec{
		Name: "poll", Category: "polls", Description: "Ask people to choose.", Example: `{"type":"poll","question":"Tea?","answers":["yes","no"]}`,
	}, func(_ context.Context, _ Call, args pollArgs) Outcome {
		return Found(args, "%d answers", len(args.Answers))
	})
}

func TestLimitsAreSaid(t *testing.T) {
	const fine = `"question":"Tea?","answers":["yes","no"]`
	topic, none := "x", ""
	for _, test := range []struct {
		name, args string
		want       pollArgs
		err        string
	}{
		{"all is well", `{` + fine + `}`, pollArgs{Question: "Tea?", Answers: []string{"yes", "no"}, Hours: 24}, ""},
		{"a comma string for a list", `{"question":"Tea?","choices":"yes, no,,maybe"}`, pollArgs{Question: "Tea?", Answers: []string{"yes", "no", "maybe"}, Hours: 24}, ""},
		{"a string for a number and a flag", `{` + fine + `,"durationHours":"5","allowMultiselect":"Yes"}`, pollArgs{Question: "Tea?", Answers: []string{"yes", "no"}, Hours: 5, Several: true}, ""},
		{"a whole float", `{` + fine + `,"durationHours":5.0}`, pollArgs{Question: "Tea?", Answers: []string{"yes", "no"}, Hours: 5}, ""},
		{"a room", `{` + fine + `,"channelId":123456789012345678}`, pollArgs{Question: "Tea?", Answers: []string{"yes", "no"}, Hours: 24, Channel: "123456789012345678"}, ""},
		{"something that may be empty", `{` + fine + `,"topic":""}`, pollArgs{Question: "Tea?", Answers: []string{"yes", "no"}, Hours: 24, Topic: &none}, ""},
		{"and may not", `{` + fine + `,"topic":"x"}`, pollArgs{Question: "Tea?", Answers: []string{"yes", "no"}, Hours: 24, Topic: &topic}, ""},
		{"one answer", `{"question":"Tea?","answers":["yes"]}`, pollArgs{}, "poll: answers needs 2 to 4 entries, got 1"},
		{"a long answer", `{"question":"Tea?","answers":["yes","certainly"]}`, pollArgs{}, "poll: an entry of answers has at most 5 characters, got 9"},
		{"a long question", `{"question":"Tea or coffee?","answers":["yes","no"]}`, pollArgs{}, "poll: question needs at most 10 characters, got 14"},
		{"no number", `{` + fine + `,"durationHours":"long"}`, pollArgs{}, `poll: durationHours is a whole number, got "long"`},
		{"half a number", `{` + fine + `,"durationHours":1.5}`, pollArgs{}, `poll: durationHours is a whole number, got "1.5"`},
		{"too large a number", `{` + fine + `,"durationHours":769}`, pollArgs{}, "poll: durationHours needs 1 to 768, got 769"},
		{"too small a number", `{` + fine + `,"least":1}`, pollArgs{}, "poll: least needs at least 2, got 1"},
		{"no flag", `{` + fine + `,"allowMultiselect":"maybe"}`, pollArgs{}, `poll: allowMultiselect is true or false, got "maybe"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			args, err := poll().Decode(json.RawMessage(test.args))
			if message(err) != test.err {
				t.Fatalf("the error is %q, want %q", message(err), test.err)
			}
			if got, _ := args.value.(pollArgs); err == nil && !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
	args, err := poll().Decode(json.RawMessage(`{` + fine + `,"colour":"red","type":"poll","channel":"#general"}`))
	if err != nil || !slices.Equal(args.Warnings, []string{"poll has no field colour"}) || args.Room != "#general" {
		t.Errorf("got %+v, %v", args, err)
	}
}

// Whatever a model writes, decoding gives arguments within their limits or an error
// that begins with the action's name.
func TestNoArgumentsBreakDecoding(t *testing.T) {
	values := rapid.SampledFrom([]any{nil, "", " ", "x", strings.Repeat("é", 20), 1, -1, 1e300, 0.5, true, []any{}, []any{nil, 1, "a"}, map[string]any{"a": 1}, "1,2,3", "true"})
	rapid.Check(t, func(t *rapid.T) {
		given := map[string]any{}
		for _, name := range []string{"question", "ANSWERS", "choices", "duration_hours", "allowMultiselect", "channel", "topic", "least", "other"} {
			if rapid.Bool().Draw(t, "has") {
				given[name] = values.Draw(t, name)
			}
		}
		raw, err := json.Marshal(given)
		if err != nil {
			t.Fatal(err)
		}
		args, err := poll().Decode(raw)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "poll: ") {
				t.Errorf("the error is %q", err)
			}
			return
		}
		got := args.value.(pollArgs)
		if n := len(got.Answers); n < 2 || n > 4 || got.Hours < 1 || got.Hours > 768 || got.Question == "" {
			t.Errorf("%s gives %+v", raw, got)
		}
		if out := poll().Run(context.Background(), Call{}, args); !out.OK {
			t.Errorf("%s comes to %+v", raw, out)
		}
	})
}

func TestASchemaSaysWhatTheTagsSay(t *testing.T) {
	var got map[string]any
	if err := json.Unmarshal(poll().Schema(), &got); err != nil {
		t.Fatal(err)
	}
	properties := got["properties"].(map[string]any)
	for name, want := range map[string]string{
		"question":         `{"maxLength":10,"minLength":0,"type":"string"}`,
		"answers":          `{"description":"what can be chosen","items":{"maxLength":5,"type":"string"},"maxItems":4,"minItems":2,"type":"array"}`,
		"durationHours":    `{"default":24,"maximum":768,"minimum":1,"type":"integer"}`,
		"allowMultiselect": `{"type":"boolean"}`,
		"channel":          `{"type":"string"}`,
	} {
		if b, _ := json.Marshal(properties[name]); string(b) != want {
			t.Errorf("%s is %s, want %s", name, b, want)
		}
	}
	if b, _ := json.Marshal(got["required"]); string(b) != `["question","answers"]` {
		t.Errorf("required are %s", b)
	}
}

func TestAStructThatCannotBeArgumentsPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it does not")
		}
	}()
	Define(Spec{}, func(context.Context, Call, struct{ When chan int }) Outcome { return Outcome{} })
}

// The right is checked in Args.Room, and the action acts on what its struct says.
func TestTheRoomThatIsCheckedIsTheOneThatIsActedOn(t *testing.T) {
	type args struct {
		Channel Room `arg:"channel" optional:"true"`
	}
	spec := Define(Spec{Name: "lock"}, func(context.Context, Call, args) Outcome { return Outcome{} })
	for _, given := range []string{`{}`, `{"channel":"general"}`, `{"channel":" general\n"}`, `{"channel":123}`, `{"channel":["general"]}`, `{"channel":{"id":1}}`, `{"channel":true}`} {
		got, err := spec.Decode(json.RawMessage(given))
		if err != nil {
			t.Fatal(err)
		}
		if acted := string(got.value.(args).Channel); acted != got.Room {
			t.Errorf("%s: %q is checked, %q is acted on", given, got.Room, acted)
		}
	}
}
