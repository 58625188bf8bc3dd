package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/slacktest"
)

func TestSlackADirectMessageIsAnsweredByAPostThatGrows(t *testing.T) {
	s := newSlackScene(t, "")
	in := s.slack.Direct(s.slack.Ada)
	shows := func(text string) bool {
		return slices.ContainsFunc(s.slack.Posts(in, ""), func(m slacktest.Message) bool { return strings.Contains(m.Text, text) })
	}
	s.model.does(func(w http.ResponseWriter, _ string) {
		for _, part := range []string{"**The first** half", " The second half"} {
			s.streamUntil(w, part, func() bool { return shows(strings.ReplaceAll(part, "**", "*")) })
		}
		stream(w, " & the <end>.")
		finish(w)
	})
	question := s.slack.Write(s.slack.Ada, in, "tell me")
	s.settle(in.ID, question)
	posts := s.slack.Posts(in, "")
	if len(posts) != 1 || len(posts[0].Seen) < 3 || !strings.HasPrefix(posts[0].Text, "*The first* half") || !strings.HasSuffix(posts[0].Text, "&amp; the &lt;end&gt;.") {
		t.Errorf("the answer is %+v", posts)
	}
	if heard := s.model.heard(); len(heard) != 1 || !strings.Contains(heard[0], "tell me") {
		t.Errorf("the model was asked %q", heard)
	}
}

func TestSlackAMentionBeginsAThreadThatGoesOnAsOneSession(t *testing.T) {
	s := newSlackScene(t, "")
	d := s.slack
	s.model.replies("Hello there.")
	first := d.Write(d.Ada, d.General, s.to("hi"))
	room := roomIn(d.General, first)
	s.settle(room, first)
	s.says(d.General, first, "Hello there.")
	s.says(d.General, "")

	// In the thread nobody has to call it again.
	s.model.replies("Fine.")
	second := d.WriteIn(d.Ada, d.General, first, "how are you?")
	s.settle(room, second)
	s.says(d.General, first, "Hello there.", "Fine.")
	if heard := s.model.heard(); len(heard) != 1 || !strings.Contains(heard[0], "how are you?") {
		t.Errorf("the model was asked %q", heard)
	}
	if turns := s.turns(room); len(turns) != 2 {
		t.Errorf("the session has %d turns", len(turns))
	}

	// What people write among themselves is theirs, at the top level and in other threads.
	s.model.replies("Hello again.")
	other := d.Write(d.Owner, d.General, "lunch?")
	d.WriteIn(d.Ada, d.General, other, "yes")
	third := d.Write(d.Ada, d.General, s.to("hi again"))
	s.settle(roomIn(d.General, third), third)
	if heard := s.model.heard(); len(heard) != 1 || strings.Contains(heard[0], "how are you?") {
		t.Errorf("the model was asked %q", heard)
	}
	s.says(d.General, other)
}

func TestSlackAnEventThatComesThreeTimesIsOneTurn(t *testing.T) {
	s := newSlackScene(t, "")
	d := s.slack
	s.model.replies("Once.")
	id := d.Write(d.Ada, d.General, s.to("hi"))
	d.Repeat(d.General, id)
	s.settle(roomIn(d.General, id), id)
	d.Repeat(d.General, id)
	next := d.Write(d.Ada, d.General, s.to("next"))
	s.settle(roomIn(d.General, next), next)
	s.says(d.General, id, "Once.")
	if turns, heard := s.turns(roomIn(d.General, id)), s.model.heard(); len(turns) != 1 || len(heard) != 2 {
		t.Errorf("%d turns, the model was asked %q", len(turns), heard)
	}
	s.until("not everything was acknowledged", func() bool { return d.Unacknowledged() == 0 })
}

func TestSlackAnEditIsHeard(t *testing.T) {
	s := newSlackScene(t, "")
	d := s.slack
	in := d.Direct(d.Ada)
	s.model.replies("Two.", "Three.")
	id := d.Write(d.Ada, in, "what is 1+1?")
	s.settle(in.ID, id)
	d.Rewrite(in, id, "what is 1+2?")
	s.settleAll(in.ID, func(t sceneTurn) bool { return strings.HasPrefix(t.Message, id+"-edit-") })
	heard := s.model.heard()
	if len(heard) != 2 || !strings.Contains(heard[1], "what is 1+2?") {
		t.Errorf("the model was asked %q", heard)
	}
}

