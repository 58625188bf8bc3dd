package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/store/pgtest"
)

// Two processes on one PostgreSQL and one data directory are one forge: either can end what
// the other is at, and goes on when the other is dead.
func TestAForgeOfTwoProcessesOnPostgres(t *testing.T) {
	t.Parallel()
	model := &prompter{}
	server := httptest.NewServer(model)
	t.Cleanup(server.Close)
	m := newSmith(t, "")
	m.holds = ": draft]"
	model.does(m.reply)
	database := pgtest.Start(t).Database(t)
	here, there := newVictim(t, database, server.URL), newVictim(t, database, server.URL)
	there.data = here.data
	there.configure(database, server.URL, "none")
	here.start()
	there.start()
	began := func() {
		t.Helper()
		select {
		case <-m.began:
		case <-time.After(60 * time.Second):
			t.Fatalf("nobody was asked\n%s\n%s", here.output.String(), there.output.String())
		}
	}

	here.tell("/api/v1/forge", `{"description":"Add a cache to the reader"}`, http.StatusAccepted)
	began()
	if got := there.tell("/api/v1/forge", `{"description":"Another one"}`, http.StatusBadRequest); !strings.Contains(got, "forge of plan-001 is running") {
		t.Errorf("a second one: %s", got)
	}
	there.tell("/api/v1/forge/cancel", "", http.StatusOK)
	here.settleIn("web/forge", func(turn sceneTurn) bool { return turn.Flow == "plan" }) // the model would write for ever
	if f := here.forge(); f.State != "cancelled" || len(m.steps()) != 1 {
		t.Errorf("the forge is %+v, asked were %q", f, m.steps())
	}

	there.kill(syscall.SIGTERM) // so that it is known who is at it
	m.set(func() { m.holds = ": audit 1]" })
	here.tell("/api/v1/forge/resume", `{"plan":"plan-001"}`, http.StatusAccepted)
	began()
	there.start()
	here.kill(syscall.SIGKILL)
	if f := there.forged(); f.State != "done" || f.Round != 2 {
		t.Errorf("the forge is %+v", f)
	}
	want := "draft] audit 1] audit 1] revision 1] audit 2]"
	if got := strings.ReplaceAll(strings.Join(m.steps(), " "), "[forge of plan-001: ", ""); got != want {
		t.Errorf("asked were %s", got)
	}
	if d := there.plan(); d.Status() != plan.Review || strings.Count(d.String(), "### Audit ") != 2 {
		t.Errorf("the plan is\n%s", d)
	}
}

// tell posts JSON and returns what the API says to it.
func (v *victim) tell(path, body string, want int) string {
	v.t.Helper()
	answer, err := http.Post(v.url+path, "application/json", strings.NewReader(body))
	if err != nil {
		v.t.Fatalf("%v\n%s", err, v.output.String())
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != want {
		v.t.Fatalf("%s was answered with %d %s, %v", path, answer.StatusCode, said, err)
	}
	return string(said)
}
