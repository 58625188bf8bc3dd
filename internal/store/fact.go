package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Fact is something to remember about a person.
type Fact struct {
	ID      int64
	Person  string // platform/id
	Kind    string
	Text    string
	Hits    int  // how often it was of use in a prompt
	Active  bool // if not, it had to make room for others
	Created time.Time
	Updated time.Time // when its text last changed
	Used    time.Time // when it was last of use; zero if never
}

const factColumns = `SELECT fact.id, fact.person, fact.kind, fact.text, fact.hits, fact.active, fact.created, fact.updated, fact.used FROM fact `

func scanFact(row interface{ Scan(...any) error }, f *Fact) error {
	var created, updated, used int64
	err := row.Scan(&f.ID, &f.Person, &f.Kind, &f.Text, &f.Hits, &f.Active, &created, &updated, &used)
	f.Created, f.Updated = unstamp(created), unstamp(updated)
	if used != 0 {
		f.Used = unstamp(used)
	}
	return err
}

func readFacts(rows *sql.Rows, err error) ([]Fact, error) {
	if err != nil {
		return nil, err
	}
	return readAll(rows, func(rows *sql.Rows, f *Fact) error { return scanFact(rows, f) })
}

// Facts returns what is remembered about a person, oldest first.
func (s *Store) Facts(ctx context.Context, person string) ([]Fact, error) {
	all, err := readFacts(s.query(ctx, factColumns+`WHERE person = ? AND active ORDER BY fact.id`, person))
	if err != nil {
		return nil, fmt.Errorf("read what is remembered of %s: %w", person, err)
	}
	return all, nil
}

// EveryFact returns what is kept about a person, also what had to make room; of everybody if
// the person is "". At most so many, the latest first.
func (s *Store) EveryFact(ctx context.Context, person string, most int) ([]Fact, error) {
	all, err := readFacts(s.query(ctx, factColumns+`WHERE ? = '' OR person = ? ORDER BY fact.id DESC`+limit, person, person, most))
	if err != nil {
		return nil, fmt.Errorf("read what is kept of %s: %w", person, err)
	}
	return all, nil
}

// SearchFacts finds what is kept about a person by its words, the best first; of everybody
// if the person is "".
func (s *Store) SearchFacts(ctx context.Context, person, words string, most int) ([]Fact, error) {
	query, asked := factColumns+`JOIN fact_words ON fact_words.rowid = fact.id WHERE fact_words MATCH ? AND (? = '' OR person = ?) ORDER BY bm25(fact_words), fact.id DESC`, matchAny(words)
	if s.Engine == Postgres {
		query, asked = factColumns+`, to_tsquery('simple', ?) AS asked WHERE words @@ asked AND (? = '' OR person = ?) ORDER BY ts_rank(words, asked) DESC, fact.id DESC`, tsAny(words)
	}
	if asked == "" {
		return nil, nil
	}
	all, err := readFacts(s.query(ctx, query+limit, asked, person, person, most))
	if err != nil {
		return nil, fmt.Errorf("search what is kept: %w", err)
	}
	return all, nil
}

// FactsOf is Facts in a transaction that nobody else changes them in.
func (t Tx) FactsOf(ctx context.Context, person string) ([]Fact, error) {
	if err := t.lockSession(ctx, "what is remembered of "+person); err != nil {
		return nil, err
	}
	return readFacts(t.rows(ctx, factColumns+`WHERE person = ? AND active ORDER BY fact.id`, person))
}

// FactOf returns the fact of a source, or nil.
func (t Tx) FactOf(ctx context.Context, source string) (*Fact, error) {
	var f Fact
	err := scanFact(t.row(ctx, factColumns+`JOIN fact_source ON fact_source.fact = fact.id WHERE fact_source.source = ?`, source), &f)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &f, err
}

// AddFact remembers a fact. source says where it comes from.
func (t Tx) AddFact(ctx context.Context, person, source string, f Fact) (Fact, error) {
	now := stamp(t.s.now())
	err := t.row(ctx, `INSERT INTO fact (person, kind, text, source, created, updated) VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
		person, f.Kind, f.Text, source, now, now).Scan(&f.ID)
	if err != nil {
		return Fact{}, err
	}
	f.Person, f.Active, f.Created, f.Updated = person, true, unstamp(now), unstamp(now)
	return f, t.addSource(ctx, f.ID, source, now)
}

func (t Tx) addSource(ctx context.Context, fact int64, source string, now int64) error {
	_, err := t.exec(ctx, `INSERT INTO fact_source (source, fact, created) VALUES (?, ?, ?) ON CONFLICT (source) DO NOTHING`, source, fact, now)
	return err
}

// RewordFact gives a fact another text, for a further source.
func (t Tx) RewordFact(ctx context.Context, f Fact, source string) error {
	now := stamp(t.s.now())
	if _, err := t.exec(ctx, `UPDATE fact SET text = ?, kind = ?, updated = ? WHERE id = ?`, f.Text, f.Kind, now, f.ID); err != nil {
		return err
	}
	return t.addSource(ctx, f.ID, source, now)
}

// RetireFact takes a fact out of what is remembered, and keeps it.
func (t Tx) RetireFact(ctx context.Context, id int64) error {
	_, err := t.exec(ctx, `UPDATE fact SET active = FALSE WHERE id = ?`, id)
	return err
}

// DeleteFact deletes a fact for good.
func (t Tx) DeleteFact(ctx context.Context, id int64) error {
	_, err := t.exec(ctx, `DELETE FROM fact_source WHERE fact = ?`, id)
	if err == nil {
		_, err = t.exec(ctx, `DELETE FROM fact WHERE id = ?`, id)
	}
	return err
}

// Sources are where a fact comes from, oldest first.
func (s *Store) Sources(ctx context.Context, fact int64) ([]string, error) {
	rows, err := s.query(ctx, `SELECT source FROM fact_source WHERE fact = ? ORDER BY created, source`, fact)
	if err == nil {
		var all []string
		if all, err = readAll(rows, func(rows *sql.Rows, one *string) error { return rows.Scan(one) }); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read where a fact comes from: %w", err)
}

// matchAny asks SQLite for what has any of some words, or words that begin so. Whatever else
// stands there is no part of its language.
func matchAny(words string) string {
	var all []string
	for _, w := range plainWords(words) {
		all = append(all, `"`+w+`"*`)
	}
	return strings.Join(all, " OR ")
}

// tsAny asks PostgreSQL for the same.
func tsAny(words string) string {
	var all []string
	for _, w := range plainWords(words) {
		all = append(all, "'"+w+"':*")
	}
	return strings.Join(all, " | ")
}

// EveryFactOf is what is kept about a person, also what had to make room, in a transaction
// that nobody else changes it in.
func (t Tx) EveryFactOf(ctx context.Context, person string) ([]Fact, error) {
	if err := t.lockSession(ctx, "what is remembered of "+person); err != nil {
		return nil, err
	}
	return readFacts(t.rows(ctx, factColumns+`WHERE person = ? ORDER BY fact.id`, person))
}

// UseFacts notes that facts were of use.
func (t Tx) UseFacts(ctx context.Context, ids []int64) error {
	for _, id := range ids {
		if _, err := t.exec(ctx, `UPDATE fact SET hits = hits + 1, used = ? WHERE id = ?`, stamp(t.s.now()), id); err != nil {
			return err
		}
	}
	return nil
}
