package task_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/internal/task"
	"github.com/asidehq/aside/platform"
)

// clock is a time that moves by a second whenever it is asked for.
func clock() func() time.Time {
	var mu sync.Mutex
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}
}

func newBoard(t *testing.T) *task.Board {
	t.Helper()
	now := clock()
	s, err := store.Open(t.Context(), "sqlite", storetest.Dir(t), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &task.Board{Store: s, Prefix: "ws", Now: now, Labels: task.Labels{NoThread: []string{"no-thread"}}}
}

var ada = tasks.By{Platform: "discord", Room: "1", Person: "7", Name: "Ada"}

func create(t *testing.T, b *task.Board, n tasks.New) tasks.Task {
	t.Helper()
	made, err := b.Create(t.Context(), ada, n)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// call is what a person asks for; the key is the action's.
func call(key string) action.Call {
	return action.Call{Key: key, Platform: "discord", Room: "1", Person: "7", Name: "Ada"}
}

func TestWhatActionsDo(t *testing.T) {
	for _, test := range []struct {
		name, action, args string
		ok                 bool
		summary, data      string // a part of the data
	}{
		{"a task", "taskCreate", `{"title":" Ship\n it ","tags":["Ops","ops","big deal"],"priority":"0"}`, true, "made the task ws-003: Ship it", ""},
		{"a title that is blank", "taskCreate", `{"title":"  "}`, false, "taskCreate: title is missing", ""},
		{"a title of nothing to see", "taskCreate", `{"title":"\u0001\u0002"}`, false, "taskCreate: a task needs a title", ""},
		{"a long title", "taskCreate", `{"title":"` + strings.Repeat("x", 201) + `"}`, false, "taskCreate: title needs 1 to 200 characters, got 201", ""},
		{"a long description", "taskCreate", `{"title":"x","description":"` + strings.Repeat("x", 1901) + `"}`, false, "taskCreate: description needs at most 1900 characters, got 1901", ""},
		{"a priority beyond", "taskCreate", `{"title":"x","priority":5}`, false, "taskCreate: priority needs 0 to 4, got 5", ""},
		{"a change", "taskUpdate", `{"taskId":"ws-001","status":"in_progress","priority":1}`, true, "changed ws-001 (First): priority: 2 → 1, status: open → in_progress", ""},
		{"a change of everything", "taskUpdate", `{"task":1,"title":"One","description":"More.","tags":"ops, no-thread"}`, true, `changed ws-001 (One): labels: none → ops, no-thread, title: "First" → "One", description`, ""},
		{"a change of nothing", "taskUpdate", `{"taskId":"001","status":"open"}`, true, "ws-001 is like that already; nothing was changed", ""},
		{"no change", "taskUpdate", `{"taskId":"001"}`, false, "taskUpdate: say what is to be different: title, description, priority, status or tags", ""},
		{"a title taken away", "taskUpdate", `{"taskId":"1","title":""}`, false, "taskUpdate: title needs 1 to 200 characters, got 0", ""},
		{"labels taken away", "taskUpdate", `{"taskId":"2","tags":[]}`, true, "changed ws-002 (Second): labels: plan → none", ""},
		{"a status that is none", "taskUpdate", `{"taskId":"1","status":"perhaps"}`, false, `taskUpdate: status is one of open, in_progress, blocked, closed, got "perhaps"`, ""},
		{"a task that is not there", "taskUpdate", `{"taskId":"ws-004","status":"closed"}`, false, "ws-004 does not exist; taskList shows what does", ""},
		{"an end", "taskClose", `{"taskId":"WS-1","reason":"It works."}`, true, "closed ws-001: First", ""},
		{"an end of the thread's task", "taskClose", `{"taskId":"<#1234567890123>"}`, true, "closed ws-002: Second", ""},
		{"an end of what is not there", "taskClose", `{"taskId":"the big one"}`, false, "the big one does not exist; taskList shows what does", ""},
		{"one task", "taskShow", `{"taskId":"[002]"}`, true, "the task ws-002", `"thread":"discord/1234567890123"`},
		{"its history", "taskShow", `{"taskId":"ws-002"}`, true, "the task ws-002", `"by":"Ada","what":"made"`},
		{"a thread of no task", "taskShow", `{"taskId":"9999999999999"}`, false, "9999999999999 does not exist; taskList shows what does", ""},
		{"all tasks", "taskList", `{}`, true, "all 2 such tasks", `{"id":"ws-001","title":"First","priority":2,"status":"open"}`},
		{"some tasks", "taskList", `{"limit":1}`, true, "1 of 2 such tasks; a higher limit shows more", `"ws-001"`},
		{"tasks with a label", "taskList", `{"label":"Plan","status":"open"}`, true, "the only such task", `"ws-002"`},
		{"no tasks", "taskList", `{"status":"blocked"}`, true, `there is no such task; with status "all" and no label every task is listed`, ""},
		{"a sync without a forum", "taskSync", `{}`, false, "no forum shows the tasks; whoever looks after Aside can name one in aside.yaml, as tasks: {forum: discord/1234}", ""},
		{"tags without a forum", "tagMapReload", `{}`, false, "no forum shows the tasks; whoever looks after Aside can name one in aside.yaml, as tasks: {forum: discord/1234}", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBoard(t)
			create(t, b, tasks.New{Title: "First", Priority: 2})
			create(t, b, tasks.New{Title: "Second", Priority: 2, Labels: []string{"plan"}})
			if set, err := b.SetThread(t.Context(), "ws-002", platform.Room{}, platform.Room{Platform: "discord", ID: "1234567890123"}); !set || err != nil {
				t.Fatal(set, err)
			}
			out := venuetest.Run(t, tasks.Specs(b, nil), call("k"), test.action, test.args)
			if out.OK != test.ok || out.Summary != test.summary || !strings.Contains(string(out.Data), test.data) || (test.data == "") != (out.Data == nil) {
				t.Errorf("%+v\nwith %s", out, out.Data)
			}
		})
	}
}

// TestAnActionThatIsRunAgainTellsWhatItDid is what happens after a crash between the action
// and the note of its outcome; somebody else may have been at it meanwhile.
func TestAnActionThatIsRunAgainTellsWhatItDid(t *testing.T) {
	b := newBoard(t)
	specs := tasks.Specs(b, nil)
	twice := func(key, name, args, want string, meanwhile func()) {
		t.Helper()
		for range 2 {
			if out := venuetest.Run(t, specs, call(key), name, args); !out.OK || out.Summary != want {
				t.Errorf("%s came to %+v, want %s", name, out, want)
			}
			meanwhile()
		}
	}
	status := func(to string) func() {
		return func() {
			if _, _, err := b.Update(t.Context(), tasks.By{Name: "Bob"}, "1", tasks.Change{Status: &to}); err != nil {
				t.Fatal(err)
			}
		}
	}
	twice("a", "taskCreate", `{"title":"Ship it"}`, "made the task ws-001: Ship it", func() {})
	twice("b", "taskUpdate", `{"taskId":"1","status":"blocked"}`, "changed ws-001 (Ship it): status: open → blocked", status(tasks.InProgress))
	twice("c", "taskClose", `{"taskId":"1","reason":"done"}`, "closed ws-001: Ship it", status(tasks.Open))
	got, err := b.Show(t.Context(), "1")
	if err != nil || got.Status != tasks.Open || got.Closed != nil || got.Reason != "" {
		t.Errorf("in the end it is %+v, %v", got, err)
	}
	var all []string
	for _, e := range got.History {
		all = append(all, e.By+": "+e.What)
	}
	want := "Ada: made; Ada: status: open → blocked; Bob: status: blocked → in_progress; Ada: status: in_progress → closed: done; Bob: status: closed → open"
	if strings.Join(all, "; ") != want {
		t.Errorf("its history is %s", all)
	}
}

func TestOnlyKnownLabelsAreGiven(t *testing.T) {
	b := newBoard(t)
	made := create(t, b, tasks.New{Title: "x", Labels: []string{"old"}})
	b.Labels.Known = []string{"Ops", "docs"}
	_, err := b.Create(t.Context(), ada, tasks.New{Title: "y", Labels: []string{"ops", "misc"}})
	if mistake := tasks.Mistake(""); !errors.As(err, &mistake) || err.Error() != `there is no tag "misc"; there are ops, docs, no-thread` {
		t.Errorf("a label that is not there: %v", err)
	}
	labels := []string{"old", "docs", "no-thread"}
	changed, _, err := b.Update(t.Context(), ada, made.ID, tasks.Change{Labels: &labels})
	if err != nil || strings.Join(changed.Labels, " ") != "old docs no-thread" || !changed.NoThread || made.NoThread {
		t.Errorf("what it has already stays: %+v, %v", changed, err)
	}
}

func TestWhoeverWantsToKnowIsToldOfChangesAndOfNothingElse(t *testing.T) {
	b := newBoard(t)
	told := 0
	b.Changed = func() { told++ }
	ctx := t.Context()
	first := create(t, b, tasks.New{Title: "x"})
	_, _, _ = b.Close(ctx, ada, "1", "")
	_, _, _ = b.Close(ctx, ada, "1", "")
	_, _, _ = b.Close(ctx, ada, "2", "")
	_, _ = b.Create(ctx, ada, tasks.New{})
	if set, err := b.SetThread(ctx, "1", platform.Room{}, platform.Room{Platform: "discord", ID: "9"}); !set || err != nil {
		t.Fatal(set, err)
	}
	if last, err := b.Show(ctx, "1"); told != 2 || err != nil || !last.Changed.After(first.Changed) {
		t.Errorf("told %d times, %v: %v, %v", told, err, first.Changed, last.Changed)
	}
}

func TestAChangeIsPartOfSomebodysTransaction(t *testing.T) {
	b := newBoard(t)
	ctx := t.Context()
	create(t, b, tasks.New{Title: "x"})
	failed := errors.New("something else went wrong")
	err := b.Store.In(ctx, func(tx store.Tx) error {
		if _, _, err := b.CreateIn(ctx, tx, ada, tasks.New{Title: "y"}); err != nil {
			return err
		}
		if _, what, err := b.CloseIn(ctx, tx, ada, "1", "all done"); err != nil || len(what) != 1 {
			t.Errorf("close: %v, %v", what, err)
		}
		return failed
	})
	all, total, listErr := b.List(ctx, tasks.Query{Status: tasks.All})
	if !errors.Is(err, failed) || listErr != nil || total != 1 || all[0].Status != tasks.Open {
		t.Errorf("%v, %v: %+v", err, listErr, all)
	}
}

func TestWithoutTheStoreNothingIsClaimed(t *testing.T) {
	b := newBoard(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Create(ctx, ada, tasks.New{Title: "x"}); err == nil {
		t.Error("it was made")
	}
	if _, _, err := b.List(t.Context(), tasks.Query{Status: "perhaps"}); err == nil || err.Error() != `a status is one of open, in_progress, blocked, closed, got "perhaps"` {
		t.Errorf("a status that is none: %v", err)
	}
}