func TestSlackFilesComeInAndGoOut(t *testing.T) {
	s := newSlackScene(t, "")
	d := s.slack
	in := d.Direct(d.Ada)
	d.SlowFiles(2)
	long := strings.Repeat("All work and no play makes a dull day.\n\n", 2000)
	s.model.replies(long)
	id := d.WriteLine(d.Ada, in, slacktest.Line{Text: "read this", Files: []slacktest.File{{Name: "notes.txt", Type: "text/plain", Data: []byte("The password is swordfish.")}}})
	s.settle(in.ID, id)
	if heard := s.model.heard(); len(heard) != 1 || !strings.Contains(heard[0], "notes.txt") || !strings.Contains(heard[0], "swordfish") {
		t.Errorf("the model was asked %q", heard)
	}
	posts := d.Posts(in, "")
	last := posts[len(posts)-1]
	if len(last.Files) != 1 || last.Files[0].Name != "reply.md" || !strings.HasPrefix(string(last.Files[0].Data), "All work") {
		t.Errorf("there are %d posts, the last one with %+v", len(posts), last.Files)
	}
}

func TestSlackAReactionToTheAgentsPostStartsATurn(t *testing.T) {
	s := newSlackScene(t, "")
	d := s.slack
	s.model.replies("It is ready.")
	question := d.Write(d.Ada, d.General, s.to("is it ready?"))
	room := roomIn(d.General, question)
	s.settle(room, question)
	post := d.Posts(d.General, question)[0].TS
	s.model.replies(`Glad to hear it.<actions><react emoji="👍"/></actions>`)
	d.React(d.Ada, d.General, post, "tada")
	s.settleAll(room, isReaction)
	if heard := s.model.heard(); len(heard) != 1 || !strings.Contains(heard[0], `ada: (reacted with 🎉 to your message: "It is ready."`) {
		t.Errorf("the model was told %q", heard)
	}
	s.says(d.General, question, "It is ready.", "Glad to hear it.")
	if got := d.Message(d.General, post).Reactions; len(got) != 2 || got[1].Name != "+1" {
		t.Errorf("the post has %+v", got)
	}
}

func TestSlackARunningTurnIsStoppedByTheCommand(t *testing.T) {
	s := newSlackScene(t, "")
	d := s.slack
	direct := d.Direct(d.Ada)
	for _, test := range []struct {
		name string
		in   *slacktest.Channel
	}{{"in a direct chat", direct}, {"in the channel whose thread it runs in", d.General}} {
		t.Run(test.name, func(t *testing.T) {
			thread := ""
			gone := make(chan struct{})
			begun := make(chan struct{})
			s.model.does(func(w http.ResponseWriter, _ string) {
				<-begun
				s.streamUntil(w, "A long story", func() bool { return len(d.Posts(test.in, thread)) > 0 })
				_, answered := d.Command(d.Ada, test.in, "/aside", "stop")
				if answer, err := answered(s.ctx); err != nil || !strings.Contains(answer, "OK") || !strings.Contains(answer, "ephemeral") {
					t.Errorf("the command is answered with %s, %v", answer, err)
				}
				for s.ctx.Err() == nil { // until nobody listens any more
					if _, err := w.Write([]byte(": still there\n\n")); err != nil {
						break
					}
					w.(http.Flusher).Flush()
				}
				close(gone)
			})
			question := d.Write(d.Ada, test.in, s.to("tell me a story"))
			if test.in == d.General {
				thread = question
			}
			close(begun)
			room := roomIn(test.in, thread)
			s.settle(room, question)
			<-gone
			s.settleAll(room, func(t sceneTurn) bool { return strings.HasPrefix(t.Message, "command-") })
			posts := d.Posts(test.in, thread)
			if len(posts) != 2 || !strings.HasPrefix(posts[0].Text, "A long story") || !strings.Contains(posts[0].Text, "Stopped.") || posts[1].Text != "Stopped." {
				t.Errorf("the agent has said %+v\n%s", posts, s.output.String())
			}
		})
	}
}

func TestSlackEventsOverHTTPAreAnswered(t *testing.T) {
	s := prepareSlackScene(t, "signing_secret: "+slacktest.SigningSecret, "")
	d := s.slack
	s.start()
	d.Hook(s.url + "/hooks/slack")
	in := d.Direct(d.Ada)
	s.model.replies("Hello.")
	id := d.Write(d.Ada, in, "hi")
	s.settle(in.ID, id)
	s.says(in, "", "Hello.")
	_, answered := d.Command(d.Ada, in, "/aside", "missed")
	if answer, err := answered(s.ctx); err != nil || !strings.Contains(answer, "OK") {
		t.Errorf("the command is answered with %s, %v", answer, err)
	}
	// Whoever cannot sign gets nowhere.
	r, _ := http.NewRequest(http.MethodPost, s.url+"/hooks/slack", strings.NewReader(`{"type":"url_verification","challenge":"x"}`))
	slacktest.Sign(r, "another secret", []byte(`{"type":"url_verification","challenge":"x"}`), time.Now())
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("a wrong signature is answered with %d", response.StatusCode)
	}
}
