package messaging

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

func TestWhatActionsDo(t *testing.T) {
	for _, test := range []struct {
		name, call string
		did        []string
		summary    string
	}{
		{"react to the person's message", `{"type":"react","emoji":"eyes"}`, []string{"react here m0 👀"}, "reacted with 👀"},
		{"react to another one", `{"type":"react","emoji":":tada:","messageId":"m1"}`, []string{"react here m1 🎉"}, "reacted with 🎉"},
		{"react in another room", `{"type":"react","emoji":"👍","message":"m1","channel":"#general"}`, []string{"react r1 m1 👍"}, "reacted with 👍 in #general"},
		{"react with one of the server's own", `{"type":"react","emoji":"<:party:123456789012345678>"}`, []string{"react here m0 party:123456789012345678"}, "reacted with party:123456789012345678"},
		{"take a reaction off", `{"type":"unreact","emoji":"eyes"}`, []string{"unreact here m0 👀"}, "took 👀 off a message"},
		{"take a reaction off elsewhere", `{"type":"unreact","emoji":"eyes","message":"m1","channelId":"general"}`, []string{"unreact r1 m1 👀"}, "took 👀 off a message in general"},
		{"edit", `{"type":"editMessage","message":"m2","content":"new"}`, []string{"edit here m2 new"}, "edited a message"},
		{"edit elsewhere", `{"type":"editMessage","messageId":"m2","text":"new","channel":"general"}`, []string{"edit r1 m2 new"}, "edited a message in general"},
		{"delete", `{"type":"deleteMessage","message":"m1"}`, []string{"delete here m1"}, "deleted a message"},
		{"delete elsewhere", `{"type":"deleteMessage","message":"m1","channel":"<#r1>"}`, []string{"delete r1 m1"}, "deleted a message in #r1"},
		{"delete many", `{"type":"bulkDelete","channel":"general","count":"5"}`, []string{"sweep r1 5"}, "deleted 5 messages in general"},
		{"crosspost", `{"type":"crosspost","message":"m1","channel":"general"}`, []string{"crosspost r1 m1"}, "crossposted a message in general"},
		{"crosspost the person's message", `{"type":"crosspost"}`, []string{"crosspost here m0"}, "crossposted a message"},
		{"begin a thread", `{"type":"threadCreate","name":"Plans"}`, []string{`thread here "" "Plans" "" 0`}, "began the thread Plans (t1)"},
		{"begin a thread at a message", `{"type":"threadCreate","name":"Plans","message":"m1","channel":"general","content":"So?","autoArchiveMinutes":"1440"}`, []string{`thread r1 "m1" "Plans" "So?" 1440`}, "began the thread Plans (t1) in general"},
		{"begin a thread in a forum", `{"type":"threadCreate","name":"Plans","channel":"forum","content":"So?"}`, []string{`thread f1 "" "Plans" "So?" 0`}, "began the thread Plans (t1) in forum"},
		{"pin", `{"type":"pinMessage"}`, []string{"pin here m0"}, "pinned a message"},
		{"pin elsewhere", `{"type":"pinMessage","message":"m1","channel":"general"}`, []string{"pin r1 m1"}, "pinned a message in general"},
		{"unpin", `{"type":"unpinMessage","message":"m1"}`, []string{"unpin here m1"}, "unpinned a message"},
		{"send to another room", `{"type":"sendMessage","content":"hi","channel":"general"}`, []string{`send 3 k discord/r1 "hi" to ""`}, "sent to general"},
		{"send to another room as an answer", `{"type":"sendMessage","text":"hi","chat":"general","replyTo":"m1"}`, []string{`send 3 k discord/r1 "hi" to "m1"`}, "sent to general"},
		{"send as an answer to another message", `{"type":"sendMessage","content":"hi","replyTo":"m1"}`, []string{`send 3 k discord/here "hi" to "m1"`}, "sent to this room"},
		{"send to a room of another platform", `{"type":"sendMessage","content":"hi","platform":"Signal","chat":"g7"}`, []string{`send 3 k signal/g7 "hi" to ""`}, "sent to g7"},
		{"send to a room of its own platform by its name", `{"type":"sendMessage","content":"hi","platform":"discord","chat":"general"}`, []string{`send 3 k discord/r1 "hi" to ""`}, "sent to general"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTown(t)
			w.others = []platform.Room{{Platform: "signal", ID: "g7"}}
			out := w.run("discord", test.call)
			if !out.OK || out.Summary != test.summary || !slices.Equal(w.square.log, test.did) {
				t.Errorf("%+v; it did %q", out, w.square.log)
			}
		})
	}
}

