package main

import (
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/asidehq/aside/internal/slacktest"
)

// markIs waits until the agent has exactly these emoji on a message, by their names.
func (s *slackScene) markIs(in *slacktest.Channel, message string, want ...string) {
	s.t.Helper()
	s.until("the marks are not "+strings.Join(want, " "), func() bool {
		var got []string
		for _, r := range s.slack.Message(in, message).Reactions {
			if slices.Contains(r.Users, s.slack.Bot().ID) {
				got = append(got, r.Name)
			}
		}
		return slices.Equal(got, want)
	})
}

// reactions are the names of the emoji that the agent has put on a message, in order.
func (s *slackScene) reactions(message string) (all []string) {
	for _, r := range s.slack.Requests("reactions.add") {
		if r.Values["timestamp"] == message {
			all = append(all, r.Values["name"])
		}
	}
	return all
}

func TestSlackMarksTellHowFarAMessageIs(t *testing.T) {
	s := newSlackScene(t, "")
	d := s.slack
	in := d.Direct(d.Ada)
	onward := make(chan struct{})
	asked := s.model.waiting(onward, s.ctx.Done(), "It is ready.")
	first := d.Write(d.Ada, in, "is it ready?")
	<-asked
	s.markIs(in, first, "thinking_face")
	second := d.Write(d.Ada, in, "and this?")
	s.markIs(in, second, "eyes")
	again := make(chan struct{})
	asked = s.model.waiting(again, s.ctx.Done(), "This as well.")
	close(onward)
	s.markIs(in, first, "trophy")
	<-asked
	s.markIs(in, second, "thinking_face")
	close(again)
	s.markIs(in, second, "trophy")
	if got := s.reactions(second); !slices.Equal(got, []string{"eyes", "thinking_face", "trophy"}) {
		t.Errorf("it had %q", got)
	}
}

func TestSlackMarksTellHowItEnded(t *testing.T) {
	s := newSlackScene(t, everythingOn+"\n")
	d := s.slack
	ask := func(text, reply string) string {
		s.model.replies(reply)
		message := d.Write(d.Ada, d.General, s.to(text))
		s.settle(roomIn(d.General, message), message)
		return message
	}
	s.markIs(d.General, ask("be quiet", "<no-reply/>"), "+1")
	own := ask("look at this", `Nice.<actions><react emoji="👀"/></actions>`)
	s.until("the marks are not eyes and trophy", func() bool {
		var got []string
		for _, r := range d.Message(d.General, own).Reactions {
			got = append(got, r.Name)
		}
		slices.Sort(got)
		return slices.Equal(got, []string{"eyes", "trophy"})
	})
	s.markIs(d.General, ask("and now?", "Which of the two do you want?"))
	s.model.does(func(w http.ResponseWriter, _ string) {
		http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
	})
	failed := d.Write(d.Ada, d.General, s.to("fail"))
	s.markIs(d.General, failed, "scream")
}

func TestSlackHasNoMarkOnACommandThatStandsNowhere(t *testing.T) {
	s := newSlackScene(t, "")
	d := s.slack
	in := d.Direct(d.Ada)
	_, answered := d.Command(d.Ada, in, "/aside", "stop")
	if _, err := answered(s.ctx); err != nil {
		t.Fatal(err)
	}
	s.settleAll(in.ID, func(t sceneTurn) bool { return strings.HasPrefix(t.Message, "command-") })
	s.model.replies("Yes.")
	after := d.Write(d.Ada, in, "still there?")
	s.markIs(in, after, "trophy") // what was put somewhere before it would be there by now
	for _, r := range d.Requests("reactions.add") {
		if r.Values["timestamp"] != after {
			t.Errorf("it wants to put %s on %s", r.Values["name"], r.Values["timestamp"])
		}
	}
	if strings.Contains(s.output.String(), "a mark was refused") {
		t.Errorf("a mark was refused:\n%s", s.output.String())
	}
}

func TestSlackMarksAreRightInTheEndThoughTheProcessWasKilled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, method string
		answered     bool // by the model, when it is killed
		done         bool
	}{
		{"before the first mark stands", "reactions.add", false, false},
		{"when the first mark stands and nobody knows", "reactions.add", false, true},
		{"before 🏆 stands", "reactions.add", true, false},
		{"when 🏆 stands and nobody knows", "reactions.add", true, true},
		{"before the old mark is taken off", "reactions.remove", true, false},
		{"when the old mark is taken off and nobody knows", "reactions.remove", true, true},
		{"when the reply stands and nobody knows", "chat.postMessage", true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSlackScene(t, "")
			d := s.slack
			in := d.Direct(d.Ada)
			onward := make(chan struct{})
			asked := s.model.waiting(onward, s.ctx.Done(), "Hello.")
			var arrived <-chan struct{}
			if !test.answered {
				arrived = d.Hold(test.method, test.done)
			}
			message := d.Write(d.Ada, in, "hello")
			if test.answered {
				<-asked
				s.markIs(in, message, "thinking_face")
				arrived = d.Hold(test.method, test.done)
				close(onward)
			}
			select {
			case <-arrived:
			case <-s.ctx.Done():
				t.Fatalf("Slack was not asked\n%s", s.output.String())
			}
			s.kill(syscall.SIGKILL)
			if !test.answered {
				close(onward)
			}
			s.begin()
			s.settle(in.ID, message)
			s.markIs(in, message, "trophy")
			s.says(in, "", "Hello.")
		})
	}
}
