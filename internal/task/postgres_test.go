package task_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/pgtest"
	"github.com/asidehq/aside/internal/task"
)

var postgres pgtest.Shared

func TestMain(m *testing.M) { postgres.Main(m) }

// Two processes import the same file, make the same task and change it, at the same time.
func TestTwoProcessesShareABoard(t *testing.T) {
	ctx := t.Context()
	url := postgres.Server(t).Database(t)
	var boards []*task.Board
	for range 2 {
		now := clock()
		s, err := store.Open(ctx, url, "", now)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		boards = append(boards, &task.Board{Store: s, Prefix: "ws", Now: now})
	}
	lines := []string{shipIt, strings.Replace(shipIt, "2026-01-02", "2025-01-02", 1), `not JSON`}
	for i := range 150 {
		lines = append(lines, fmt.Sprintf(`{"id":"ws-%d","title":"task %d"}`, i+10, i))
	}
	var wg sync.WaitGroup
	reports := make([]task.Report, 2)
	for i, b := range boards {
		wg.Go(func() {
			var err error
			if reports[i], err = b.Import(ctx, operator, strings.NewReader(strings.Join(lines, "\n"))); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			by := tasks.By{Key: "k", Name: "Ada"}
			made, err := b.Create(ctx, by, tasks.New{Title: "only one"})
			if err != nil {
				t.Error(err)
				return
			}
			if _, what, err := b.Close(ctx, tasks.By{Key: "l", Name: "Ada"}, made.ID, ""); err != nil || len(what) != 1 {
				t.Errorf("closed: %v, %v", what, err)
			}
		})
	}
	wg.Wait()
	if added := reports[0].Added + reports[1].Added; added != 152 || reports[0].Unchanged+reports[1].Unchanged != 152 || len(reports[0].Refused) != 1 || len(reports[1].Refused) != 1 {
		t.Errorf("the reports are %+v", reports)
	}
	all, total, err := boards[0].List(ctx, tasks.Query{Status: tasks.All})
	if err != nil || total != 153 {
		t.Fatalf("there are %d tasks, %v", total, err)
	}
	for _, one := range all {
		if one.Title != "only one" {
			continue
		}
		if shown, err := boards[1].Show(ctx, one.ID); err != nil || len(shown.History) != 2 {
			t.Errorf("it is %+v, %v", shown, err)
		}
	}
}