func TestTheFirstTextOfAThreadIsAPostWherePostsAreOpened(t *testing.T) {
	for _, test := range []struct {
		name, call string
		fail       error
		did        []string
		summary    string
	}{
		{"with a text", `{"type":"threadCreate","name":"Plans","content":"So?"}`, nil, []string{`thread here "" "Plans" "" 0`, `send 3 k discord/t1 "So?" to ""`}, "began the thread Plans (t1)"},
		{"without one", `{"type":"threadCreate","name":"Plans"}`, nil, []string{`thread here "" "Plans" "" 0`}, "began the thread Plans (t1)"},
		{"that cannot be written", `{"type":"threadCreate","name":"Plans","content":"So?"}`, errors.New("the topic is closed"), []string{`thread here "" "Plans" "" 0`}, "began the thread Plans (t1), but could not write its first message: the topic is closed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTown(t)
			w.fail = test.fail
			out := w.run("telegram", test.call)
			if out.OK != (test.fail == nil) || out.Summary != test.summary || !slices.Equal(w.square.log, test.did) {
				t.Errorf("%+v; it did %q", out, w.square.log)
			}
		})
	}
}

func TestWhatIsSentHereIsPartOfTheReply(t *testing.T) {
	for _, call := range []string{
		`{"type":"sendMessage","content":"hi"}`, `{"type":"sendMessage","content":"hi","channel":"here"}`, `{"type":"sendMessage","content":"hi","replyTo":"m0"}`,
	} {
		w := newTown(t)
		if out := w.run("discord", call); !out.OK || out.Say != "hi" || len(w.square.log) > 0 {
			t.Errorf("%s: %+v, %q", call, out, w.square.log)
		}
	}
	w := newTown(t)
	long := strings.Repeat("x", 41)
	if out := w.run("discord", `{"type":"sendMessage","content":"`+long+`"}`); !out.OK || out.Say != long {
		t.Errorf("a long one: %+v", out)
	}
}

