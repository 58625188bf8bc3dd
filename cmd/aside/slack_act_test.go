package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/slacktest"
)

// What destroys something is done when the person who asked, and may, has confirmed it: by
// the command, by a reaction to the question, or by a message to the agent.
func TestSlackRightsAndConfirmation(t *testing.T) {
	s := newSlackScene(t, "")
	d := s.slack
	archived := func(name string) bool {
		return slices.ContainsFunc(d.Channels(), func(c slacktest.Channel) bool { return c.Name == name && c.Archived })
	}
	for i, test := range []struct {
		name    string
		who     *slacktest.User
		confirm func(in *slacktest.Channel, thread, question string)
		done    bool
	}{
		{"by the command", d.Owner, func(in *slacktest.Channel, _, _ string) { d.Command(d.Owner, in, "/aside", "confirm") }, true},
		{"by a reaction", d.Owner, func(in *slacktest.Channel, _, question string) { d.React(d.Owner, in, question, "white_check_mark") }, true},
		{"by a message in the thread", d.Owner, func(in *slacktest.Channel, thread, _ string) { d.WriteIn(d.Owner, in, thread, s.to("/confirm")) }, true},
		{"not, by the command", d.Owner, func(in *slacktest.Channel, _, _ string) { d.Command(d.Owner, in, "/aside", "confirm no") }, false},
		{"not at all, by somebody who may not", d.Ada, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			name := fmt.Sprintf("treasure-%d", i)
			d.AddChannel(name, d.AddUser(fmt.Sprintf("maker%d", i)), d.Owner, d.Ada, d.Bot())
			s.model.replies(block(`{"type":"channelDelete","channel":"`+name+`"}`), "So be it.")
			id := d.Write(test.who, d.General, s.to("delete it"))
			room := roomIn(d.General, id)
			turns := s.settle(room, id)
			if archived(name) {
				t.Fatal("it was done without asking")
			}
			if test.confirm == nil {
				if len(turns[0].Actions) != 1 || turns[0].Actions[0].Outcome != "refused" {
					t.Errorf("it came to %+v", turns[0].Actions)
				}
				return
			}
			posts := d.Posts(d.General, id)
			test.confirm(d.General, id, posts[len(posts)-1].TS)
			s.settleAll(room, func(t sceneTurn) bool { return t.Message != id })
			if archived(name) != test.done {
				t.Errorf("it is done: %v\n%s", archived(name), s.output.String())
			}
		})
	}
}

func TestSlackOnlyThoseWhoAreAllowedAreAnsweredAndOnlyThere(t *testing.T) {
	d := slacktest.New(t)
	// Ids are given in order, so that those of the next Slack are the same.
	s := prepareSlackScene(t, "app_token: "+slacktest.AppToken+", allow_users: ["+d.Ada.ID+"], rooms: ["+d.General.ID+"]", "groups: {mode: open, debounce: 0s}\n")
	s.begin()
	d = s.slack
	other := d.AddChannel("other", d.Owner, d.Ada, d.Bot())
	s.model.replies("Hello.")
	d.Write(d.Owner, d.General, s.to("a stranger"))
	d.Write(d.Ada, other, s.to("elsewhere"))
	inDirect := d.Write(d.Ada, d.Direct(d.Ada), "a direct chat")
	top := d.Write(d.Ada, d.General, "to nobody in particular")
	called := d.Write(d.Ada, d.General, s.to("to the agent"))
	s.settle(d.Direct(d.Ada).ID, inDirect)
	s.settle(d.General.ID, top)
	s.settle(roomIn(d.General, called), called)
	s.says(d.General, "", "Hello.")
	s.says(d.General, called, "Hello.")
	if heard := s.model.heard(); len(heard) != 3 {
		t.Errorf("the model was asked %q", heard)
	}
	for _, test := range []struct {
		who  *slacktest.User
		in   *slacktest.Channel
		says string
	}{{d.Owner, d.General, "You are not on the list of people I talk to."}, {d.Ada, other, "I do not listen here."}, {d.Ada, d.General, "OK"}} {
		_, answered := d.Command(test.who, test.in, "/aside", "missed")
		if answer, err := answered(s.ctx); err != nil || !strings.Contains(answer, test.says) || !strings.Contains(answer, "ephemeral") {
			t.Errorf("the command of %s is answered with %s, %v", test.who.Name, answer, err)
		}
	}
	if strings.Contains(s.output.String(), "level=ERROR") {
		t.Errorf("the log is\n%s", s.output.String())
	}
}

