package store

import (
	"database/sql"
	"strings"
	"testing"
	"time"
)

func TestTheBacklogIsCountedWithoutReadingWholeTables(t *testing.T) {
	s, err := Open(t.Context(), "sqlite", t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	rows, err := s.query(t.Context(), `EXPLAIN QUERY PLAN `+countBacklog)
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
		if strings.HasPrefix(step, "SCAN ") && !strings.Contains(step, "INDEX") && step != "SCAN CONSTANT ROW" {
			t.Errorf("%s, in the plan %q", step, plan)
		}
	}
}