func TestWhatActionsDoNot(t *testing.T) {
	for _, test := range []struct{ name, on, call, want string }{
		{"react without an emoji", "discord", `{"type":"react"}`, "react: emoji is missing"},
		{"react with a word", "discord", `{"type":"react","emoji":"splendid"}`, `there is no emoji called "splendid"; use its character`},
		{"react in another room to nothing", "discord", `{"type":"react","emoji":"eyes","channel":"general"}`, "react: message is missing; say its id"},
		{"react in a room that is not there", "discord", `{"type":"react","emoji":"eyes","message":"m1","channel":"nowhere"}`, `there is no room called "nowhere"`},
		{"react where nobody can", "signal", `{"type":"react","emoji":"eyes"}`, "signal cannot react to messages"},
		{"react where nobody is", "telex", `{"type":"react","emoji":"eyes"}`, "telex is not connected"},
		{"take off where nobody can", "signal", `{"type":"unreact","emoji":"eyes"}`, "signal cannot react to messages"},
		{"read too many", "discord", `{"type":"readMessages","limit":21}`, "readMessages: limit needs 1 to 20, got 21"},
		{"read none", "discord", `{"type":"readMessages","limit":0}`, "readMessages: limit needs 1 to 20, got 0"},
		{"read where nobody can", "signal", `{"type":"readMessages"}`, "signal cannot read old messages"},
		{"read a room that is not there", "discord", `{"type":"readMessages","channel":"nowhere"}`, `there is no room called "nowhere"`},
		{"fetch where nobody can", "signal", `{"type":"fetchMessage","message":"m1"}`, "signal cannot read old messages"},
		{"fetch nothing elsewhere", "discord", `{"type":"fetchMessage","channel":"general"}`, "fetchMessage: message is missing; say its id"},
		{"edit nothing", "discord", `{"type":"editMessage","content":"new"}`, "editMessage: message is missing"},
		{"edit to nothing", "discord", `{"type":"editMessage","message":"m2"}`, "editMessage: content is missing"},
		{"edit to too much", "discord", `{"type":"editMessage","message":"m2","content":"` + strings.Repeat("x", 41) + `"}`, "could not edit the message: its content has 41 characters, and discord takes 40"},
		{"edit where nobody can", "signal", `{"type":"editMessage","message":"m2","content":"new"}`, "signal cannot edit messages"},
		{"delete nothing", "discord", `{"type":"deleteMessage"}`, "deleteMessage: message is missing"},
		{"delete where nobody can", "signal", `{"type":"deleteMessage","message":"m1"}`, "signal cannot delete messages"},
		{"delete many nowhere", "discord", `{"type":"bulkDelete","count":5}`, "bulkDelete: channel is missing"},
		{"delete one of many", "discord", `{"type":"bulkDelete","channel":"general","count":1}`, "bulkDelete: count needs 2 to 100, got 1"},
		{"delete too many", "discord", `{"type":"bulkDelete","channel":"general","count":101}`, "bulkDelete: count needs 2 to 100, got 101"},
		{"delete many where nobody can", "signal", `{"type":"bulkDelete","channel":"general","count":5}`, "signal cannot delete many messages at once"},
		{"crosspost where nobody can", "signal", `{"type":"crosspost","message":"m1"}`, "signal cannot crosspost messages"},
		{"crosspost nothing elsewhere", "discord", `{"type":"crosspost","channel":"general"}`, "crosspost: message is missing; say its id"},
		{"a thread without a name", "discord", `{"type":"threadCreate"}`, "threadCreate: name is missing"},
		{"a thread with a long name", "discord", `{"type":"threadCreate","name":"` + strings.Repeat("é", 101) + `"}`, "threadCreate: name needs 1 to 100 characters, got 101"},
		{"a thread in a forum without a message", "discord", `{"type":"threadCreate","name":"Plans","channel":"forum"}`, "threadCreate: content is missing; a thread in a forum needs a first message"},
		{"a thread with too long a message", "discord", `{"type":"threadCreate","name":"Plans","content":"` + strings.Repeat("x", 41) + `"}`, "could not begin the thread Plans: its content has 41 characters, and discord takes 40"},
		{"a thread that is archived at another time", "discord", `{"type":"threadCreate","name":"Plans","autoArchiveMinutes":30}`, "threadCreate: autoArchiveMinutes is one of 60, 1440, 4320, 10080, got 30"},
		{"a thread that nothing can be written in", "discord", `{"type":"threadCreate","name":"Plans","content":"unwritable"}`, "began the thread Plans (t1), but could not write its first message: it may not write there"},
		{"a thread where nobody can", "signal", `{"type":"threadCreate","name":"Plans"}`, "signal cannot begin threads"},
		{"pin where nobody can", "signal", `{"type":"pinMessage"}`, "signal cannot pin messages"},
		{"unpin where nobody can", "signal", `{"type":"unpinMessage"}`, "signal cannot pin messages"},
		{"pin nothing elsewhere", "discord", `{"type":"pinMessage","channel":"general"}`, "pinMessage: message is missing; say its id"},
		{"unpin nothing elsewhere", "discord", `{"type":"unpinMessage","channel":"general"}`, "unpinMessage: message is missing; say its id"},
		{"list pins where nobody can", "signal", `{"type":"listPins"}`, "signal cannot pin messages"},
		{"list pins of a room that is not there", "discord", `{"type":"listPins","channel":"nowhere"}`, `there is no room called "nowhere"`},
		{"send nothing", "discord", `{"type":"sendMessage"}`, "sendMessage: content is missing"},
		{"send to a room that is not there", "discord", `{"type":"sendMessage","content":"hi","channel":"nowhere"}`, `there is no room called "nowhere"`},
		{"send to another platform and no room", "discord", `{"type":"sendMessage","content":"hi","platform":"signal"}`, "sendMessage: channel is missing; it is a room on signal"},
		{"send to a platform that is not there", "discord", `{"type":"sendMessage","content":"hi","platform":"telex","chat":"1"}`, "telex is not connected"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTown(t)
			if out := w.run(test.on, test.call); out.OK || out.Refused || out.Summary != test.want || len(w.square.log) > 0 {
				t.Errorf("%+v, want %q; it did %q", out, test.want, w.square.log)
			}
		})
	}
}

func TestARoomOfAnotherPlatformHasToBeAllowed(t *testing.T) {
	many := []platform.Room{{Platform: "signal", ID: "g7"}}
	for n := range 21 {
		many = append(many, platform.Room{Platform: "telegram", ID: strconv.Itoa(n)})
	}
	for _, test := range []struct {
		name   string
		others []platform.Room
		want   string
	}{
		{"and is not the only one there", many[:1], "signal/g8 is none of the rooms that may be written to from another platform: signal/g7"},
		{"and is none of many", many, "signal/g8 is none of the rooms that may be written to from another platform: signal/g7, telegram/0, telegram/1, telegram/2, telegram/3, telegram/4, telegram/5, telegram/6, telegram/7, telegram/8, telegram/9, telegram/10, telegram/11, telegram/12, telegram/13, telegram/14, telegram/15, telegram/16, telegram/17, telegram/18, and 2 more"},
		{"and none is", nil, "signal/g8 is on another platform, and no room there may be written to from here"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTown(t)
			w.others = test.others
			out := w.run("discord", `{"type":"sendMessage","content":"hi","platform":"signal","chat":"g8"}`)
			if !out.Refused || out.Summary != test.want || len(w.square.log) > 0 {
				t.Errorf("%+v; it did %q", out, w.square.log)
			}
		})
	}
}

