package store_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func TestAMirrorIsKeptReplacedAndForgotten(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		at := time.Date(2026, 3, 1, 12, 0, 0, 1000, time.UTC)
		forum := platform.Room{Platform: "discord", ID: "7"}
		bare := store.Mirror{Board: "tasks", Item: "ws-001", Forum: forum, Tried: at}
		full := store.Mirror{
			Board: "tasks", Item: "ws-001", Forum: forum, Thread: platform.Room{Platform: "discord", ID: "8"}, Closed: true, Busy: true,
			Name: "a  task", Shown: "a task", Text: "abc", Drifted: at, Renamed: [2]time.Time{at.Add(time.Second), at},
		}
		other := store.Mirror{Board: "crons", Item: "ws-001", Forum: forum}
		is := func(board string, want ...store.Mirror) {
			t.Helper()
			if got, err := s.Mirrors(ctx, board); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("of %s there are\n%+v, %v, want\n%+v", board, got, err, want)
			}
		}
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		do(s.SaveMirror(ctx, bare))
		do(s.SaveMirror(ctx, other))
		is("tasks", bare)
		do(s.SaveMirror(ctx, full))
		is("tasks", full)
		is("crons", other)
		do(s.DropMirror(ctx, "tasks", "ws-001"))
		do(s.DropMirror(ctx, "tasks", "ws-001"))
		is("tasks")
		is("crons", other)
	})
}
