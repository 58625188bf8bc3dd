package turn

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

const greenTea = "> tea is green\n— Ada"

// What agents that were written for Eliza say, from the model's reply to what people see
// and what is stored.
func TestAnEnvelopeDoesWhatItSays(t *testing.T) {
	type row struct {
		name    string
		replies []string
		posts   []string // in the person's room
		wall    []string // and in the room for reposts
		reacted []string
		ledger  []string
		output  output.Type
		asked   int // how often the model is
	}
	rows := []row{
		// What becomes of the reply.
		{"no action is a plain reply", []string{`{"user":"Eliza","text":"Tea is green."}`}, []string{"Tea is green."}, nil, nil, nil, output.Completion, 1},
		{"NONE is a plain reply", []string{`{"text":"Tea is green.","action":"NONE"}`}, []string{"Tea is green."}, nil, nil, nil, output.Completion, 1},
		{"an empty action is none", []string{`{"text":"Tea is green.","action":""}`}, []string{"Tea is green."}, nil, nil, nil, output.Completion, 1},
		{"null is none", []string{`{"text":"Tea is green.","action":null}`}, []string{"Tea is green."}, nil, nil, nil, output.Completion, 1},
		{"REPLY is a plain reply", []string{`{"text":"Tea is green.","action":"REPLY"}`}, []string{"Tea is green."}, nil, nil, []string{"REPLY done replied"}, output.Completion, 1},
		{"IGNORE posts nothing", []string{`{"text":"","action":"IGNORE"}`}, nil, nil, nil, []string{"IGNORE done nothing is posted"}, output.Completion, 1},
		{"IGNORE takes away what was seen", []string{`{"text":"I would rather not say anything about that.","action":"IGNORE"}`}, nil, nil, nil, []string{"IGNORE done nothing is posted"}, output.Completion, 1},
		{"whoever replies does not ignore", []string{`{"text":"Tea is green.","actions":["IGNORE","REPLY"]}`}, []string{"Tea is green."}, nil, nil, []string{"IGNORE done " + overruled, "REPLY done replied"}, output.Completion, 1},
		{
			"CONTINUE shows the text and goes on",
			[]string{`{"text":"Tea is green.","action":"CONTINUE"}`, `{"text":"Coffee is brown.","action":"REPLY"}`},
			[]string{"Tea is green.\n\nCoffee is brown."},
			nil, nil,
			[]string{"CONTINUE done there is more to come", "REPLY done replied"},
			output.Completion, 2,
		},
		{
			"CONTINUE has an end",
			[]string{`{"text":"One.","action":"CONTINUE"}`, `{"text":"Two.","action":"CONTINUE"}`, `{"text":"Three.","action":"CONTINUE"}`},
			[]string{"One.\n\nTwo.\n\nThree."},
			nil, nil,
			[]string{"CONTINUE done there is more to come", "CONTINUE done there is more to come", "CONTINUE done there is more to come"},
			output.Completion, 3,
		},
		{
			"what goes on may say nothing more",
			[]string{`{"text":"Tea is green.","action":"CONTINUE"}`, `{"text":"","action":"IGNORE"}`},
			[]string{"Tea is green."},
			nil, nil,
			[]string{"CONTINUE done there is more to come", "IGNORE done nothing is posted"},
			output.Completion, 2,
		},

		// Actions.
		{"an action by its name", []string{`{"text":"I know.","action":"calculate","params":{"expression":"6*7"}}`}, []string{"I know.\n\nDone: 6*7 = 42"}, nil, nil, []string{"calculate done 6*7 = 42"}, output.Completion, 1},
		{"an action as Eliza writes names", []string{`{"text":"Noted.","action":"MEMORY_REMEMBER","params":{"text":"likes tea"}}`}, []string{"Noted.\n\nDone: remembered: likes tea"}, nil, nil, []string{"MEMORY_REMEMBER done remembered: likes tea"}, output.Completion, 1},
		{"an action by an alias", []string{`{"text":"Noted.","action":"REMEMBER","params":{"argument":"likes tea"}}`}, []string{"Noted.\n\nDone: remembered: likes tea"}, nil, nil, []string{"REMEMBER done remembered: likes tea"}, output.Completion, 1},
		{
			"several in order",
			[]string{`{"text":"I know.","actions":["CALCULATE","REMEMBER"],"params":{"CALCULATE":{"expression":"6*7"},"REMEMBER":{"text":"likes tea"}}}`},
			[]string{"I know.\n\nDone: 6*7 = 42\nDone: remembered: likes tea"},
			nil, nil,
			[]string{"CALCULATE done 6*7 = 42", "REMEMBER done remembered: likes tea"},
			output.Completion, 1,
		},
		{"an action and words about the reply", []string{`{"text":"I know.","actions":["REPLY","CALCULATE"],"params":{"CALCULATE":{"expression":"6*7"}}}`}, []string{"I know.\n\nDone: 6*7 = 42"}, nil, nil, []string{"REPLY done replied", "CALCULATE done 6*7 = 42"}, output.Completion, 1},
		{"a query is answered", []string{`{"text":"Let me look.","action":"RECALL_ALL"}`, `{"text":"You like nothing yet.","action":"NONE"}`}, []string{"Let me look.\n\nYou like nothing yet."}, nil, nil, []string{"RECALL_ALL done nothing is remembered yet"}, output.Completion, 2},
		{
			"a name that only resembles one is none",
			[]string{`{"text":"Off.","action":"UNCALCULATE"}`, `{"text":"","action":"IGNORE"}`},
			[]string{"Off.\n\nFailed: there is no action \"UNCALCULATE\""},
			nil, nil,
			[]string{`UNCALCULATE failed there is no action "UNCALCULATE"`, "IGNORE done nothing is posted"},
			output.Completion, 2,
		},

		// Flags.
		{"[LIKE] with SOCIAL_ENGAGE", []string{`{"text":"So true! [LIKE]","action":"SOCIAL_ENGAGE"}`}, []string{"So true!"}, nil, []string{"1❤️"}, []string{"SOCIAL_ENGAGE done liked a message"}, output.Completion, 1},
		{"[RETWEET] with SOCIAL_ENGAGE", []string{`{"text":"So true! [RETWEET]","action":"SOCIAL_ENGAGE"}`}, []string{"So true!"}, []string{greenTea}, nil, []string{"SOCIAL_ENGAGE done reposted a message of Ada to test/wall"}, output.Completion, 1},
		{"[REPOST] with SOCIAL_ENGAGE", []string{`{"text":"So true! [REPOST]","action":"SOCIAL_ENGAGE"}`}, []string{"So true!"}, []string{greenTea}, nil, []string{"SOCIAL_ENGAGE done reposted a message of Ada to test/wall"}, output.Completion, 1},
		{"[QUOTE] with SOCIAL_ENGAGE", []string{`{"text":"So true! [QUOTE]","action":"SOCIAL_ENGAGE"}`}, []string{"So true!\n\n" + greenTea}, nil, nil, []string{"SOCIAL_ENGAGE done quoted Ada"}, output.Completion, 1},
		{"[REPLY] with SOCIAL_ENGAGE", []string{`{"text":"So true! [REPLY]","action":"SOCIAL_ENGAGE"}`}, []string{"So true!"}, nil, nil, []string{"SOCIAL_ENGAGE done replied"}, output.Completion, 1},
		{
			"all flags",
			[]string{`{"text":"[LIKE] [RETWEET] [QUOTE] [REPLY] So true!","action":"SOCIAL_ENGAGE"}`},
			[]string{"So true!\n\n" + greenTea},
			[]string{greenTea},
			[]string{"1❤️"},
			[]string{"SOCIAL_ENGAGE done liked a message; reposted a message of Ada to test/wall; quoted Ada"},
			output.Completion, 1,
		},
		{"SOCIAL_ENGAGE without a flag", []string{`{"text":"So true!","action":"SOCIAL_ENGAGE"}`}, []string{"So true!"}, nil, nil, []string{"SOCIAL_ENGAGE done replied"}, output.Completion, 1},
		{"a flag with REPLY", []string{`{"text":"So true! [LIKE]","action":"REPLY"}`}, []string{"So true!"}, nil, []string{"1❤️"}, []string{"SOCIAL_ENGAGE done liked a message"}, output.Completion, 1},
		{"a flag is received once", []string{`{"text":"So true! [QUOTE]","actions":["REPLY","SOCIAL_ENGAGE"]}`}, []string{"So true!\n\n" + greenTea}, nil, nil, []string{"REPLY done replied", "SOCIAL_ENGAGE done quoted Ada"}, output.Completion, 1},
		{"LIKE as an action", []string{`{"text":"So true!","action":"LIKE"}`}, []string{"So true!"}, nil, []string{"1❤️"}, []string{"LIKE done liked a message"}, output.Completion, 1},
		{"RETWEET as an action", []string{`{"text":"So true!","action":"RETWEET"}`}, []string{"So true!\n\nDone: reposted a message of Ada to test/wall"}, []string{greenTea}, nil, []string{"RETWEET done reposted a message of Ada to test/wall"}, output.Completion, 1},
		{"QUOTE as an action", []string{`{"text":"So true!","action":"QUOTE"}`}, []string{"So true!\n\n" + greenTea}, nil, nil, []string{"QUOTE done quoted Ada"}, output.Completion, 1},
		{"a flag that nothing receives is told to the model", []string{`{"text":"So true! [LIKE]"}`, `{"text":"","action":"LIKE"}`}, []string{"So true!"}, nil, []string{"1❤️"}, []string{"LIKE done liked a message"}, output.Completion, 2},

		// Controls.
		{"[IGNORE] alone posts nothing", []string{`[IGNORE]`}, nil, nil, nil, nil, output.Completion, 1},
		{"IGNORE without brackets too", []string{`IGNORE`}, nil, nil, nil, nil, output.Completion, 1},
		{"[STOP] alone posts nothing", []string{`[STOP]`}, nil, nil, nil, nil, output.Completion, 1},
		{"[RESPOND] alone is followed by the response", []string{`[RESPOND]`, `{"text":"Tea is green."}`}, []string{"Tea is green."}, nil, nil, nil, output.Completion, 2},
		{"[YES] alone is the answer", []string{`[YES]`}, []string{"YES"}, nil, nil, nil, output.Completion, 1},
		{"a bare yes is the answer", []string{`Yes`}, []string{"Yes"}, nil, nil, nil, output.Completion, 1},
		{"a no in an envelope is the answer", []string{`{"text":"[NO]"}`}, []string{"NO"}, nil, nil, nil, output.Completion, 1},
		{"a control beside words is taken out", []string{`{"text":"Tea is green. [IGNORE]"}`}, []string{"Tea is green."}, nil, nil, nil, output.Completion, 1},
		{"not to respond is said in words", []string{`I do NOT respond to that.`}, []string{"I do NOT respond to that."}, nil, nil, nil, output.Completion, 1},

		// The XML form.
		{"a response", []string{`<response><thought>Hm.</thought><actions>REPLY</actions><text>Tea is green.</text></response>`}, []string{"Tea is green."}, nil, nil, []string{"REPLY done replied"}, output.Completion, 1},
		{"a response without actions", []string{`<response><text>Tea is green.</text></response>`}, []string{"Tea is green."}, nil, nil, nil, output.Completion, 1},
		{"a response that ignores", []string{`<response><thought>Not for me.</thought><actions>IGNORE</actions><text></text></response>`}, nil, nil, nil, []string{"IGNORE done nothing is posted"}, output.Completion, 1},
		{
			"a response with params",
			[]string{`<response><actions>REPLY,,CALCULATE</actions><params><CALCULATE><expression>6*7</expression></CALCULATE></params><text>I know.</text></response>`},
			[]string{"I know.\n\nDone: 6*7 = 42"},
			nil, nil,
			[]string{"REPLY done replied", "CALCULATE done 6*7 = 42"},
			output.Completion, 1,
		},
	}
	for _, test := range rows {
		t.Run(test.name, func(t *testing.T) {
			m := &typed{dialogue{replies: test.replies}}
			s, p := newPlaza(t, m)
			s.start()
			s.say("a", "1", "is tea green?")
			s.settled(1)
			if got := p.stands("a"); !slices.Equal(got, test.posts) {
				t.Errorf("in the room stands %q, want %q", got, test.posts)
			}
			if got := p.stands("wall"); !slices.Equal(got, test.wall) {
				t.Errorf("on the wall stands %q, want %q", got, test.wall)
			}
			if !slices.Equal(s.room.reacted, test.reacted) {
				t.Errorf("reactions are %q, want %q", s.room.reacted, test.reacted)
			}
			if got := s.wroteDown("1"); !slices.Equal(got, test.ledger) {
				t.Errorf("the ledger has %q, want %q", got, test.ledger)
			}
			if n := len(m.wasAsked()); n != test.asked {
				t.Errorf("the model was asked %d times, want %d", n, test.asked)
			}
			turns := s.turns("1")
			last := turns[len(turns)-1]
			if last.Output != string(test.output) || last.Reply != test.replies[len(test.replies)-1] {
				t.Errorf("of the last turn is stored %q, %s (%s)", last.Reply, last.Output, last.OutputWhy)
			}
			for _, turn := range turns { // read again it says the same
				ledger, err := s.Store.Actions(t.Context(), turn.ID)
				if err != nil {
					t.Fatal(err)
				}
				if again := Again(t.Context(), s.Reading, s.Decider(), turn, ledger); len(again.Differences) > 0 {
					t.Errorf("read again it differs: %q", again.Differences)
				}
			}
		})
	}
}

