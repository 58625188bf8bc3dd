package voice

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/platform"
)

// A server has voice rooms, and writes down what it is asked to do.
type server struct {
	*venuetest.Server
	platform.RoomKeeper // for RoomInfo alone
	calls               []string
	state               platform.VoiceState
	fail                map[string]error
}

// newServer has the agent in the Lounge.
func newServer() *server {
	s := &server{Server: &venuetest.Server{Bare: "discord"}, state: platform.VoiceState{Room: "12", Muted: true}, fail: map[string]error{}}
	for _, r := range []platform.RoomInfo{{Name: "general", Kind: platform.TextRoom}, {Name: "Lounge", Kind: platform.VoiceRoom}, {Name: "Stage", Kind: platform.StageRoom}} {
		r.Room = platform.Room{Platform: "discord", ID: fmt.Sprint(11 + len(s.Places))}
		s.Places = append(s.Places, r)
	}
	return s
}

func (s *server) did(format string, a ...any) error {
	call := fmt.Sprintf(format, a...)
	s.calls = append(s.calls, call)
	return s.fail[call]
}

func (s *server) RoomInfo(_ context.Context, room platform.Room) (platform.RoomInfo, error) {
	for _, r := range s.Places {
		if r.Room == room {
			return r, nil
		}
	}
	return platform.RoomInfo{}, platform.Refuse("there is no channel %s", room.ID)
}

func (s *server) JoinVoice(_ context.Context, room platform.Room) error {
	return s.did("join %s", room.ID)
}

func (s *server) LeaveVoice(_ context.Context, near platform.Room) error {
	return s.did("leave near %s", near.ID)
}

func (s *server) VoiceState(_ context.Context, near platform.Room) (platform.VoiceState, error) {
	return s.state, s.fail["state near "+near.ID]
}

func (s *server) MuteVoice(_ context.Context, near platform.Room, mute bool) error {
	return s.did("mute near %s: %v", near.ID, mute)
}

func (s *server) DeafenVoice(_ context.Context, near platform.Room, deafen bool) error {
	return s.did("deafen near %s: %v", near.ID, deafen)
}

// run asks for an action in #general.
func run(t *testing.T, p platform.Platform, name, args string) action.Outcome {
	t.Helper()
	return venuetest.Run(t, Specs(venuetest.Platforms{p.Name(): p}), action.Call{Platform: p.Name(), Room: "11", Person: "ada"}, name, args)
}

func TestActionsOfTheCategory(t *testing.T) {
	venuetest.Specs(t, "voice", Specs(venuetest.Platforms{}), map[string]string{
		"voiceJoin":   "repeatable server: connect to voice rooms",
		"voiceLeave":  "repeatable server: connect to voice rooms",
		"voiceStatus": "query repeatable server: connect to voice rooms",
		"voiceMute":   "repeatable server: connect to voice rooms",
		"voiceDeafen": "repeatable server: connect to voice rooms",
	})
}

func TestWhatIsDone(t *testing.T) {
	for _, test := range []struct{ name, action, args, summary, data, call string }{
		{"a voice channel is joined", "voiceJoin", `{"channel":"Lounge"}`, "joined Lounge", "", "join 12"},
		{"a stage is joined", "voiceJoin", `{"channelId":13}`, "joined Stage", "", "join 13"},
		{"it is left", "voiceLeave", `{}`, "left Lounge", "", "leave near 11"},
		{"it is looked up", "voiceStatus", `{}`, "in Lounge", `{"channelId":"12","channel":"Lounge","muted":true,"deafened":false}`, ""},
		{"muted", "voiceMute", `{"mute":"yes"}`, "muted in Lounge", "", "mute near 11: true"},
		{"unmuted", "voiceMute", `{"mute":false}`, "unmuted in Lounge", "", "mute near 11: false"},
		{"deafened", "voiceDeafen", `{"deafen":true}`, "deafened in Lounge", "", "deafen near 11: true"},
		{"undeafened", "voiceDeafen", `{"deafen":"false"}`, "undeafened in Lounge", "", "deafen near 11: false"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer()
			if out := run(t, s, test.action, test.args); !out.OK || out.Summary != test.summary || string(out.Data) != test.data {
				t.Errorf("%+v %s", out, out.Data)
			}
			if got := strings.Join(s.calls, "\n"); got != test.call {
				t.Errorf("asked was %s", got)
			}
		})
	}
}

