package turn

import (
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/store"
)

// The reply in which each signal stands. {reply} in what is seen are these words, with the
// signal between them where signals are visible.
const (
	beforeSignal = "Let me. "
	afterSignal  = " Then more."
)

// A signalCase is what becomes of a signal. A new signal is a new row.
type signalCase struct {
	name    string
	signal  string
	off     []string // categories
	cron    bool     // a job has it in its reply, not the answer to a person
	sees    string   // what stands in the room in the end
	did     []string // the ledger
	told    string   // a part of what the model is told, "" if it is not asked again
	stopped bool     // the model was not heard to the end
	isText  bool     // it is none
	facts   []string // what is remembered then, if that has changed
}

var signalCases = []signalCase{
	{
		name: "SEARCH stops the model and its answer replaces the reply", signal: "[SEARCH:tea]", stopped: true, sees: toldAnswer,
		did: []string{`SEARCH done 1 page about "tea"`}, told: "Tea is green.",
	},
	{
		name: "WEB_SEARCH is another name of it", signal: "[WEB_SEARCH:tea]", stopped: true, sees: toldAnswer,
		did: []string{`WEB_SEARCH done 1 page about "tea"`}, told: "Tea is green.",
	},
	{
		name: "SEARCH_DEEPER stops it too", signal: "[SEARCH_DEEPER:tea]", stopped: true, sees: toldAnswer,
		did: []string{`SEARCH_DEEPER done 1 page about "tea"`}, told: "Tea is green.",
	},
	{
		name: "a search that finds nothing says so", signal: "[SEARCH:dust]", stopped: true,
		sees: "Let me.\n\nFailed: nothing was found about \"dust\"; try other words\n\n" + toldAnswer,
		did:  []string{`SEARCH failed nothing was found about "dust"; try other words`}, told: "nothing was found",
	},
	{
		name: "a search that cannot be made says so", signal: "[SEARCH_DEEPER:coffee]", stopped: true,
		sees: "Let me.\n\nFailed: coffee: the library is closed; try again tomorrow\n\n" + toldAnswer,
		did:  []string{`SEARCH_DEEPER failed coffee: the library is closed; try again tomorrow`}, told: "the library is closed",
	},
	{
		name: "a search that is switched off stops nothing", signal: "[SEARCH:tea]", off: []string{"search"},
		sees: "{reply}\n\nRefused: the category search is switched off\n\n" + toldAnswer,
		did:  []string{"SEARCH refused the category search is switched off"}, told: "switched off",
	},
	{
		name: "a search without words is malformed, never seen, and stops nothing", signal: "[SEARCH:]",
		sees: "Let me. Then more.\n\n" + toldAnswer, did: []string{}, told: "an instruction that could not be read",
	},
	{
		name: "a job may search", signal: "[SEARCH:tea]", cron: true, stopped: true, sees: toldAnswer,
		did: []string{`SEARCH done 1 page about "tea"`}, told: "Tea is green.",
	},
	{
		name: "REMEMBER keeps a fact while the reply stays", signal: "[REMEMBER:Likes [green] tea]",
		sees: "{reply}\n\nDone: remembered: Likes [green] tea", did: []string{"REMEMBER done remembered: Likes [green] tea"},
		facts: []string{"Meets Bob at 3:30", "Likes [green] tea"},
	},
	{
		name: "two signals are two", signal: "[REMEMBER:Likes tea][REMEMBER:Owns a dog]",
		sees: "{reply}\n\nDone: remembered: Likes tea\nDone: remembered: Owns a dog", did: []string{"REMEMBER done remembered: Likes tea", "REMEMBER done remembered: Owns a dog"},
		facts: []string{"Meets Bob at 3:30", "Likes tea", "Owns a dog"},
	},
	{
		name: "a job may not remember", signal: "[REMEMBER:Likes tea]", cron: true,
		sees: "{reply}\n\nRefused: a cron cannot use the category memory\n\n" + toldAnswer,
		did:  []string{"REMEMBER refused a cron cannot use the category memory"}, told: "refused",
	},
	{
		name: "REMEMBER that is switched off keeps nothing", signal: "[REMEMBER:Likes tea]", off: []string{"memory"},
		sees: "{reply}\n\nRefused: the category memory is switched off\n\n" + toldAnswer,
		did:  []string{"REMEMBER refused the category memory is switched off"}, told: "refused",
	},
	{
		name: "REMEMBER that does not close is text, and so is what follows", signal: "[REMEMBER:Likes tea", isText: true,
		sees: "Let me. [REMEMBER:Likes tea Then more.", did: []string{},
	},
	{
		name: "a word in brackets is text", signal: "[REMEMBERED:tea]", isText: true,
		sees: "Let me. [REMEMBERED:tea] Then more.", did: []string{},
	},
	{
		name: "an example in code is text", signal: "`[REMEMBER:Likes tea]`", isText: true,
		sees: "Let me. `[REMEMBER:Likes tea]` Then more.", did: []string{},
	},
	{
		name: "FORGET_THIS forgets", signal: "[FORGET_THIS:bob]",
		sees: "{reply}\n\nDone: forgotten: \"Meets Bob at 3:30\"", did: []string{`FORGET_THIS done forgotten: "Meets Bob at 3:30"`}, facts: []string{},
	},
	{
		name: "FORGET_THIS of what nobody knows says so", signal: "[FORGET_THIS:Carol]",
		sees: "{reply}\n\nFailed: nothing is remembered that contains \"Carol\"\n\n" + toldAnswer,
		did:  []string{`FORGET_THIS failed nothing is remembered that contains "Carol"`}, told: "nothing is remembered",
	},
	{
		name: "CORRECT replaces a fact, colons and all", signal: "[CORRECT:Meets Bob at 3:30 => Meets Bob at 4:00]",
		sees: "{reply}\n\nDone: remembered: Meets Bob at 4:00 (in place of \"Meets Bob at 3:30\")",
		did:  []string{`CORRECT done remembered: Meets Bob at 4:00 (in place of "Meets Bob at 3:30")`}, facts: []string{"Meets Bob at 4:00"},
	},
	{
		name: "CORRECT with one side only says what is missing", signal: "[CORRECT:Meets Bob]",
		sees: "{reply}\n\nFailed: memoryCorrect: new is missing\n\n" + toldAnswer, did: []string{"CORRECT failed memoryCorrect: new is missing"}, told: "new is missing",
	},
	{
		name: "CALCULATE says the result", signal: "[CALCULATE:342 * 15]",
		sees: "{reply}\n\nDone: 342 * 15 = 5130", did: []string{"CALCULATE done 342 * 15 = 5130"},
	},
	{
		name: "CALCULATE of what cannot be says so", signal: "[CALCULATE:1/0]",
		sees: "{reply}\n\nFailed: 1/0: division by zero\n\n" + toldAnswer, did: []string{"CALCULATE failed 1/0: division by zero"}, told: "division by zero",
	},
	{
		name: "COMMAND summarises what was said", signal: "[COMMAND:summarize_conversation]",
		sees: "{reply}\n\n" + toldAnswer, did: []string{"COMMAND done what was said so far, in short"}, told: "You said hello",
	},
	{
		name: "COMMAND shows what is remembered", signal: "[COMMAND:show_memory]",
		sees: "{reply}\n\n" + toldAnswer, did: []string{"COMMAND done what is remembered"}, told: "Meets Bob at 3:30",
	},
	{
		name: "COMMAND cannot show what is switched off under its own name", signal: "[COMMAND:show_memory]", off: []string{"memory"},
		sees: "{reply}\n\nRefused: the category memory is switched off\n\n" + toldAnswer,
		did:  []string{"COMMAND refused the category memory is switched off"}, told: "refused",
	},
	{
		name: "COMMAND cannot do for a job what a job may not do", signal: "[COMMAND:show_memory]", cron: true,
		sees: "{reply}\n\nRefused: a cron cannot use the category memory\n\n" + toldAnswer,
		did:  []string{"COMMAND refused a cron cannot use the category memory"}, told: "refused",
	},
	{
		name: "COMMAND shows the tasks", signal: "[COMMAND:show_tasks]",
		sees: "{reply}\n\n" + toldAnswer, did: []string{"COMMAND done the only such task"}, told: "Water the plants",
	},
	{
		name: "COMMAND helps", signal: "[COMMAND:HELP]",
		sees: "{reply}\n\n" + toldAnswer, did: []string{"COMMAND done what you can do for this person here"}, told: "Keep a fact about the person you talk with.",
	},
	{
		name: "COMMAND of another name names those there are", signal: "[COMMAND:dance]",
		sees: "{reply}\n\nFailed: command: name is one of summarize_conversation, show_memory, show_tasks, help, got \"dance\"\n\n" + toldAnswer,
		did:  []string{`COMMAND failed command: name is one of summarize_conversation, show_memory, show_tasks, help, got "dance"`}, told: "name is one of",
	},
	{
		name: "EXECUTE pins the message before", signal: "[EXECUTE:pin_last_message]",
		sees: "{reply}\n\nDone: pinned a message", did: []string{"EXECUTE done pinned a message"},
	},
	{
		name: "EXECUTE starts afresh", signal: "[EXECUTE:clear_context]",
		sees: "{reply}\n\nDone: what was said so far is not in mind any more; it is still stored",
		did:  []string{"EXECUTE done what was said so far is not in mind any more; it is still stored"},
	},
	{
		name: "EXECUTE asks before it deletes", signal: "[EXECUTE:delete_last_message]",
		sees: "{reply}\n\nConfirm: EXECUTE (argument: \"delete_last_message\")? React with ✅ or ❌, or write /confirm or /confirm no, within 10 minutes.",
		did:  []string{"EXECUTE asked execute waits to be confirmed"},
	},
	{
		name: "EXECUTE deletes nothing in a job", signal: "[EXECUTE:delete_last_message]", cron: true,
		sees: "{reply}\n\nRefused: deleteMessage destroys something, and in a cron nobody can confirm it\n\n" + toldAnswer,
		did:  []string{"EXECUTE refused deleteMessage destroys something, and in a cron nobody can confirm it"}, told: "refused",
	},
	{
		name: "EXECUTE does not pin where that is switched off", signal: "[EXECUTE:pin_last_message]", off: []string{"messaging"},
		sees: "{reply}\n\nRefused: the category messaging is switched off\n\n" + toldAnswer,
		did:  []string{"EXECUTE refused the category messaging is switched off"}, told: "refused",
	},
	{
		name: "EXECUTE of another name names those there are", signal: "[EXECUTE:rm -rf /]",
		sees: "{reply}\n\nFailed: execute: action is one of delete_last_message, pin_last_message, clear_context, got \"rm -rf /\"\n\n" + toldAnswer,
		did:  []string{`EXECUTE failed execute: action is one of delete_last_message, pin_last_message, clear_context, got "rm -rf /"`}, told: "action is one of",
	},
}

