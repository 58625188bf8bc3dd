package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestDiscordMarksWhereNotEverythingIsAnswered(t *testing.T) {
	t.Parallel()
	t.Run("none on what the agent only listens to", func(t *testing.T) {
		s := newScene(t, "groups: {mode: listen, debounce: 0s}\n")
		d := s.discord
		s.model.replies("I hear you.")
		heard := d.Write(d.Ada, d.General, "the build is red")
		s.settle(d.General, heard)
		asked := s.ask(d.Ada, d.General, "are you there?", "I am.")
		s.marksOn(d.General, asked, "🏆") // what was put anywhere before it would be there by now
		s.neverMarked(heard)
	})
	t.Run("none in the end on what is judged to be for somebody else", func(t *testing.T) {
		judge := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked, _ := io.ReadAll(r.Body) // what cannot be read is ignored
			verdict := "IGNORE"
			if text := string(asked); strings.LastIndex(text, "can you help?") > strings.LastIndex(text, "see you tomorrow") {
				verdict = "RESPOND"
			}
			stream(w, verdict)
			finish(w)
		}))
		t.Cleanup(judge.Close)
		s := prepareScene(t, "groups: {mode: judge, debounce: 0s}\n")
		s.reconfigure("models:\n", "models:\n  fast: {provider: openai, model: judge, base_url: "+judge.URL+", api_key: none}\n")
		s.begin()
		d := s.discord
		s.model.replies("At your service.")
		passed := d.Write(d.Ada, d.General, "see you tomorrow")
		s.settle(d.General, passed)
		s.marksOn(d.General, passed)
		s.settle(d.General, d.Write(d.Ada, d.General, "can you help?"))
		s.marksOn(d.General, passed)
	})
	t.Run("😱 on the message that is told of the limit, and none on those after it", func(t *testing.T) {
		s := newScene(t, "limits: {per_person_daily: 1}\n")
		d := s.discord
		within := s.ask(d.Ada, d.General, "one", "Yes.")
		s.marksOn(d.General, within, "🏆")
		told := s.ask(d.Ada, d.General, "two", "Yes.")
		s.marksOn(d.General, told, "😱")
		after := d.Write(d.Ada, d.General, s.to("three"))
		s.settle(d.General, after)
		other := s.ask(d.Owner, d.General, "me too", "Yes.")
		s.marksOn(d.General, other, "🏆")
		s.neverMarked(after)
	})
	t.Run("on each message of a burst", func(t *testing.T) {
		s := newScene(t, "groups: {mode: open, debounce: 2s}\n")
		d := s.discord
		s.model.replies("All of it.")
		var all []string
		for _, text := range []string{"one", "two", "three"} {
			all = append(all, d.Write(d.Ada, d.General, text))
		}
		for _, message := range all {
			s.marksOn(d.General, message, "🏆")
		}
		if heard := s.model.heard(); len(heard) != 1 {
			t.Errorf("the model was asked %q", heard)
		}
	})
}

// neverMarked fails the test if something was ever put on a message.
func (s *scene) neverMarked(message string) {
	s.t.Helper()
	if all := s.discord.Requests(http.MethodPut, "/messages/"+message+"/reactions/"); len(all) > 0 {
		s.t.Errorf("it was to have %s", all[0].Path)
	}
}
