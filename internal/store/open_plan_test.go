package store

import (
	"database/sql"
	"strings"
	"testing"
	"time"
)

// A session may have had thousands of turns: what is open must be found without them.
func TestOpenTurnsAreFoundWithoutThoseThatAreSettled(t *testing.T) {
	s, err := Open(t.Context(), "sqlite", t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for _, query := range []string{
		`SELECT ` + turnColumns + ` WHERE session = 'a' AND stage <> 'settled' AND due <= 1 ORDER BY turn.message, turn.id LIMIT 1`,
		`SELECT EXISTS (SELECT 1 FROM turn WHERE session = 'a' AND stage <> 'settled')`,
	} {
		rows, err := s.query(t.Context(), `EXPLAIN QUERY PLAN `+query)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := readAll(rows, func(rows *sql.Rows, step *string) error {
			var id, parent, unused int
			return rows.Scan(&id, &parent, &unused, step)
		})
		if err != nil || !strings.Contains(strings.Join(plan, "\n"), "turn_open") {
			t.Errorf("the plan is %q, %v", plan, err)
		}
	}
}
