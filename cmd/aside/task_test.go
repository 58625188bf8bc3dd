package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/task"
)

// tasks are those that a command lists.
func (s *scene) tasks(args ...string) (all string) {
	s.t.Helper()
	var page operator.TaskPage
	inJSON(s.t, &page, append([]string{"task", "list", "--config", s.config}, args...)...)
	for _, t := range page.Tasks {
		all += t.ID + " " + t.Status + " " + t.Title + "; "
	}
	return all
}

// A person asks for a task, works on it and closes it, in one room and then in another, and
// the operator sees the same board, whether Aside runs or not.
func TestDiscordATaskFromWishToEnd(t *testing.T) {
	s := newScene(t, "tasks: {prefix: lib}\n")
	d := s.discord
	news := d.AddChannel(d.Guild, "news", 0)

	m := s.ask(d.Ada, d.General, "we must renew the certificate", block(`{"type":"taskCreate","title":"Renew the certificate","priority":1,"tags":["ops"]}`))
	s.says(d.General, m, "Right away.", "Done: made the task lib-001: Renew the certificate")
	if got := s.tasks(); got != "lib-001 open Renew the certificate; " {
		t.Errorf("the board has %s", got)
	}

	m = s.ask(d.Ada, news, "what is there to do?", block(`{"type":"taskList"}`), "Only the certificate.")
	s.says(news, m, "Only the certificate.")
	heard := s.model.heard()
	if last := heard[len(heard)-1]; !strings.Contains(last, `"id":"lib-001"`) || !strings.Contains(last, `"priority":1`) {
		t.Errorf("the model was told %q", last)
	}

	m = s.ask(s.mod, news, "I am on it", block(`{"type":"taskUpdate","taskId":"1","status":"in_progress"}`))
	s.says(news, m, "Done: changed lib-001 (Renew the certificate): status: open → in_progress")
	m = s.ask(s.mod, news, "and the other one", block(`{"type":"taskClose","taskId":"lib-004"}`), "There is none.")
	s.says(news, m, "Failed: lib-004 does not exist; taskList shows what does")
	m = s.ask(s.mod, news, "compare it with the forum", block(`{"type":"taskSync"}`), "There is none.")
	s.says(news, m, "Failed: no forum shows the tasks; whoever looks after Aside can name one")

	var shown tasks.Task
	inJSON(t, &shown, "task", "show", "LIB-1", "--config", s.config)
	if shown.Person != "discord/"+d.Ada.ID || shown.Room != "discord/"+d.General.ID || len(shown.History) != 2 || shown.History[1].By != "grace" {
		t.Errorf("it is %+v", shown)
	}

	s.kill(syscall.SIGTERM)
	if out := succeeds(t, "task", "close", "001", "--reason", "It is new.", "--config", s.config); out != "lib-001 is closed: Renew the certificate\n" {
		t.Errorf("closing it prints %q", out)
	}
	s.begin()
	m = s.ask(s.mod, news, "close it", block(`{"type":"taskClose","taskId":"lib-001"}`))
	s.says(news, m, "Done: lib-001 is closed already; nothing was changed")
	if open, all := s.tasks(), s.tasks("--status", "all"); open != "" || all != "lib-001 closed Renew the certificate; " {
		t.Errorf("open are %q, and all %q", open, all)
	}
}

// Killed while another action of the same reply is under way, which is when a task may have
// been made and nobody has noted it.
func TestDiscordATaskIsMadeOnceHoweverTheProgramEnds(t *testing.T) {
	s := newScene(t, "")
	d := s.discord
	news := d.AddChannel(d.Guild, "news", 0)
	s.model.replies(block(`{"type":"taskCreate","title":"Once"}`) + "<action>" + `{"type":"sendMessage","channel":"news","text":"hello"}` + "</action>")
	arrived := d.Hold(http.MethodPost, "/channels/"+news.ID+"/messages", true)
	m := d.Write(s.mod, d.General, s.to("do it"))
	select {
	case <-arrived:
	case <-s.ctx.Done():
		t.Fatalf("Discord was not asked\n%s", s.output.String())
	}
	s.kill(syscall.SIGKILL)
	s.begin()
	s.settle(d.General, m)
	s.says(d.General, m, "Done: made the task ws-001: Once")
	if got := s.tasks("--status", "all"); got != "ws-001 open Once; " {
		t.Errorf("the board has %s", got)
	}
}

