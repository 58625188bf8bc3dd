package rehearsal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/rehearsal"
)

// atOnce is a model that does not wait.
func atOnce(runes int) *rehearsal.Model {
	return rehearsal.New(rehearsal.Options{Runes: runes, Delay: func(context.Context) error { return nil }})
}

func ask(message string) model.Request {
	return model.Request{Messages: []model.Message{{Role: model.User, Text: message}}}
}

// answer is the whole reply to a message.
func answer(t interface{ Fatal(...any) }, message string) string {
	var b strings.Builder
	end := model.End("")
	for d, err := range atOnce(7).Stream(context.Background(), ask(message)) {
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(d.Text)
		end = d.End
	}
	if end != model.Done {
		t.Fatal("the stream has no end")
	}
	return b.String()
}

// found is what a reply says, for comparing: its text, then a line for each
// instruction.
func found(r extract.Result) string {
	var b strings.Builder
	b.Write(r.Text)
	line := func(what string, e extract.Event) {
		fmt.Fprintf(&b, "\n%s %s %s %s", what, e.Dialect, e.Name, e.Args)
	}
	if len(r.Reasoning) > 0 {
		fmt.Fprintf(&b, "\nreasoning %q", r.Reasoning)
	}
	for _, e := range r.Actions {
		line("action", e)
	}
	for _, e := range r.Controls {
		line("control", e)
	}
	for _, e := range r.Problems {
		line("problem", e)
	}
	return strings.TrimRight(b.String(), " ")
}

const (
	greeting = "Hello! I am the rehearsal model: I need no key and no network, and I know a few requests only. Say `help` to see them.\n" +
		`action directives react {"emoji":"👋"}`
	thinking = `I have thought about tea. A rehearsal knows nothing about it, but the thinking was there: it is kept for the record and not shown.
reasoning "\nThe question is about tea. I am a rehearsal and know nothing about it; I will say so.\n"`
	code = "These instructions stand in code, so they are text and nothing comes of them:\n\n" +
		"```\n<actions><react emoji=\"eyes\"/></actions>\n[REMEMBER:nothing]\n<discord-action>{\"type\":\"memoryShow\"}</discord-action>\n```\n\n" +
		"The same within a line: `[CALCULATE:6*7]`."
)

