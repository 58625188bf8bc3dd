package main

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/operator"
)

type episodePage struct {
	Episodes []operator.Episode `json:"episodes"`
}

// kept waits until a command lists so many conversations.
func (s *scene) kept(n int, args ...string) []operator.Episode {
	s.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		var page episodePage
		inJSON(s.t, &page, append([]string{"memory", "episodes", "--config", s.config}, args...)...)
		if len(page.Episodes) == n {
			return page.Episodes
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("there is %+v\n%s", page.Episodes, s.output.String())
		}
	}
}

// What was said is kept when it has ended, the agent finds it again in the same room and in
// no other, and so does the operator, whether Aside runs or not.
func TestDiscordAPastConversationIsFoundAgain(t *testing.T) {
	s := newScene(t, "history: {episode_after: 1s}\n")
	d := s.discord
	news := d.AddChannel(d.Guild, "news", 0)
	s.ask(d.Ada, d.General, "remember the night train at 22:05", "I see.")
	all := s.kept(1)
	if e := all[0]; e.Room != "discord/"+d.General.ID || e.Direct || e.Messages != 1 || len(e.People) != 1 || e.People[0] != "discord/"+d.Ada.ID || !strings.Contains(e.Summary, "night train at 22:05") {
		t.Errorf("it is %+v", e)
	}
	const look = "[SEARCH_EPISODIC:night train]"
	m := s.ask(d.Ada, d.General, "when?", look, "At 22:05.")
	s.says(d.General, m, "At 22:05.")
	if heard := s.model.heard(); !strings.Contains(heard[len(heard)-1], "night train at 22:05") {
		t.Errorf("the model was told %q", heard[len(heard)-1])
	}
	m = s.ask(s.mod, news, "when?", look, "Nobody knows.")
	s.says(news, m, "Nobody knows.")
	if heard := s.model.heard(); !strings.Contains(heard[len(heard)-1], "no past conversation") {
		t.Errorf("the model was told %q", heard[len(heard)-1])
	}
	s.kept(3)
	s.kept(1, "--person", "discord/"+s.mod.ID)
	for _, running := range []bool{true, false} {
		if found := s.kept(1, "NIGHT"); len(found[0].Lines) != 1 {
			t.Errorf("running is %v: found is %+v", running, found)
		}
		if got := succeeds(t, "memory", "episodes", "--config", s.config, "submarine"); got != "no conversation is kept that fits\n" {
			t.Errorf("running is %v: it says %q", running, got)
		}
		if got := succeeds(t, "memory", "episodes", "--config", s.config); !strings.HasPrefix(got, "SINCE ") || strings.Count(got, "\n") != 4 {
			t.Errorf("running is %v: it says %q", running, got)
		}
		if running {
			if status, body := s.fetch(http.MethodGet, "/api/v1/episodes?words=night"); status != http.StatusOK || !strings.Contains(body, "22:05") {
				t.Errorf("the API says %d %s", status, body)
			}
			s.kill(syscall.SIGTERM)
		}
	}
}