func TestWhatBecomesOfEachSignal(t *testing.T) {
	for _, c := range signalCases {
		t.Run(c.name, func(t *testing.T) { c.play(t, false) })
		t.Run(c.name+", visible", func(t *testing.T) { c.play(t, true) })
	}
}

// play has the signal in a reply that is streamed byte by byte.
func (c signalCase) play(t *testing.T, visible bool) {
	whole := beforeSignal + c.signal + afterSignal
	s, in, writer := newParlour(t, whole)
	s.Reading.VisibleSignals = visible
	s.Policy.On = func(category string) bool { return !slices.Contains(c.off, category) }
	s.sayDirect("1", "hello")
	if c.cron {
		s.errand(store.Errand{Key: "2", Flow: "cron", Text: "go"})
	} else {
		s.sayDirect("2", "go")
	}

	shown := strings.TrimSpace(beforeSignal) + afterSignal
	if visible {
		shown = whole
	}
	posts := s.room.texts("a")
	if want := strings.ReplaceAll(c.seen(visible), "{reply}", shown); len(posts) != 2 || posts[1] != want {
		t.Errorf("the room has\n%q\nwant\n%q", posts, want)
	}
	if got := s.outcomes("2"); !slices.Equal(got, c.did) {
		t.Errorf("the ledger has %q", got)
	}
	if c.told == "" && writer.told != "" || !strings.Contains(writer.told, c.told) {
		t.Errorf("the model was told %q", writer.told)
	}
	c.checkStopped(t, s, in, writer)
	if !visible && !c.isText {
		if i := slices.IndexFunc(in.stood, func(text string) bool { return raw(text, c.signal) }); i >= 0 {
			t.Errorf("for a while people saw %q", in.stood[i])
		}
	}
	facts, err := remembering(s.Store).Recall(t.Context(), "test/ada")
	if err != nil {
		t.Fatal(err)
	}
	if want := c.facts; want != nil && !slices.Equal(facts, want) || want == nil && !slices.Equal(facts, []string{"Meets Bob at 3:30"}) {
		t.Errorf("remembered are %q", facts)
	}
}

