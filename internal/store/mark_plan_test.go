package store

import (
	"database/sql"
	"strings"
	"testing"
	"time"
)

func TestMarksAreLookedForWithoutReadingWholeTables(t *testing.T) {
	s, err := Open(t.Context(), "sqlite", t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for _, where := range []string{unshown, waiting} {
		args := make([]any, strings.Count(where, "?"))
		rows, err := s.query(t.Context(), `EXPLAIN QUERY PLAN SELECT `+markColumns+` `+where, args...)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := readAll(rows, func(rows *sql.Rows, step *string) error {
			var id, parent, unused int
			return rows.Scan(&id, &parent, &unused, step)
		})
		if err != nil || len(plan) == 0 {
			t.Fatal(plan, err)
		}
		for _, step := range plan {
			if strings.HasPrefix(step, "SCAN ") && !strings.Contains(step, "INDEX mark_open") {
				t.Errorf("%s, in the plan %q", step, plan)
			}
		}
	}
}