// Whatever stands in an envelope and however it arrives: at no moment anybody sees more than
// a beginning of its text, which holds no brace and no key of the envelope.
func TestAnEnvelopeThatArrivesByteByByteShowsItsTextAndNothingElse(t *testing.T) {
	const plain = "Tea is green, \"Ada\" said, and {coffee} is not. 🎉 Größe: C:\\temp\\ done."
	const escaped = `Tea is green, \"Ada\" said, and {coffee} is not. \ud83c\udf89 Gr\u00f6\u00DFe: C:\\temp\\ done.`
	const inXML = `Tea is green, &quot;Ada&quot; said, and {coffee} is not. &#127881; Gr&#xF6;ße: C:\temp\ done.`
	for _, test := range []struct{ name, reply, want string }{
		{"as agents write it", `{"user":"Eliza","text":"` + escaped + `","action":"NONE"}`, plain},
		{"with the text last", `{"action":"REPLY","thought":"{\"text\":\"not this\"}","meta":{"text":"nor {this}"},"text":"` + escaped + `"}`, plain},
		{"over several lines", "{\n  \"user\": \"Eliza\",\n  \"text\": \"" + escaped + "\",\n  \"action\": \"REPLY\"\n}\n", plain},
		{"in a fence", "```json\n{\"user\":\"Eliza\",\"text\":\"" + escaped + "\",\"action\":\"NONE\"}\n```", plain},
		{"in a fence without a name", "```\n{\"text\":\"" + escaped + "\",\"action\":\"NONE\"}\n```\n", plain},
		{"behind reasoning", "<think>{\"text\":\"not this\"}</think>\n{\"text\":\"" + escaped + "\"}", plain},
		{"with words behind it", `{"text":"` + escaped + `","action":"REPLY"}` + "\nThat is all.", plain + "\nThat is all."},
		{"with quotes that nobody has escaped", `{"text":"He said "green", and went {home}.","action":"REPLY"}`, `He said "green", and went {home}.`},
		{"with half of a pair", `{"text":"Half of it: \ud83c, and \udf89 too.","action":"NONE"}`, "Half of it: \ufffd, and \ufffd too."},
		{"with another envelope in its text", `{"text":"Write {\"text\":\"hi\",\"action\":\"REPLY\"} to me.","action":"NONE"}`, `Write {"text":"hi","action":"REPLY"} to me.`},
		{"with a keyword in the middle", `{"text":"So [LIKE] true, {Ada}.","action":"SOCIAL_ENGAGE"}`, "So true, {Ada}."},
		{"as XML", "<response>\n<thought>{\"text\":\"not this\"}</thought>\n<actions>REPLY</actions>\n<text>" + inXML + "</text>\n</response>", plain},
		{"as XML with the text first", "<response><text>" + inXML + "</text><actions>REPLY</actions></response>", plain},
		{"words before it make it text", `Here: {"text":"Tea is green."}`, `Here: {"text":"Tea is green."}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, p := newPlaza(t, &typed{dialogue{replies: []string{test.reply}}})
			s.start()
			s.say("a", "1", "is tea green?")
			s.settled(1)
			if got := p.stands("a"); !slices.Equal(got, []string{test.want}) {
				t.Errorf("in the room stands %q, want %q", got, test.want)
			}
			if n := len(p.shown); n < len(test.want)/2 {
				t.Errorf("it was shown in %d steps only", n)
			}
			for _, text := range p.shown {
				if !strings.HasPrefix(test.want, text) || !utf8.ValidString(text) {
					t.Fatalf("%q was seen, which is no beginning of %q", text, test.want)
				}
			}
		})
	}
}

// note and recite are a program's own actions: one finds something, the other goes on with it.
func noteAndRecite() []*action.Spec {
	note := action.Define(action.Spec{
		Name: "note", Category: "notes", Aliases: []string{"WRITE_DOWN"}, Description: "Note something.", Example: `{"type":"note"}`, Query: true, Repeatable: true, Quiet: true,
	}, func(_ context.Context, c action.Call, _ struct{}) action.Outcome {
		return action.Found(len(c.Results)+1, "noted as number %d", len(c.Results)+1)
	})
	recite := action.Define(action.Spec{
		Name: "recite", Category: "notes", Description: "Say what was noted.", Example: `{"type":"recite"}`, Repeatable: true, Quiet: true,
	}, func(_ context.Context, c action.Call, _ struct{}) action.Outcome {
		out := action.Done("recited")
		for _, r := range c.Results {
			out.Say += fmt.Sprintf("%s: %t, %s, %s\n", r.Name, r.OK, r.Summary, r.Data)
		}
		return out
	})
	return []*action.Spec{note, recite}
}

func TestAnActionOfAListSeesWhatCameOfThoseBeforeIt(t *testing.T) {
	m := &typed{dialogue{replies: []string{`{"text":"See:","actions":["REPLY","WRITE_DOWN","DANCE","note","RECITE"]}`, "Done."}}}
	s, p := newPlaza(t, m, noteAndRecite()...)
	s.start()
	s.say("a", "1", "note it twice")
	s.settled(1)
	want := "See:\n\nnote: true, noted as number 1, 1\nDANCE: false, there is no action \"DANCE\", \nnote: true, noted as number 3, 3\n\nFailed: there is no action \"DANCE\"\n\nDone."
	if got := p.stands("a"); len(got) != 1 || got[0] != want {
		t.Errorf("in the room stands %q, want %q", got, want)
	}
	if asked := m.wasAsked(); len(asked) != 2 || !strings.Contains(asked[1], "- WRITE_DOWN: done, noted as number 1: 1\n- DANCE: failed") {
		t.Errorf("the model was asked %q", asked)
	}
}

// What came of an action is still known when the next one runs in another process.
func TestAnActionOfAListSeesWhatCameBeforeACrash(t *testing.T) {
	s, _ := newPlaza(t, &typed{dialogue{replies: []string{`{"text":"See:","actions":["WRITE_DOWN","RECITE"]}`}}}, noteAndRecite()...)
	if _, err := s.Store.Receive(t.Context(), message("a", "1", "note it"), true); err != nil {
		t.Fatal(err)
	}
	turn, err := s.Store.NextTurn(t.Context(), "test/a")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.generate(t.Context(), turn); err != nil {
		t.Fatal(err)
	}
	ledger, err := s.Store.Actions(t.Context(), turn.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.run(t.Context(), turn, nil, &ledger[0]); err != nil {
		t.Fatal(err)
	}
	s.start() // nothing else is known than what is stored
	s.settled(1)
	if rows, err := s.Store.Actions(t.Context(), turn.ID); err != nil || len(rows) != 2 || rows[1].Say != "note: true, noted as number 1, 1\n" {
		t.Errorf("the ledger has %+v, %v", rows, err)
	}
}

// Words about the reply are no actions: nothing switches them off, and nobody can ask for
// them in another dialect.
func TestWordsAboutTheReplyAreNoActions(t *testing.T) {
	for _, test := range []struct {
		name, reply string
		posts       []string
	}{
		{"REPLY is posted", `{"text":"Tea is green.","action":"REPLY"}`, []string{"Tea is green."}},
		{"IGNORE is not", `{"text":"Tea is green.","action":"IGNORE"}`, nil},
		{"a block cannot ignore", `Tea is green. <action>{"type":"IGNORE"}</action>`, []string{"Tea is green.\n\nFailed: there is no action \"IGNORE\""}},
		{"an action is refused", `{"text":"Tea is green.","action":"LIKE"}`, []string{"Tea is green.\n\nRefused: actions are switched off"}},
		{"so are flags", `{"text":"Tea is green. [LIKE]","action":"REPLY"}`, []string{"Tea is green.\n\nRefused: actions are switched off"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, p := newPlaza(t, &typed{dialogue{replies: []string{test.reply}}})
			s.Policy.Enabled, s.FollowupDepth = false, 0
			s.start()
			s.say("a", "1", "is tea green?")
			s.settled(1)
			if got := p.stands("a"); !slices.Equal(got, test.posts) {
				t.Errorf("in the room stands %q, want %q", got, test.posts)
			}
		})
	}
}

// Where nothing is continued a text is shown all the same, and somebody who is to get a
// response gets one.
func TestWhereNothingIsContinuedNothingIsLost(t *testing.T) {
	for _, test := range []struct {
		name    string
		replies []string
		posts   []string
		asked   int
	}{
		{"CONTINUE shows its text", []string{`{"text":"Tea is green.","action":"CONTINUE"}`, "Coffee is brown."}, []string{"Tea is green."}, 1},
		{"RESPOND is asked once for the response", []string{`[RESPOND]`, `{"text":"Tea is green."}`}, []string{"Tea is green."}, 2},
		{"and not for ever", []string{`[RESPOND]`, `[RESPOND]`, `[RESPOND]`}, nil, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := &typed{dialogue{replies: test.replies}}
			s, p := newPlaza(t, m)
			s.Continues = func(*store.Turn) int { return 0 }
			s.start()
			s.say("a", "1", "is tea green?")
			s.settled(1)
			if got := p.stands("a"); !slices.Equal(got, test.posts) || len(m.wasAsked()) != test.asked {
				t.Errorf("in the room stands %q, and the model was asked %q", got, m.wasAsked())
			}
		})
	}
}

// A reply that broke off may have wanted to say something else than nothing.
func TestAnEnvelopeThatBreaksOffShowsWhatThereIs(t *testing.T) {
	s, p := newPlaza(t, &typed{})
	s.Model = script(func(context.Context, string) (string, error) {
		return `{"action":"IGNORE","text":"Tea is {gre`, &model.Error{Kind: model.Broken, Message: "The model cannot be reached."}
	})
	s.start()
	s.say("a", "1", "is tea green?")
	s.settled(1)
	if got := p.stands("a"); !slices.Equal(got, []string{"Tea is {gre\n\nThe model cannot be reached."}) {
		t.Errorf("in the room stands %q", got)
	}
}
