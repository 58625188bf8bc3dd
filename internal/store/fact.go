package store

import (
	"context"
	"fmt"
)

// A Fact is something to remember about a person.
type Fact struct {
	Kind, Text string
}

// AddFact remembers a fact. source says where it comes from; the same source twice
// is one fact.
func (t Tx) AddFact(ctx context.Context, person, source string, f Fact) error {
	_, err := t.exec(ctx, `INSERT INTO fact (person, kind, text, source, created) VALUES (?, ?, ?, ?, ?) ON CONFLICT (source) DO NOTHING`,
		person, f.Kind, f.Text, source, stamp(t.s.now()))
	return err
}

// Facts returns what is remembered about a person, oldest first.
func (s *Store) Facts(ctx context.Context, person string) ([]Fact, error) {
	rows, err := s.query(ctx, `SELECT kind, text FROM fact WHERE person = ? ORDER BY id`, person)
	if err != nil {
		return nil, fmt.Errorf("read what is remembered of %s: %w", person, err)
	}
	defer rows.Close()
	var all []Fact
	for rows.Next() {
		var f Fact
		if err := rows.Scan(&f.Kind, &f.Text); err != nil {
			return nil, fmt.Errorf("read what is remembered of %s: %w", person, err)
		}
		all = append(all, f)
	}
	return all, rows.Err()
}