// seen is what stands in the room in the end: of a reply that was interrupted in vain, the
// visible signal too.
func (c signalCase) seen(visible bool) string {
	if visible && c.stopped {
		return strings.Replace(c.sees, "Let me.", beforeSignal+c.signal, 1)
	}
	return c.sees
}

// checkStopped looks whether the model was heard as far as it should have been.
func (c signalCase) checkStopped(t *testing.T, s *stage, in *parlour, writer *scribe) {
	t.Helper()
	whole := beforeSignal + c.signal + afterSignal
	reply := whole
	if c.stopped {
		reply = beforeSignal + c.signal
		if !c.cron && !slices.Contains(in.stood, strings.TrimSpace(beforeSignal)) {
			t.Errorf("nobody saw the beginning of the reply: %q", in.stood)
		}
	}
	if got := s.turns("2")[0].Reply; got != reply || writer.wrote != len(reply) {
		t.Errorf("the reply is %q, of which %d bytes were heard", got, writer.wrote)
	}
}

// raw tells whether a text has a beginning of a signal at its end, or the signal in it. What
// is said of an action may repeat its argument, and brackets in it.
func raw(text, signal string) bool {
	name, _, _ := strings.Cut(signal, ":")
	for n := 1; n <= len(name); n++ {
		if strings.HasSuffix(text, name[:n]) {
			return true
		}
	}
	return strings.Contains(text, name+":")
}
