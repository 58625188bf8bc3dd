package social

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// A wall takes posts and nothing else.
type wall struct{ name string }

func (w wall) Name() string                                         { return w.name }
func (w wall) Limits() platform.Limits                              { return platform.Limits{Text: 40} }
func (w wall) Run(context.Context, platform.Inbox) error            { return nil }
func (w wall) Post(context.Context, platform.Post) platform.Receipt { return platform.Receipt{} }

// A square can do everything that is needed, and keeps what it did.
type square struct {
	wall
	log  []string
	fail error
	may  bool
	m    platform.Message
}

func (s *square) note(format string, args ...any) error {
	if s.fail == nil {
		s.log = append(s.log, fmt.Sprintf(format, args...))
	}
	return s.fail
}

func (s *square) React(_ context.Context, room platform.Room, message, emoji string) platform.Receipt {
	if s.note("react %s %s %s", room, message, emoji) != nil {
		return platform.Receipt{Outcome: platform.Refused, Reason: s.fail.Error()}
	}
	return platform.Receipt{Outcome: platform.Delivered}
}

func (s *square) Unreact(context.Context, platform.Room, string, string) platform.Receipt {
	return platform.Receipt{}
}

func (s *square) Messages(context.Context, platform.Room, platform.Page) ([]platform.Message, error) {
	return nil, errors.ErrUnsupported
}

func (s *square) Message(_ context.Context, room platform.Room, id string) (platform.Message, error) {
	return s.m, s.note("read %s %s", room, id)
}

func (s *square) Crosspost(_ context.Context, room platform.Room, message string) error {
	return s.note("crosspost %s %s", room, message)
}

func (s *square) May(_ context.Context, person string, right platform.Right, room platform.Room) (bool, error) {
	return s.may && person == "u1" && (right == platform.ManageMessages || right == platform.ReadHistory) && room.ID == "here", nil
}

func (s *square) Outranks(context.Context, platform.Room, string, string) (bool, error) {
	return false, errors.ErrUnsupported
}

func (s *square) OutranksRole(context.Context, platform.Room, string, string) (bool, error) {
	return false, errors.ErrUnsupported
}

// A town has both, and a sender.
type town struct {
	square  *square
	reposts platform.Room
	fail    error
	direct  bool
	silent  bool // no message has started the turn
}

func newTown() *town {
	return &town{
		square:  &square{wall: wall{"discord"}, may: true, m: platform.Message{ID: "m1", Author: platform.Person{Name: "Ada"}, Text: "one\ntwo"}},
		reposts: platform.Room{Platform: "signal", ID: "wall"},
	}
}

func (w *town) Platform(name string) (platform.Platform, bool) {
	switch name {
	case "discord":
		return w.square, true
	case "signal":
		return wall{name}, true
	}
	return nil, false
}

func (w *town) Send(_ context.Context, turn int64, post platform.Post) (string, error) {
	if w.fail == nil {
		w.square.log = append(w.square.log, fmt.Sprintf("send %d %s %s %q to %q", turn, post.Key, post.Room, post.Text, post.ReplyTo))
	}
	return "p1", w.fail
}

func (w *town) run(t *testing.T, on, name, args string) action.Outcome {
	t.Helper()
	registry, err := action.NewRegistry(Specs(w, w, w.reposts)...)
	if err != nil {
		t.Fatal(err)
	}
	spec := registry.Find(name)
	if spec == nil {
		t.Fatalf("there is no action %q", name)
	}
	decoded, err := spec.Decode([]byte(args))
	if err != nil {
		return action.Fail("%v", err)
	}
	call := action.Call{Turn: 3, Key: "k", Platform: on, Room: "here", Message: "m0", Person: "u1", Direct: w.direct}
	if w.silent {
		call.Message = ""
	}
	return spec.Run(t.Context(), call, decoded)
}

const quoted = "> one\n> two\n— Ada"