func TestTheModelIsToldOfRoomsOnOtherPlatforms(t *testing.T) {
	others := []platform.Room{{Platform: "signal", ID: "g7"}, {Platform: "web", ID: "lobby"}}
	for _, spec := range []*action.Spec{sendMessage(nil, nil, others), SendFile(nil, nil, Folders{}, others...)} {
		if want := "On other platforms (platform/channel): signal/g7, web/lobby."; !strings.HasSuffix(spec.Description, want) {
			t.Errorf("%s is described as %q", spec.Name, spec.Description)
		}
	}
	for _, chat := range []string{"g7", "signal/g7"} {
		w := newTown(t)
		w.others = others
		if out := w.run("discord", `{"type":"sendMessage","content":"hi","platform":"signal","chat":"`+chat+`"}`); !out.OK {
			t.Errorf("%s: %+v", chat, out)
		}
	}
}

// Everything a platform says about a failure is passed on, and nothing else is.
func TestWhatAPlatformDoesNotDoIsSaidInItsWords(t *testing.T) {
	calls := map[string]string{
		`{"type":"react","emoji":"eyes"}`:                             "could not react with 👀: ",
		`{"type":"unreact","emoji":"eyes"}`:                           "could not unreact with 👀: ",
		`{"type":"editMessage","message":"m2","content":"new"}`:       "could not edit the message: ",
		`{"type":"deleteMessage","message":"m1"}`:                     "could not delete the message: ",
		`{"type":"readMessages","channel":"general"}`:                 "could not read messages in general: ",
		`{"type":"fetchMessage","message":"m1"}`:                      "could not read the message: ",
		`{"type":"crosspost"}`:                                        "could not crosspost the message: ",
		`{"type":"threadCreate","name":"Plans"}`:                      "could not begin the thread Plans: ",
		`{"type":"pinMessage"}`:                                       "could not pin the message: ",
		`{"type":"unpinMessage","message":"m1","channel":"#general"}`: "could not unpin the message in #general: ",
		`{"type":"listPins"}`:                                         "could not read the pinned messages: ",
	}
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"its reason", platform.Refuse("the bot may not do that"), "the bot may not do that"},
		{"that it asks to wait", &platform.Problem{Outcome: platform.Limited, Reason: "Discord asks to wait", RetryAfter: 2800 * time.Millisecond}, "Discord asks to wait; try again in 3 seconds"},
	} {
		for call, prefix := range calls {
			t.Run(test.name+" "+call, func(t *testing.T) {
				w := newTown(t)
				w.square.fail = test.err
				if out := w.run("discord", call); out.OK || out.Summary != prefix+test.want {
					t.Errorf("%+v, want %q", out, prefix+test.want)
				}
			})
		}
	}
	w := newTown(t)
	w.square.fail = errors.New("GET https://api.example/bot123:secret/pin: connection refused")
	if out := w.run("discord", `{"type":"pinMessage"}`); out.OK || out.Summary != "could not pin the message: the platform does not answer" {
		t.Errorf("%+v", out)
	}
	w = newTown(t)
	w.fail = errors.New("the room is closed")
	if out := w.run("discord", `{"type":"sendMessage","content":"hi","channel":"general"}`); out.OK || out.Summary != "could not send to general: the room is closed" {
		t.Errorf("%+v", out)
	}
}

func TestHowManyMessagesWereDeletedIsSaid(t *testing.T) {
	for _, test := range []struct {
		name  string
		swept int
		fail  error
		ok    bool
		want  string
	}{
		{"all", 5, nil, true, "deleted 5 messages in general"},
		{"fewer", 1, nil, true, "deleted 1 message of 5 in general; there are no more, or discord cannot delete them"},
		{"none", 0, platform.Refuse("the bot may not do that"), false, "could not delete messages in general: the bot may not do that"},
		{"fewer, and then it failed", 2, platform.Refuse("the bot may not do that"), false, "deleted 2 messages in general, then no more: the bot may not do that"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTown(t)
			w.square.swept, w.square.fail = test.swept, test.fail
			if out := w.run("discord", `{"type":"bulkDelete","channel":"general","count":5}`); out.OK != test.ok || out.Summary != test.want {
				t.Errorf("%+v", out)
			}
		})
	}
}

