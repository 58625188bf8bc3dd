package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
)

// echo makes the model say what it was asked. While it is asked about something slow it
// waits until it is let go.
func (s *scene) echo() (asked, let chan struct{}) {
	asked, let = make(chan struct{}, 1), make(chan struct{})
	s.model.does(func(w http.ResponseWriter, text string) {
		if strings.Contains(text, "slow") {
			asked <- struct{}{}
			select {
			case <-let:
			case <-s.ctx.Done():
			}
		}
		stream(w, "You said: "+text)
		finish(w)
	})
	return asked, let
}

// isAbout tells whether a turn is about a message or a change of it.
func isAbout(message string) func(sceneTurn) bool {
	return func(t sceneTurn) bool { return t.Message == message || strings.HasPrefix(t.Message, message+"-edit-") }
}

// replied are the agent's answers to a message.
func (s *scene) replied(in *discordtest.Channel, message string) []string {
	var all []string
	for _, p := range s.answers(in, message) {
		all = append(all, p.Content)
	}
	return all
}

func TestDiscordWhatIsChangedIsAnswered(t *testing.T) {
	s := newScene(t, "")
	d := s.discord
	for _, test := range []struct {
		name  string
		first string
		does  func(s *scene, in *discordtest.Channel, id string)
		want  []string
	}{
		{"after it was answered", s.to("one"), func(s *scene, in *discordtest.Channel, id string) {
			s.settle(in, id)
			d.Rewrite(in, id, s.to("two"))
		}, []string{"You said: ada: one", "You said: ada: (changed an earlier message to:) two"}},
		{"after it was answered, without the agent's name", s.to("one"), func(s *scene, in *discordtest.Channel, id string) {
			s.settle(in, id)
			d.Rewrite(in, id, "two")
		}, []string{"You said: ada: one", "You said: ada: (changed an earlier message to:) two"}},
		{"but not if it says the same", s.to("one"), func(s *scene, in *discordtest.Channel, id string) {
			s.settle(in, id)
			d.Rewrite(in, id, s.to("one"))
			d.Unfurl(in, id, false)
		}, []string{"You said: ada: one"}},
		{"once, however often Discord tells of it", s.to("one"), func(s *scene, in *discordtest.Channel, id string) {
			s.settle(in, id)
			d.Rewrite(in, id, s.to("two"))
			d.Unfurl(in, id, false)
			d.Unfurl(in, id, true)
		}, []string{"You said: ada: one", "You said: ada: (changed an earlier message to:) two"}},
		{"when the agent's name is put in", "one", func(s *scene, in *discordtest.Channel, id string) {
			d.Rewrite(in, id, s.to("two"))
		}, []string{"You said: ada: two"}},
		{"but not if it is not for the agent", "one", func(s *scene, in *discordtest.Channel, id string) {
			d.Rewrite(in, id, "two")
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := s.is(t)
			room := d.AddChannel(d.Guild, "room", discordtest.Text)
			s.echo()
			id := d.Write(d.Ada, room, test.first)
			test.does(s, room, id)
			// What came before this has been looked at before.
			s.settle(room, d.Write(d.Owner, room, s.to("the end")))
			if got := s.replied(room, id); !slices.Equal(got, test.want) {
				t.Errorf("the answers are %q, want %q\n%s", got, test.want, s.output.String())
			}
		})
	}
}

func TestDiscordWhatIsChangedWhileATurnRuns(t *testing.T) {
	s := newScene(t, "")
	d := s.discord
	asked, let := s.echo()
	running := d.Write(d.Ada, d.General, s.to("slow"))
	waiting := d.Write(d.Ada, d.General, s.to("wrong"))
	s.untilAsked(asked)
	d.Rewrite(d.General, waiting, s.to("almost"))
	d.Rewrite(d.General, waiting, s.to("right"))
	d.Rewrite(d.General, running, s.to("quick"))
	// It is handled when what comes after it is: another room does not wait.
	other := d.AddChannel(d.Guild, "other", discordtest.Text)
	s.settle(other, d.Write(d.Owner, other, s.to("hello")))
	close(let)
	turns := s.settleAll(d.General, func(sceneTurn) bool { return true })
	s.until("not everything is answered", func() bool { return len(d.Posts(d.General)) == 3 })
	if got, want := s.replied(d.General, running), []string{"You said: ada: slow", "You said: ada: (changed an earlier message to:) quick"}; !slices.Equal(got, want) {
		t.Errorf("the message that was being answered has %q, want %q", got, want)
	}
	if got, want := s.replied(d.General, waiting), []string{"You said: ada: right"}; !slices.Equal(got, want) {
		t.Errorf("the message that waited has %q, want %q", got, want)
	}
	if n := len(slices.DeleteFunc(turns, func(t sceneTurn) bool { return !isAbout(waiting)(t) })); n > 1 {
		t.Errorf("the message that waited has %d turns", n)
	}
}

// untilAsked waits until the model is asked.
func (s *scene) untilAsked(asked <-chan struct{}) {
	s.t.Helper()
	select {
	case <-asked:
	case <-s.ctx.Done():
		s.t.Fatalf("the model was not asked\n%s", s.output.String())
	}
}