func TestWhatIsWrong(t *testing.T) {
	for _, test := range []struct{ name, action, args, summary string }{
		{"a text channel", "voiceJoin", `{"channel":"general"}`, "#general is no voice channel; name one"},
		{"this one, which is a text channel", "voiceJoin", `{}`, "#general is no voice channel; name one"},
		{"a channel there is not", "voiceJoin", `{"channel":"games"}`, "there is no channel games"},
		{"neither muted nor not", "voiceMute", `{}`, "voiceMute: mute is missing"},
		{"muted perhaps", "voiceMute", `{"mute":"perhaps"}`, `voiceMute: mute is true or false, got "perhaps"`},
		{"neither deafened nor not", "voiceDeafen", `{}`, "voiceDeafen: deafen is missing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer()
			if out := run(t, s, test.action, test.args); out.OK || out.Summary != test.summary || len(s.calls) > 0 {
				t.Errorf("%+v, asked was %q", out, s.calls)
			}
		})
	}
}

func TestInNoVoiceChannel(t *testing.T) {
	for name, test := range map[string]struct {
		args, summary string
		ok            bool
	}{
		"voiceLeave":  {`{}`, "I am in no voice channel", true},
		"voiceStatus": {`{}`, "I am in no voice channel", true},
		"voiceMute":   {`{"mute":true}`, "could not mute: I am in no voice channel; join one first", false},
		"voiceDeafen": {`{"deafen":false}`, "could not undeafen: I am in no voice channel; join one first", false},
	} {
		s := newServer()
		s.state = platform.VoiceState{}
		if out := run(t, s, name, test.args); out.OK != test.ok || out.Summary != test.summary || len(s.calls) > 0 {
			t.Errorf("%s: %+v, asked was %q", name, out, s.calls)
		}
	}
}

func TestWhoMayNotBeThereHasNoSayAndIsNotToldWhereItIs(t *testing.T) {
	for name, test := range map[string]struct{ args, denied, summary string }{
		"voiceLeave":  {`{}`, "connect to voice rooms in 12", "it is not known that you may connect to voice rooms where I am"},
		"voiceStatus": {`{}`, "see the room in 12", "it is not known that you may see the room where I am"},
		"voiceMute":   {`{"mute":true}`, "connect to voice rooms in 12", "it is not known that you may connect to voice rooms where I am"},
		"voiceDeafen": {`{"deafen":true}`, "connect to voice rooms in 12", "it is not known that you may connect to voice rooms where I am"},
	} {
		s := newServer()
		s.Denied = map[string]bool{test.denied: true}
		if out := run(t, s, name, test.args); !out.Refused || out.Summary != test.summary || len(s.calls) > 0 {
			t.Errorf("%s: %+v, asked was %q", name, out, s.calls)
		}
	}
}

func TestWhatThePlatformSaysAndWhatItCannot(t *testing.T) {
	for _, test := range []struct{ action, args, call, says, cannot string }{
		{"voiceJoin", `{"channel":"Lounge"}`, "join 12", "could not join Lounge: the line is bad", "signal cannot join voice channels"},
		{"voiceLeave", `{}`, "leave near 11", "could not leave Lounge: the line is bad", "signal cannot leave voice channels"},
		{"voiceStatus", `{}`, "state near 11", "could not find out which voice channel I am in: the line is bad", "signal cannot join voice channels"},
		{"voiceMute", `{"mute":true}`, "mute near 11: true", "could not mute in Lounge: the line is bad", "signal cannot join voice channels"},
		{"voiceDeafen", `{"deafen":true}`, "deafen near 11: true", "could not deafen in Lounge: the line is bad", "signal cannot join voice channels"},
	} {
		s := newServer()
		s.fail[test.call] = platform.Refuse("the line is bad")
		if out := run(t, s, test.action, test.args); out.OK || out.Summary != test.says {
			t.Errorf("%+v", out)
		}
		if out := run(t, venuetest.Bare("signal"), test.action, test.args); out.OK || out.Summary != test.cannot {
			t.Errorf("%+v", out)
		}
	}
}