// The commands say the same while Aside runs and while it does not.
func TestTasksOnTheCommandLine(t *testing.T) {
	t.Parallel()
	v := newVictim(t, "sqlite", "http://127.0.0.1:9")
	v.start()
	file := filepath.Join(t.TempDir(), "tasks.jsonl")
	lines := `{"id":"ws-007","title":"From elsewhere","status":"done","labels":["ops"]}` + "\n" + `nonsense` + "\n" + `{"title":"Another <b>\u001b[31m"}` + "\n"
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	added, unchanged := 2, 0
	for _, state := range []string{"running", "stopped"} {
		on := func(args ...string) []string { return append(append([]string{"task"}, args...), "--config", v.config) }
		e := ran(t, on("import", file, "--json")...)
		var report task.Report
		if err := json.Unmarshal([]byte(e.out), &report); err != nil || e.code != exitFailed || report.Added != added || report.Unchanged != unchanged ||
			len(report.Refused) != 1 || report.Refused[0].Line != 2 || !oneLine(e.err) {
			t.Errorf("%s: the import ends with %d: %s%s", state, e.code, e.out, e.err)
		}
		added, unchanged = 0, 2
		var made tasks.Task
		inJSON(t, &made, on("add", "Tell "+state, "--description", "Now.", "--priority", "0", "--label", "a,b", "--label", "no-thread")...)
		if made.Title != "Tell "+state || made.Priority != 0 || strings.Join(made.Labels, " ") != "a b no-thread" || made.By != "operator" || !made.NoThread {
			t.Errorf("%s: made %+v", state, made)
		}
		for _, want := range []struct{ args, says string }{
			{"close " + made.ID, made.ID + " is closed: Tell " + state + "\n"},
			{"close " + made.ID, made.ID + " is closed already; nothing was changed\n"},
			{"list --label ops", "there are no such tasks\n"},
		} {
			if out := succeeds(t, on(strings.Fields(want.args)...)...); out != want.says {
				t.Errorf("%s: aside task %s prints %q", state, want.args, out)
			}
		}
		if out := succeeds(t, on("list", "--status", "all", "--limit", "1")...); !strings.HasPrefix(out, "ID ") || !strings.Contains(out, " more; --limit shows them\n") {
			t.Errorf("%s: the list is %q", state, out)
		}
		if out := succeeds(t, on("show", "8")...); !strings.Contains(out, "ws-008 Another <b>[31m\n") || !strings.Contains(out, "operator: imported") {
			t.Errorf("%s: it is shown as %q", state, out)
		}
		isRefused(t, `there is no task "ws-099"; aside task list --status all shows those there are`, on("show", "ws-099")...)
		isRefused(t, `there is no task "ws-099"`, on("close", "ws-099")...)
		isRefused(t, "a task needs a title", on("add", " ")...)
		isRefused(t, "a priority is a number from 0, the most urgent, to 4, got 9", on("add", "x", "--priority", "9")...)
		isRefused(t, "cannot read the tasks", on("import", filepath.Join(t.TempDir(), "none"))...)
		if e := ran(t, on("list", "--status", "lost")...); e.code == 0 || !strings.Contains(e.err, "--status is one of open, in_progress, blocked, closed, all") {
			t.Errorf("%s: a status that is none ends with %d, %s", state, e.code, e.err)
		}
		if state == "running" {
			v.kill(syscall.SIGTERM)
		}
	}
}

func TestTasksThatAreSwitchedOffAreSoForEverybody(t *testing.T) {
	t.Parallel()
	v := newVictim(t, "sqlite", "http://127.0.0.1:9")
	text, err := os.ReadFile(v.config)
	if err == nil {
		off := strings.Replace(string(text), "actions: {", "actions: {categories: {tasks: false}, ", 1)
		err = os.WriteFile(v.config, []byte(off), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	v.start()
	answer, err := http.Get(v.url + "/api/v1/tasks")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusForbidden || !strings.Contains(string(body), "the category tasks is switched off") {
		t.Errorf("the API answers %s: %s", answer.Status, body)
	}
	isRefused(t, "the category tasks is switched off", "task", "list", "--config", v.config)
	v.kill(syscall.SIGTERM)
	isRefused(t, "the category tasks is switched off", "task", "add", "x", "--config", v.config)
}
