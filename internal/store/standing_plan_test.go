package store

import (
	"database/sql"
	"strings"
	"testing"
	"time"
)

func TestAMessageIsFoundByItsIDWithoutReadingWholeTables(t *testing.T) {
	s, err := Open(t.Context(), "sqlite", t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for _, table := range standings {
		rows, err := s.query(t.Context(), `EXPLAIN QUERY PLAN `+table.query, "telegram", "1", "-100", "-100:%")
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
			byID := strings.HasPrefix(step, "SEARCH ") && (strings.Contains(step, "_id=?") || strings.Contains(step, "message=?") || strings.Contains(step, "rowid=?"))
			if !byID && !strings.HasPrefix(step, "USE TEMP B-TREE") {
				t.Errorf("%s, in the plan %q", step, plan)
			}
		}
	}
}