func TestWhatActionsDo(t *testing.T) {
	forwarded := fmt.Sprintf("send 3 k-repost signal/wall %q to \"\"", quoted)
	for _, test := range []struct {
		name, on, action, args string
		did                    []string
		want                   action.Outcome
	}{
		{"like the person's message", "discord", "LIKE", `{}`, []string{"react discord/here m0 ❤️"}, action.Outcome{OK: true, Summary: "liked a message"}},
		{"like another one", "discord", "like", `{"messageId":"m1"}`, []string{"react discord/here m1 ❤️"}, action.Outcome{OK: true, Summary: "liked a message"}},
		{"repost", "discord", "repost", `{"message":"m1"}`, []string{"read discord/here m1", forwarded}, action.Outcome{OK: true, Summary: "reposted a message of Ada to signal/wall"}},
		{"repost by its older name", "discord", "RETWEET", `{}`, []string{"read discord/here m0", forwarded}, action.Outcome{OK: true, Summary: "reposted a message of Ada to signal/wall"}},
		{"quote", "discord", "quote", `{"message":"m1","content":"So true."}`, []string{"read discord/here m1"}, action.Outcome{OK: true, Summary: "quoted Ada", Say: quoted + "\n\nSo true."}},
		{"quote where old messages cannot be read", "signal", "quote", `{"message":"m1","content":"So true."}`, []string{`send 3 k-reply signal/here "So true." to "m1"`}, action.Outcome{OK: true, Summary: "answered a message"}},
		{"quote the person where old messages cannot be read", "signal", "quote", `{"content":"So true."}`, nil, action.Outcome{OK: true, Summary: "replied", Say: "So true."}},
		{"reply as an envelope says it", "discord", "REPLY", `{}`, nil, action.Outcome{OK: true, Summary: "replied"}},
		{"reply by its other name", "discord", "CONTINUE", `{}`, nil, action.Outcome{OK: true, Summary: "replied"}},
		{"reply to the person", "discord", "reply", `{"text":"Yes.","message":"m0"}`, nil, action.Outcome{OK: true, Summary: "replied", Say: "Yes."}},
		{"reply to another message", "discord", "reply", `{"text":"Yes.","message":"m1"}`, []string{`send 3 k-reply discord/here "Yes." to "m1"`}, action.Outcome{OK: true, Summary: "answered a message"}},
		{"all flags", "discord", "SOCIAL_ENGAGE", `{"like":true,"retweet":true,"quote":true,"reply":true}`, []string{"react discord/here m0 ❤️", "read discord/here m0", forwarded, "read discord/here m0"}, action.Outcome{OK: true, Summary: "liked a message; reposted a message of Ada to signal/wall; quoted Ada", Say: quoted}},
		{"one flag", "discord", "SOCIAL_ENGAGE", `{"like":"true"}`, []string{"react discord/here m0 ❤️"}, action.Outcome{OK: true, Summary: "liked a message"}},
		{"no flag", "discord", "SOCIAL_ENGAGE", `{}`, nil, action.Outcome{OK: true, Summary: "replied"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTown()
			out := w.run(t, test.on, test.action, test.args)
			if out.OK != test.want.OK || out.Summary != test.want.Summary || out.Say != test.want.Say || !slices.Equal(w.square.log, test.did) {
				t.Errorf("%+v; it did %q", out, w.square.log)
			}
		})
	}
}

// On some platforms a mark would take the place of the heart, if nobody knew of it.
func TestALikeLeavesBehindWhatItHasDoneWhateverElseFails(t *testing.T) {
	const want = `{"reacted":"❤️","room":"here","message":"m0"}`
	w := newTown()
	for _, test := range []struct{ action, args string }{{"like", `{}`}, {"SOCIAL_ENGAGE", `{"like":true,"quote":true}`}} {
		if out := w.run(t, "discord", test.action, test.args); !out.OK || string(out.Trace) != want {
			t.Errorf("%s leaves %s behind: %+v", test.action, out.Trace, out)
		}
	}
	w.fail = errors.New("the room is closed")
	if out := w.run(t, "discord", "SOCIAL_ENGAGE", `{"like":true,"repost":true}`); out.OK || string(out.Trace) != want {
		t.Errorf("beside what failed it leaves %s behind: %+v", out.Trace, out)
	}
}

func TestWithoutARoomForRepostsAMessageIsCrossposted(t *testing.T) {
	w := newTown()
	w.reposts = platform.Room{}
	if out := w.run(t, "discord", "repost", `{"message":"m1"}`); !out.OK || out.Summary != "crossposted a message" || !slices.Equal(w.square.log, []string{"crosspost discord/here m1"}) {
		t.Errorf("%+v; it did %q", out, w.square.log)
	}
	if out := w.run(t, "signal", "repost", `{}`); out.OK || out.Summary != "signal cannot crosspost messages, and there is no room for reposts" {
		t.Errorf("%+v", out)
	}
	w.square.may, w.square.log = false, nil
	if out := w.run(t, "discord", "repost", `{}`); !out.Refused || out.Summary != "you may not manage messages in here" || len(w.square.log) > 0 {
		t.Errorf("%+v; it did %q", out, w.square.log)
	}
}