// Some actions, from what a person writes to what Slack has.
func TestSlackActionsHappen(t *testing.T) {
	s := newSlackScene(t, "")
	d := s.slack
	news := d.AddChannel("news", d.Owner, d.Ada, d.Bot())
	d.Write(d.Ada, news, "The release is on Friday.")
	for _, test := range []struct {
		name    string
		replies []string
		happens func(t *testing.T, message string)
	}{
		{"a channel is made", []string{block(`{"type":"channelCreate","name":"Big Plans","topic":"What comes"}`)}, func(t *testing.T, _ string) {
			if !slices.ContainsFunc(d.Channels(), func(c slacktest.Channel) bool { return c.Name == "big-plans" && c.Topic == "What comes" }) {
				t.Errorf("the channels are %+v", d.Channels())
			}
		}},
		{"a message is sent to another channel", []string{block(`{"type":"sendMessage","channel":"#news","text":"Hear, **hear**."}`)}, func(t *testing.T, _ string) {
			if posts := d.Posts(news, ""); len(posts) != 1 || posts[0].Text != "Hear, *hear*." {
				t.Errorf("in it stands %+v", posts)
			}
		}},
		{"a reaction", []string{`Fine. <actions><react emoji="🤔"/></actions>`}, func(t *testing.T, message string) {
			if got := d.Message(d.General, message).Reactions; !slices.ContainsFunc(got, func(r slacktest.Reaction) bool { return r.Name == "thinking_face" }) {
				t.Errorf("the message has %+v", got)
			}
		}},
		{"the message is pinned", []string{block(`{"type":"pinMessage"}`)}, func(t *testing.T, message string) {
			if !d.Message(d.General, message).Pinned {
				t.Error("it is not pinned")
			}
		}},
		{"messages are read", []string{block(`{"type":"readMessages","channel":"news"}`), "On Friday."}, func(t *testing.T, _ string) {
			if heard := s.model.heard(); len(heard) != 2 || !strings.Contains(heard[1], "The release is on Friday.") {
				t.Errorf("the model was told %q", heard)
			}
		}},
		{"a thread is begun", []string{block(`{"type":"threadCreate","name":"Release","content":"What is left?"}`)}, func(t *testing.T, _ string) {
			all := d.Everything(d.General)
			if !slices.ContainsFunc(all, func(m slacktest.Message) bool { return m.Text == "What is left?" && m.ThreadTS != "" }) {
				t.Error("nothing stands in it")
			}
		}},
		{"a poll has numbers", []string{block(`{"type":"poll","question":"When?","answers":["Now","Later"]}`)}, func(t *testing.T, message string) {
			posts := d.Posts(d.General, message)
			i := slices.IndexFunc(posts, func(m slacktest.Message) bool { return strings.Contains(m.Text, "When?") })
			if i < 0 || len(posts[i].Reactions) != 2 || posts[i].Reactions[0].Name != "one" {
				t.Errorf("the poll is %+v", posts)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s.model.replies(test.replies...)
			id := d.Write(d.Owner, d.General, s.to("do it"))
			turns := s.settle(roomIn(d.General, id), id)
			for _, a := range turns[0].Actions {
				if a.Outcome != "done" {
					t.Errorf("it came to %+v", a)
				}
			}
			test.happens(t, id)
		})
	}
}