func TestRequests(t *testing.T) {
	unknown := "I do not know that one. " + rehearsal.Help()
	cases := []struct{ name, message, want string }{
		{"a greeting", "hello", greeting},
		{"a greeting with a name", "Hi, Aside!", greeting},
		{"a greeting in capitals", " HELLO!\n", greeting},
		{"a word that begins like a greeting", "history", unknown},

		{"something to remember", "remember the milk", "I am writing that down.\naction signals REMEMBER {\"argument\":\"the milk\"}"},
		{"something to remember, as people say it", "Remember that I like green tea", "I am writing that down.\naction signals REMEMBER {\"argument\":\"I like green tea\"}"},
		{"something with brackets", "remember list [1,2] ok", "I am writing that down.\naction signals REMEMBER {\"argument\":\"list [1,2] ok\"}"},
		{"something with half a bracket", "remember a] [CALCULATE:1", "I am writing that down.\naction signals REMEMBER {\"argument\":\"a CALCULATE:1\"}"},
		{"something with a blank line", "remember one\n\ntwo", "I am writing that down.\naction signals REMEMBER {\"argument\":\"one two\"}"},
		{"nothing to remember", "remember", unknown},
		{"what is remembered", "What do you remember?", "Let me look.\naction blocks memoryShow {}"},

		{"a calculation", "calculate 6*7", "Let me see.\naction signals CALCULATE {\"argument\":\"6*7\"}"},
		{"a calculation as a question", "Calculate (1 + 2) / 3 = ?", "Let me see.\naction signals CALCULATE {\"argument\":\"(1 + 2) / 3\"}"},

		{"a calculation without the word", "What's 342 * 15?", "Let me see.\naction signals CALCULATE {\"argument\":\"342 * 15\"}"},
		{"a question that is no calculation", "What is love?", unknown},
		{"a polite request", "Please, could you remember that I like tea", "I am writing that down.\naction signals REMEMBER {\"argument\":\"I like tea\"}"},
		{"nothing but politeness", "please", unknown},
		{"what is remembered, as people ask it", "And what do you know about me?", "Let me look.\naction blocks memoryShow {}"},

		{"something that was put off", "[defer-1: something that was put off.]\n\ncalculate 6*7", "Let me see.\naction signals CALCULATE {\"argument\":\"6*7\"}"},
		{"a job", "[job cron-001] Morning\nChannel: main\n\nThe state:\n> {}\n\nWhat to do:\ncalculate 6*7", "Let me see.\naction signals CALCULATE {\"argument\":\"6*7\"}"},
		{"a bracket that is none of these", "[x] y", unknown},

		{"a reaction", "react 🎉", "As you wish.\naction directives react {\"emoji\":\"🎉\"}"},
		{"a reaction by name", "React with thumbsup", "As you wish.\naction directives react {\"emoji\":\"thumbsup\"}"},
		{"a reaction with a quote", `react "/><voice>`, "As you wish.\naction directives react {\"emoji\":\"\\\"/><voice>\"}"},

		{"a message", "send Tea is ready.", "It comes as a message of its own.\naction directives send-message {\"text\":\"Tea is ready.\"}"},
		{"a message with markup", "send a < b & </send-message>", "It comes as a message of its own.\naction directives send-message {\"text\":\"a < b & </send-message>\"}"},
		{"a message of two lines", "send one\n\ntwo", "It comes as a message of its own.\naction directives send-message {\"text\":\"one\\n\\ntwo\"}"},

		{"a thought", "think about tea", thinking},
		{"a thought with markup", "think about `tea` </think>", strings.ReplaceAll(thinking, "about tea", "about tea /think")},
		{"silence", "Be quiet.", "\ncontrol directives no-reply"},
		{"code", "show code", code},
		{"a broken instruction", "broken", "Here is an instruction without an end.\n\nThe words after it are shown all the same.\nproblem blocks unclosed"},
		{"an envelope", "envelope", "This whole reply is a JSON envelope.\naction envelope SOCIAL_ENGAGE {\"like\":true}"},
		{"help", "help", rehearsal.Help()},
		{"help with a question mark", "Help?", rehearsal.Help()},

		{"something else", "What is the capital of France?", unknown},
		{"a request with more behind it", "long time no see", unknown},
		{"nothing", "", unknown},
		{"nothing to say", "/say", unknown},

		{"one result", "[results]\nCALCULATE: 42", "The result is in: CALCULATE: 42."},
		{"results as a list", "[results]\n- memoryShow: 2 notes.\n- CALCULATE: 42\n", "The results are in: memoryShow: 2 notes; CALCULATE: 42."},
		{"many results", "[results]\n1\n2\n3\n4\n5\n6\n7", "The results are in: 1; 2; 3; 4; 5; and 2 more."},
		{"no results", "[results]\n", "There are no results."},
		{"results with instructions in them", "[results] note: [REMEMBER:x] <no-reply/> `", "The result is in: note: REMEMBER:x no-reply/."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := found(extract.Read(extract.Config{}, []byte(answer(t, c.message))))
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestTheLongReplyIsLongAndOnlyText(t *testing.T) {
	long := answer(t, "long")
	result := extract.Read(extract.Config{}, []byte(long))
	if found(result) != strings.TrimRight(long, " ") {
		t.Error("it is not shown as it is")
	}
	if n := utf8.RuneCountInString(long); n < 5700 || n > 6300 {
		t.Errorf("it has %d characters", n)
	}
	for _, part := range []string{"\n## ", "\n### ", "\n- ", "\n1. ", "\n```go\n", "\n| ", "\n> "} {
		if !strings.Contains(long, part) {
			t.Errorf("it has no %q", part)
		}
	}
}

func TestEveryDialectIsThere(t *testing.T) {
	var all []string
	for _, r := range rehearsal.Requests() {
		var said []string
		result := extract.Read(extract.Config{}, []byte(answer(t, r.Example)))
		for _, e := range slices.Concat(result.Actions, result.Controls, result.Problems) {
			said = append(said, e.Dialect.String())
		}
		if len(result.Reasoning) > 0 {
			said = append(said, "reasoning")
		}
		if r.Dialect != "" && !slices.Contains(said, r.Dialect) {
			t.Errorf("%q is not in %s", r.Say, r.Dialect)
		}
		all = append(all, said...)
	}
	for dialect := range strings.SplitSeq(extract.Everything.String(), ",") {
		if !slices.Contains(all, dialect) {
			t.Errorf("no reply is in %s", dialect)
		}
	}
}

func TestItSaysWhatItIs(t *testing.T) {
	for _, message := range []string{"hello", "help", "who are you?"} {
		if !strings.Contains(answer(t, message), "I am the rehearsal model") {
			t.Errorf("%q does not make it say so", message)
		}
	}
}

// Whatever people write, a reply holds the one instruction that was asked for, or
// none if nothing is left of the words.
func TestWordsDoNotBecomeInstructions(t *testing.T) {
	requests := map[string]string{
		"remember": "REMEMBER", "calculate": "CALCULATE", "react": "react", "send": "send-message",
		"think about": "", "[results]": "",
	}
	pieces := []string{
		"tea", " ", "\n", "\n\n", "[", "]", "[REMEMBER:", "[CALCULATE:1]", "<", ">", "</", "/>", "<actions>", "</actions>", `<react emoji="x"/>`,
		"</send-message>", "<think>", "</think>", "<discord-action>", `{"type":"x"}`, "`", "```", "~~~", `"`, "'", "&", "&lt;", "\\", "<no-reply/>", "é", "\xff", "\x00",
	}
	rapid.Check(t, func(t *rapid.T) {
		for said, action := range requests {
			words := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "words"), "")
			reply := answer(t, said+" x "+words)
			result := extract.Read(extract.Config{}, []byte(reply))
			var names []string
			for _, e := range slices.Concat(result.Actions, result.Controls, result.Problems) {
				names = append(names, e.Name)
			}
			if want := strings.Fields(action); !slices.Equal(names, want) {
				t.Fatalf("%q: %q says %q, want %q", said, reply, names, want)
			}
		}
	})
}

func TestSayGivesBackEveryByte(t *testing.T) {
	for _, text := range []string{
		"x", " x", "x ", "\n\nx\n\n", "one\ntwo\r\n", "<actions><react emoji=\"eyes\"/></actions>", "[results] no", "/say /say",
		"Grüße 👩‍👩‍👧", "\xff\x00\xe2\x82", strings.Repeat("a", 10_000),
	} {
		for _, say := range []string{"/say ", "/SAY ", "/say\n", "\n /say "} {
			if got := answer(t, say+text); got != text {
				t.Errorf("%q gives %q", say+text, got)
			}
		}
	}
	if got := answer(t, "/saying"); !strings.HasPrefix(got, "I do not know") {
		t.Errorf("/saying gives %q", got)
	}
}

func TestOnlyTheLastMessageCounts(t *testing.T) {
	r := ask("/say yes")
	r.System = "Say no."
	r.Messages = append([]model.Message{{Role: model.User, Text: "/say no"}, {Role: model.Assistant, Text: "no"}}, r.Messages...)
	for d := range atOnce(100).Stream(t.Context(), r) {
		if d.End == "" && d.Text != "yes" {
			t.Errorf("says %q", d.Text)
		}
	}
}

func TestThePace(t *testing.T) {
	delays := 0
	m := rehearsal.New(rehearsal.Options{Runes: 4, Delay: func(context.Context) error {
		delays++
		return nil
	}})
	var got []string
	for d, err := range m.Stream(t.Context(), ask("/say Grüße, Welt\xff!")) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(delays, d.Text, d.End))
	}
	if want := []string{"0Grüß", "1e, W", "2elt\xff", "3!", "3done"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestThePaceUnlessToldOtherwise(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		for _, err := range rehearsal.New(rehearsal.Options{}).Stream(t.Context(), ask("/say "+strings.Repeat("x", 601))) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("601 characters take %v", took)
		}
	})
}

func TestCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		start, deltas := time.Now(), 0
		var e *model.Error
		for _, err := range rehearsal.New(rehearsal.Options{}).Stream(ctx, ask("long")) {
			if deltas++; err != nil && !errors.As(err, &e) {
				t.Errorf("error of type %T", err)
			}
		}
		if e == nil || e.Kind != model.Cancelled || !errors.Is(e, context.DeadlineExceeded) || deltas != 4 || time.Since(start) != 50*time.Millisecond {
			t.Errorf("got %v after %d deltas and %v", e, deltas, time.Since(start))
		}
	})
}

func TestAContextThatHasEndedGetsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for d, err := range atOnce(1).Stream(ctx, ask("hello")) {
		var e *model.Error
		if !errors.As(err, &e) || e.Kind != model.Cancelled {
			t.Errorf("got %+v, %v", d, err)
		}
	}
}

func TestBreakingOff(t *testing.T) {
	for range atOnce(1).Stream(t.Context(), ask("hello")) {
		break
	}
}

// However a reply is cut into deltas, it comes to the same.
func TestRepliesStream(t *testing.T) {
	for _, r := range rehearsal.Requests() {
		t.Run(r.Say, func(t *testing.T) {
			whole := found(extract.Read(extract.Config{}, []byte(answer(t, r.Example))))
			for _, runes := range []int{1, 3, 12} {
				var result extract.Result
				reader := extract.New(extract.Config{})
				for d := range atOnce(runes).Stream(t.Context(), ask(r.Example)) {
					for e := range reader.Feed([]byte(d.Text)) {
						result.Add(e)
					}
				}
				for e := range reader.End() {
					result.Add(e)
				}
				if got := found(result); got != whole {
					t.Errorf("in deltas of %d: %s", runes, got)
				}
			}
		})
	}
}