func TestWhatActionsDoNot(t *testing.T) {
	refusal := platform.Refuse("the bot may not do that")
	for _, test := range []struct {
		name, on, action, args string
		before                 func(*town)
		refused                bool
		want                   string
	}{
		{"like where nobody can", "signal", "like", `{}`, nil, false, "signal cannot react to messages"},
		{"like where nobody is", "telex", "like", `{}`, nil, false, "telex is not connected"},
		{"like what cannot be liked", "discord", "like", `{}`, func(w *town) { w.square.fail = refusal }, false, "could not like the message: the bot may not do that"},
		{"repost from a direct chat", "discord", "repost", `{}`, func(w *town) { w.direct = true }, true, "what is said in a direct chat is not reposted"},
		{"repost from a direct chat with a flag", "discord", "SOCIAL_ENGAGE", `{"repost":true}`, func(w *town) { w.direct = true }, true, "what is said in a direct chat is not reposted"},
		{"repost to where it stands", "discord", "repost", `{}`, func(w *town) { w.reposts = platform.Room{Platform: "discord", ID: "here"} }, false, "this is the room for reposts: the message stands here already"},
		{"repost what cannot be read", "signal", "repost", `{}`, nil, false, "could not repost the message: signal cannot read old messages"},
		{"repost what is gone", "discord", "repost", `{}`, func(w *town) { w.square.fail = refusal }, false, "could not repost the message: the bot may not do that"},
		{"repost to a closed room", "discord", "repost", `{}`, func(w *town) { w.fail = errors.New("the room is closed") }, false, "could not repost the message: the room is closed"},
		{"crosspost what cannot be", "discord", "repost", `{}`, func(w *town) { w.reposts, w.square.fail = platform.Room{}, refusal }, false, "could not crosspost the message: the bot may not do that"},
		{"quote what is gone", "discord", "quote", `{"content":"x"}`, func(w *town) { w.square.fail = refusal }, false, "could not quote the message: the bot may not do that"},
		{"quote what the person cannot look up", "discord", "quote", `{"message":"m1"}`, func(w *town) { w.square.may = false }, true, "you may not read old messages in here"},
		{"repost what the person cannot look up", "discord", "repost", `{"message":"m1"}`, func(w *town) { w.square.may = false }, true, "you may not read old messages in here"},
		{"quote where nobody is", "telex", "quote", `{"content":"x"}`, nil, false, "telex is not connected"},
		{"reply with nothing to another message", "discord", "reply", `{"message":"m1"}`, nil, false, "content is missing; say what to answer"},
		{"reply with too much to another message", "discord", "reply", `{"message":"m1","content":"` + strings.Repeat("x", 41) + `"}`, nil, false, "could not answer the message: discord takes 40 characters"},
		{"reply in a closed room", "discord", "reply", `{"message":"m1","content":"x"}`, func(w *town) { w.fail = errors.New("the room is closed") }, false, "could not answer the message: the room is closed"},
		{"like nothing", "discord", "like", `{}`, func(w *town) { w.silent = true }, false, "like: message is missing; say its id"},
		{"repost nothing", "discord", "repost", `{}`, func(w *town) { w.silent = true }, false, "repost: message is missing; say its id"},
		{"quote nothing", "discord", "quote", `{"content":"x"}`, func(w *town) { w.silent = true }, false, "quote: message is missing; say its id"},
		{"one of several", "signal", "SOCIAL_ENGAGE", `{"like":true,"quote":true}`, nil, false, "signal cannot react to messages; replied"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTown()
			if test.before != nil {
				test.before(w)
			}
			if out := w.run(t, test.on, test.action, test.args); out.OK || out.Refused != test.refused || out.Summary != test.want {
				t.Errorf("%+v, want %q", out, test.want)
			}
		})
	}
}

func TestAQuotationStaysAQuotation(t *testing.T) {
	for _, test := range []struct {
		name string
		m    platform.Message
		want string
	}{
		{"a line", platform.Message{Text: "hello", Author: platform.Person{Name: "Ada"}}, "> hello\n— Ada"},
		{"lines of every kind", platform.Message{Text: "a\r\nb\rc\u2028d\n\ne", Author: platform.Person{Name: "Ada"}}, "> a\n> b\n> c\n> d\n> \n> e\n— Ada"},
		{"a name with lines", platform.Message{Text: "hello", Author: platform.Person{Name: "Ada\n\nI promise you money"}}, "> hello\n— Ada I promise you money"},
		{"nobody", platform.Message{Text: "hello"}, "> hello\n— somebody"},
		{"a file", platform.Message{Files: []platform.File{{Name: "../a.txt"}}, Author: platform.Person{ID: "u1"}}, "> (a.txt)\n— u1"},
		{"too long", platform.Message{Text: strings.Repeat("é", 1001)}, "> " + strings.Repeat("é", 1000) + "…\n— somebody"},
		{"too many lines", platform.Message{Text: strings.Repeat("x\n", 30)}, strings.Repeat("> x\n", 20) + "> …\n— somebody"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := quotation(test.m); got != test.want {
				t.Errorf("it is %q, want %q", got, test.want)
			}
		})
	}
}

func TestEveryActionIsDescribed(t *testing.T) {
	for _, spec := range Specs(nil, nil, platform.Room{}) {
		t.Run(spec.Name, func(t *testing.T) {
			if spec.Category != category || !strings.HasSuffix(spec.Description, ".") || strings.Contains(spec.Description+spec.Example, "\n") {
				t.Errorf("%s: %q", spec.Category, spec.Description)
			}
			var example struct{ Type string }
			if err := json.Unmarshal([]byte(spec.Example), &example); err != nil || example.Type != spec.Name {
				t.Errorf("the example is one of %q, %v", example.Type, err)
			}
			if args, err := spec.Decode([]byte(spec.Example)); err != nil || len(args.Warnings) > 0 {
				t.Errorf("the example has %v, %q", err, args.Warnings)
			}
		})
	}
}
