package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

var ada = store.Author{Platform: "discord", Person: "7", Name: "Ada"}

// addTask adds a task with a key, and fails the test if it does not go as wanted.
func addTask(t *testing.T, s *store.Store, task store.Task, want bool) store.Task {
	t.Helper()
	if task.Prefix == "" {
		task.Prefix = "ws"
	}
	if task.Status == "" {
		task.Status = store.TaskOpen
	}
	var stored store.Task
	err := s.In(t.Context(), func(tx store.Tx) (err error) {
		var fresh bool
		if stored, fresh, err = tx.AddTask(t.Context(), task, ada); err == nil && fresh != want {
			t.Errorf("%s is fresh: %v, want %v", stored.ID(), fresh, want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// changeTask changes the title of a task with a key.
func changeTask(t *testing.T, s *store.Store, number int, key, title string) (store.Task, []string) {
	t.Helper()
	var (
		task store.Task
		what []string
	)
	err := s.In(t.Context(), func(tx store.Tx) (err error) {
		task, what, err = tx.ChangeTask(t.Context(), store.TaskName{Prefix: "ws", Number: number}, key, ada, func(task *store.Task) ([]string, error) {
			if task.Title == title {
				return nil, nil
			}
			what := []string{task.Title + " → " + title}
			task.Title = title
			return what, nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return task, what
}

func tasksOf(t *testing.T, s *store.Store, q store.TaskQuery) (ids string) {
	t.Helper()
	all, total, err := s.Tasks(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range all {
		ids += task.ID() + " "
	}
	return ids + fmt.Sprint("of ", total)
}

func TestATaskIsMadeOnceForEachKeyAndItsNumberIsNeverGivenAgain(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		first := addTask(t, s, store.Task{Key: "a", Title: "Ship it", Creator: ada, Room: "1", Labels: []string{"plan", "no-thread"}}, true)
		again := addTask(t, s, store.Task{Key: "a", Title: "Something else"}, false)
		if first.ID() != "ws-001" || again.ID() != "ws-001" || again.Title != "Ship it" || !slices.Equal(again.Labels, []string{"plan", "no-thread"}) || again.Creator != ada {
			t.Errorf("made %+v and then %+v", first, again)
		}
		ids := []string{
			addTask(t, s, store.Task{Title: "no key"}, true).ID(),
			addTask(t, s, store.Task{Title: "no key"}, true).ID(),
			addTask(t, s, store.Task{Title: "wanted", Number: 9}, true).ID(),
			addTask(t, s, store.Task{Title: "taken", Number: 9}, true).ID(),
			addTask(t, s, store.Task{Title: "lower and free", Number: 5}, true).ID(),
			addTask(t, s, store.Task{Title: "next"}, true).ID(),
			addTask(t, s, store.Task{Title: "another board", Prefix: "dev"}, true).ID(),
		}
		if want := "ws-002 ws-003 ws-009 ws-010 ws-005 ws-011 dev-001"; strings.Join(ids, " ") != want {
			t.Errorf("the tasks are %s, want %s", ids, want)
		}
		err := s.In(t.Context(), func(tx store.Tx) error {
			_, _, err := tx.AddTask(t.Context(), store.Task{Prefix: "ws", Title: "taken back", Status: store.TaskOpen}, ada)
			return errors.Join(err, errors.New("no"))
		})
		if err == nil {
			t.Fatal("the transaction was not taken back")
		}
		if id := addTask(t, s, store.Task{Title: "after that"}, true).ID(); id != "ws-012" {
			t.Errorf("the next one is %s", id)
		}
	})
}

func TestTasksThatAreMadeAtOnceHaveNumbersOfTheirOwn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				err := s.In(t.Context(), func(tx store.Tx) error {
					_, _, err := tx.AddTask(t.Context(), store.Task{Prefix: "ws", Key: fmt.Sprint("k", i/2), Title: "x", Status: store.TaskOpen}, ada)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		got := strings.Fields(tasksOf(t, s, store.TaskQuery{}))
		slices.Sort(got[:6])
		if want := "ws-001 ws-002 ws-003 ws-004 ws-005 ws-006 of 6"; strings.Join(got, " ") != want {
			t.Errorf("there are %s, want %s", got, want)
		}
	})
}

func TestAChangeOfATaskIsMadeOnceForEachKeyAndNoted(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		made := addTask(t, s, store.Task{Title: "one"}, true)
		second, what := changeTask(t, s, 1, "k", "two")
		if len(what) != 1 || !second.Changed.After(made.Changed) || !second.Updated.After(made.Updated) {
			t.Errorf("changed %v: %+v", what, second)
		}
		if third, what := changeTask(t, s, 1, "k3", "two"); len(what) != 0 || !third.Changed.Equal(second.Changed) {
			t.Errorf("what changes nothing has changed %v, %v", what, third.Changed)
		}
		changeTask(t, s, 1, "l", "three")
		if again, what := changeTask(t, s, 1, "k", "two"); again.Title != "three" || strings.Join(what, ";") != "one → two" {
			t.Errorf("done again it is %q, %v", again.Title, what)
		}
		history, err := s.TaskHistory(t.Context(), made, 100)
		var all []string
		for _, c := range history {
			all = append(all, c.By.Name+": "+c.What)
		}
		if want := "Ada: made; Ada: one → two; Ada: two → three"; err != nil || strings.Join(all, "; ") != want {
			t.Errorf("its history is %q, %v", all, err)
		}
		if latest, err := s.TaskHistory(t.Context(), made, 1); err != nil || len(latest) != 1 || latest[0].What != "two → three" {
			t.Errorf("the latest is %+v, %v", latest, err)
		}
	})
}

func TestTasksAreListedByPriorityAndThenByAge(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		addTask(t, s, store.Task{Title: "later", Priority: 3, Labels: []string{"bug_1"}}, true)
		addTask(t, s, store.Task{Title: "normal", Priority: 2, Labels: []string{"bugx1", "plan"}}, true)
		addTask(t, s, store.Task{Title: "urgent", Priority: 0, Status: store.TaskBlocked}, true)
		addTask(t, s, store.Task{Title: "older", Priority: 2, Created: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), Labels: []string{"plan"}}, true)
		addTask(t, s, store.Task{Title: "done", Priority: 0, Status: store.TaskClosed, Labels: []string{"plan"}}, true)
		for _, test := range []struct {
			name string
			q    store.TaskQuery
			want string
		}{
			{"what is not closed", store.TaskQuery{}, "ws-003 ws-004 ws-002 ws-001 of 4"},
			{"all", store.TaskQuery{All: true}, "ws-003 ws-005 ws-004 ws-002 ws-001 of 5"},
			{"one status", store.TaskQuery{Status: store.TaskBlocked}, "ws-003 of 1"},
			{"a label", store.TaskQuery{Label: "plan"}, "ws-004 ws-002 of 2"},
			{"a label that looks like a pattern", store.TaskQuery{Label: "bug_1"}, "ws-001 of 1"},
			{"part of a label", store.TaskQuery{Label: "pla"}, "of 0"},
			{"a few of all", store.TaskQuery{All: true, Label: "plan", Limit: 2}, "ws-005 ws-004 of 3"},
		} {
			if got := tasksOf(t, s, test.q); got != test.want {
				t.Errorf("%s: %s, want %s", test.name, got, test.want)
			}
		}
	})
}

func TestATaskIsFoundByItsNameItsThreadAndItsNameElsewhere(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		addTask(t, s, store.Task{Title: "one", ExternalRef: "gh-12"}, true)
		addTask(t, s, store.Task{Title: "two"}, true)
		thread := platform.Room{Platform: "discord", ID: "1234567890"}
		set := func(name store.TaskName, was, to platform.Room) (set bool, err error) {
			err = s.In(ctx, func(tx store.Tx) (err error) {
				set, err = tx.SetTaskThread(ctx, name, was, to)
				return err
			})
			return set, err
		}
		two := store.TaskName{Prefix: "ws", Number: 2}
		before, _ := s.Task(ctx, two)
		if done, err := set(two, platform.Room{}, thread); !done || err != nil {
			t.Fatalf("set the thread: %v, %v", done, err)
		}
		if done, err := set(two, platform.Room{}, platform.Room{Platform: "discord", ID: "99"}); done || err != nil {
			t.Errorf("set the thread that another one has set: %v, %v", done, err)
		}
		if _, err := set(store.TaskName{Prefix: "ws", Number: 1}, platform.Room{}, thread); err == nil {
			t.Error("two tasks have one thread")
		}
		for _, test := range []struct {
			name store.TaskName
			want string
		}{
			{store.TaskName{Prefix: "ws", Number: 1}, "ws-001"},
			{store.TaskName{Thread: "discord/1234567890"}, "ws-002"},
			{store.TaskName{Thread: "1234567890"}, "ws-002"},
			{store.TaskName{Prefix: "gh", Number: 12, Ref: "gh-12"}, "ws-001"},
			{store.TaskName{Thread: "%"}, ""},
			{store.TaskName{Thread: "234567890"}, ""},
			{store.TaskName{Prefix: "ws", Number: 3}, ""},
			{store.TaskName{}, ""},
		} {
			task, err := s.Task(ctx, test.name)
			if test.want == "" && !errors.Is(err, store.ErrNoSuchTask) || test.want != "" && (err != nil || task.ID() != test.want) {
				t.Errorf("%+v is %s, %v, want %s", test.name, task.ID(), err, test.want)
			}
		}
		if after, _ := s.Task(ctx, two); after.Thread != thread || !after.Changed.Equal(before.Changed) {
			t.Errorf("with its thread it is %+v", after)
		}
	})
}