func TestWhatIsFound(t *testing.T) {
	const (
		first  = `{"id":"m1","author":"Ada L.","authorId":"u1","at":"2026-03-01T12:00:00Z","text":"hello","files":["notes.txt"]}`
		second = `{"id":"m2","author":"Aside","authorId":"u2","bot":true,"at":"2026-03-01T12:01:00Z","replyTo":"m1","text":"Hello \u003cb\u003eAda\u003c/b\u003e"}`
	)
	for _, test := range []struct{ name, call, did, data, summary string }{
		{"messages, the oldest first", `{"type":"readMessages"}`, "messages here 10 ", "[" + first + "," + second + "]", "read 2 messages"},
		{"messages of another room before one", `{"type":"readMessages","channel":"general","limit":1,"before":"m3"}`, "messages r1 1 m3", "[" + second + "]", "read 1 message in general"},
		{"a message", `{"type":"fetchMessage","message":"m2","channel":"general"}`, "message r1 m2", second, "read a message of Aside in general"},
		{"pins", `{"type":"listPins"}`, "pins here", "[" + second + "," + first + "]", "read 2 pinned messages"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTown(t)
			out := w.run("discord", test.call)
			if !out.OK || out.Summary != test.summary || string(out.Data) != test.data || !slices.Equal(w.square.log, []string{test.did}) {
				t.Errorf("%+v, %s; it did %q", out, out.Data, w.square.log)
			}
		})
	}
}

func TestNothingFoundIsAnEmptyList(t *testing.T) {
	for _, call := range []string{`{"type":"readMessages"}`, `{"type":"listPins"}`} {
		w := newTown(t)
		w.square.messages = nil
		if out := w.run("discord", call); !out.OK || string(out.Data) != "[]" || !strings.HasPrefix(out.Summary, "read 0 ") {
			t.Errorf("%+v, %s", out, out.Data)
		}
	}
}

func TestWhatIsFoundIsCutToASize(t *testing.T) {
	w := newTown(t)
	long := platform.Message{ID: "m1", Author: platform.Person{Name: strings.Repeat("A", 5000)}, Text: strings.Repeat("é", 100_000), Files: make([]platform.File, 50)}
	w.square.messages = slices.Repeat([]platform.Message{long}, 60)
	for _, test := range []struct {
		call    string
		summary string
		entries int
		text    int
	}{
		{`{"type":"readMessages","limit":20}`, "read 20 messages", 20, mostOfMany},
		{`{"type":"listPins"}`, "read 25 of 60 pinned messages", mostPins, mostOfMany},
		{`{"type":"fetchMessage"}`, "read a message of " + strings.Repeat("A", 80) + "…", 1, mostOfOne},
		{`{"type":"fetchMessage","full":"true"}`, "read a message of " + strings.Repeat("A", 80) + "…", 1, mostInFull},
	} {
		t.Run(test.call, func(t *testing.T) {
			out := w.run("discord", test.call)
			data := out.Data
			if test.entries == 1 {
				data = slices.Concat([]byte("["), data, []byte("]"))
			}
			var got []note
			if err := json.Unmarshal(data, &got); err != nil {
				t.Fatal(err)
			}
			if out.Summary != test.summary || len(got) != test.entries || got[0].Text != strings.Repeat("é", test.text)+"…" || got[0].Cut != 100_000 || len(got[0].Files) != mostFiles {
				t.Errorf("%q: %d entries, the first of %d bytes, cut from %d", out.Summary, len(got), len(got[0].Text), got[0].Cut)
			}
		})
	}
}

func TestEveryActionIsDescribed(t *testing.T) {
	w := newTown(t)
	for _, spec := range append(Specs(w, w), SendFile(w, nil, Folders{}), Voice(w, nil, nil), ReactionPrompt(w, w, nil)) {
		t.Run(spec.Name, func(t *testing.T) {
			checkSpec(t, spec)
		})
	}
}

func checkSpec(t *testing.T, spec *action.Spec) {
	t.Helper()
	if spec.Category != category {
		t.Errorf("its category is %q", spec.Category)
	}
	if !strings.HasSuffix(spec.Description, ".") || strings.Contains(spec.Description+spec.Example, "\n") {
		t.Errorf("%q is no line", spec.Description)
	}
	var example struct{ Type string }
	if err := json.Unmarshal([]byte(spec.Example), &example); err != nil || example.Type != spec.Name {
		t.Errorf("the example is one of %q, %v", example.Type, err)
	}
	args, err := spec.Decode([]byte(spec.Example))
	if err != nil || len(args.Warnings) > 0 {
		t.Errorf("the example has %v, %q", err, args.Warnings)
	}
}
