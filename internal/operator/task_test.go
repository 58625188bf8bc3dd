package operator_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/task"
)

func (a *aside) board() *task.Board {
	return &task.Board{Store: a.store, Prefix: "ws", Now: time.Now, Labels: task.Labels{NoThread: []string{"no-thread"}}}
}

func TestTasksAreTheSameHereAndThere(t *testing.T) {
	a := newAside(t)
	remote := operator.Remote{Address: a.server.Listener.Addr().String(), Token: token, Client: http.DefaultClient}
	local := operator.Local{Store: a.store, Board: a.board(), Off: func(string) string { return a.off }}
	for name, o := range map[string]operator.Operator{"local": local, "remote": remote} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			title, description, status, labels := "<b>Ship</b> "+name, "Soon.\nReally.", tasks.Blocked, []string{"in-" + name, "no-thread"}
			made, err := o.AddTask(ctx, operator.TaskFields{Title: &title, Description: &description, Labels: &labels})
			if err != nil || made.Title != title || made.Description != description || made.Priority != 2 || made.By != "operator" || !made.NoThread {
				t.Fatalf("made %+v, %v", made, err)
			}
			changed, err := o.UpdateTask(ctx, made.Number, operator.TaskFields{Status: &status})
			if err != nil || changed.Task.Status != tasks.Blocked || len(changed.Changed) != 1 {
				t.Errorf("changed %+v, %v", changed, err)
			}
			if again, err := o.UpdateTask(ctx, made.ID, operator.TaskFields{Status: &status}); err != nil || again.Changed == nil || len(again.Changed) != 0 {
				t.Errorf("changed again %+v, %v", again, err)
			}
			page, err := o.ListTasks(ctx, tasks.Query{Status: tasks.Blocked, Label: "IN-" + name, Limit: 10})
			if err != nil || page.Total != 1 || len(page.Tasks) != 1 || page.Tasks[0].ID != made.ID {
				t.Errorf("listed %+v, %v", page, err)
			}
			if closed, err := o.CloseTask(ctx, made.ID, "done"); err != nil || closed.Task.Status != tasks.Closed || closed.Task.Reason != "done" {
				t.Errorf("closed %+v, %v", closed, err)
			}
			shown, err := o.Task(ctx, made.ID)
			if err != nil || len(shown.History) != 3 || shown.History[2].What != "status: blocked → closed: done" || shown.Closed == nil {
				t.Errorf("shown %+v, %v", shown, err)
			}
			if none, err := o.ListTasks(ctx, tasks.Query{Label: "in-" + name, Limit: 1}); err != nil || none.Tasks == nil || none.Total != 0 {
				t.Errorf("listed %+v, %v", none, err)
			}
			report, err := o.ImportTasks(ctx, strings.NewReader(`{"title":"`+name+`"}`+"\n?"))
			if err != nil || report.Added != 1 || len(report.Refused) != 1 {
				t.Errorf("imported %+v, %v", report, err)
			}
		})
		t.Run(name+" refuses", func(t *testing.T) {
			ctx := t.Context()
			empty, perhaps := "", "perhaps"
			_, missing := o.Task(ctx, "../dead")
			_, closing := o.CloseTask(ctx, "ws-999", "")
			_, changing := o.UpdateTask(ctx, "ws-999", operator.TaskFields{Status: &perhaps})
			for _, err := range []error{missing, closing, changing} {
				if !errors.Is(err, tasks.ErrNoTask) {
					t.Errorf("a task that is not there: %v", err)
				}
			}
			refused := func(err error, want string) {
				t.Helper()
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("it says %v, want %s", err, want)
				}
			}
			_, err := o.AddTask(ctx, operator.TaskFields{Title: &empty})
			refused(err, "a task needs a title")
			_, err = o.AddTask(ctx, operator.TaskFields{Title: &perhaps, Status: &perhaps})
			refused(err, "a new task is open; leave out status and reason")
			_, err = o.UpdateTask(ctx, "1", operator.TaskFields{})
			refused(err, "say what is to be different")
			_, err = o.UpdateTask(ctx, "1", operator.TaskFields{Status: &perhaps})
			refused(err, `a status is one of open, in_progress, blocked, closed, got "perhaps"`)
			_, err = o.ListTasks(ctx, tasks.Query{})
			refused(err, "limit is a whole number from 1 to 1000")
			_, err = o.ListTasks(ctx, tasks.Query{Limit: 1, Status: perhaps})
			refused(err, "status is one of open, in_progress, blocked, closed, all")
			a.off = "the category tasks is switched off"
			defer func() { a.off = "" }()
			_, err = o.Task(ctx, "1")
			refused(err, "the category tasks is switched off")
			_, err = o.ImportTasks(ctx, strings.NewReader(`{"title":"x"}`))
			refused(err, "the category tasks is switched off")
		})
	}
}

func TestWhatIsWrongWithARequestAboutTasks(t *testing.T) {
	a := newAside(t)
	for _, test := range []struct {
		name, method, path, body string
		status                   int
		says                     string
	}{
		{"no JSON", "POST", "/api/v1/tasks", "title=x", 400, "the body is not a JSON object with some of title"},
		{"a field that is none", "POST", "/api/v1/tasks", `{"title":"x","id":"ws-1"}`, 400, "the body is not a JSON object with some of title"},
		{"more than one object", "POST", "/api/v1/tasks", `{"title":"x"}{}`, 400, "the body is not a JSON object with some of title"},
		{"too much", "POST", "/api/v1/tasks", `{"title":"` + strings.Repeat("x", 64<<10) + `"}`, 400, "the body is not a JSON object with some of title"},
		{"nothing", "POST", "/api/v1/tasks", "", 400, "a task needs a title"},
		{"a number that is none", "GET", "/api/v1/tasks?limit=many", "", 400, "limit is a whole number from 1 to 1000"},
		{"a task", "POST", "/api/v1/tasks", `{"title":"x","priority":0}`, 201, `"id":"ws-001"`},
		{"an end with more than a reason", "POST", "/api/v1/tasks/1/close", `{"title":"y"}`, 400, "to close a task takes nothing but a reason"},
		{"an end without a body", "POST", "/api/v1/tasks/1/close", "", 200, `"changed":["status: open → closed"]`},
		{"a task that is not there", "GET", "/api/v1/tasks/2", "", 404, "there is no such task"},
		{"all", "GET", "/api/v1/tasks?status=all", "", 200, `"total":1`},
	} {
		t.Run(test.name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), test.method, a.server.URL+test.path, strings.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+token)
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if body, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != test.status || !strings.Contains(string(body), test.says) {
				t.Errorf("%s: %s, %v", answer.Status, body, err)
			}
		})
	}
	request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, a.server.URL+"/api/v1/tasks", strings.NewReader(`{"title":"x"}`))
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("without the token: %v, %v", answer, err)
	} else {
		answer.Body.Close()
	}
}
