package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/asidehq/aside/platform"
)

// An Episode is a stretch of a conversation that has ended, and what is kept in mind of it.
// What was said stays where it is.
type Episode struct {
	ID           int64
	Session      string // which is also the room, as platform/id
	Direct       bool
	First, Last  int64 // messages
	Began, Ended time.Time
	Messages     int
	Title        string
	Summary      string
	People       []string // who took part, as platform/id
}

// A Scope says whose episodes are meant: those of a session, those that a person took part
// in, or, if it says nothing, all.
type Scope struct {
	Session string
	Person  string
}

const episodeColumns = `SELECT episode.id, episode.session, episode.direct, episode.first, episode.last, episode.began, episode.ended, episode.messages, episode.title, episode.summary FROM episode `

// inScope is the condition of a scope; scopeArgs are its arguments.
const inScope = `(? = '' OR episode.session = ?) AND (? = '' OR EXISTS (SELECT 1 FROM episode_person WHERE episode_person.episode = episode.id AND episode_person.person = ?))`

func (c Scope) args() []any { return []any{c.Session, c.Session, c.Person, c.Person} }

// token is the word for a scope in the index, or "".
func (c Scope) token() string {
	switch {
	case c.Session != "":
		return scopeToken("session", c.Session)
	case c.Person != "":
		return scopeToken("person", c.Person)
	}
	return ""
}

func scopeToken(kind, of string) string {
	sum := sha256.Sum256([]byte(kind + " " + of))
	return "x" + hex.EncodeToString(sum[:10])
}

func readEpisodes(rows *sql.Rows, err error) ([]Episode, error) {
	if err != nil {
		return nil, err
	}
	return readAll(rows, func(rows *sql.Rows, e *Episode) error {
		var began, ended int64
		err := rows.Scan(&e.ID, &e.Session, &e.Direct, &e.First, &e.Last, &began, &ended, &e.Messages, &e.Title, &e.Summary)
		e.Began, e.Ended = unstamp(began), unstamp(ended)
		return err
	})
}

// Episodes returns the latest episodes of a scope, the latest first.
func (s *Store) Episodes(ctx context.Context, in Scope, most int) ([]Episode, error) {
	all, err := readEpisodes(s.query(ctx, episodeColumns+`WHERE `+inScope+` ORDER BY episode.id DESC`+limit, append(in.args(), most)...))
	if err == nil {
		err = s.addPeople(ctx, all)
	}
	if err != nil {
		return nil, fmt.Errorf("read the episodes: %w", err)
	}
	return all, nil
}

// EpisodesByID returns episodes, if they are of a scope, in the order asked for.
func (s *Store) EpisodesByID(ctx context.Context, in Scope, ids []int64) ([]Episode, error) {
	var all []Episode
	for _, id := range ids {
		found, err := readEpisodes(s.query(ctx, episodeColumns+`WHERE episode.id = ? AND `+inScope, append([]any{id}, in.args()...)...))
		if err != nil {
			return nil, fmt.Errorf("read episode %d: %w", id, err)
		}
		all = append(all, found...)
	}
	if err := s.addPeople(ctx, all); err != nil {
		return nil, fmt.Errorf("read who took part: %w", err)
	}
	return all, nil
}

func (s *Store) addPeople(ctx context.Context, all []Episode) error {
	for i := range all {
		rows, err := s.query(ctx, `SELECT person FROM episode_person WHERE episode = ? ORDER BY person`, all[i].ID)
		if err != nil {
			return err
		}
		if all[i].People, err = readAll(rows, func(rows *sql.Rows, one *string) error { return rows.Scan(one) }); err != nil {
			return err
		}
	}
	return nil
}

// EpisodesWith returns the latest episodes of a scope in which a word was said, the latest
// first. Where it was hardly said, one that begins so counts, too.
func (s *Store) EpisodesWith(ctx context.Context, in Scope, word string, most int) ([]int64, error) {
	plain := plainWords(word)
	if len(plain) != 1 {
		return nil, nil
	}
	found, err := s.episodesWith(ctx, in, plain[0], "", most)
	if err == nil && len(found) < hardly && Begins(plain[0]) {
		return s.episodesWith(ctx, in, plain[0], "*", most)
	}
	return found, err
}

// hardly is how often a word is said that others may stand for: looking for these takes ten
// times as long.
const hardly = 5

// episodesWith looks for a word, and with a star for those that begin so.
func (s *Store) episodesWith(ctx context.Context, in Scope, word, star string, most int) ([]int64, error) {
	query, args := `SELECT rowid FROM episode_words WHERE episode_words MATCH ? ORDER BY rowid DESC`+limit, []any{matchWord(in, word) + star, most}
	if s.Engine == Postgres {
		if star != "" {
			star = ":*"
		}
		query, args = `SELECT episode.id FROM episode WHERE words @@ to_tsquery('simple', ?) AND `+inScope+` ORDER BY episode.id DESC`+limit,
			append(append([]any{"'" + word + "'" + star}, in.args()...), most)
	}
	rows, err := s.query(ctx, query, args...)
	if err == nil {
		var all []int64
		if all, err = readAll(rows, func(rows *sql.Rows, id *int64) error { return rows.Scan(id) }); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("search the episodes: %w", err)
}

// matchWord asks SQLite for a word in a scope.
func matchWord(in Scope, word string) string {
	match := `words : "` + word + `"`
	if token := in.token(); token != "" {
		return `scope : "` + token + `" AND ` + match
	}
	return match
}

// Begins tells whether a word of a question also stands for those that begin so: not if it is
// so short that too many do, nor if it is or has a number.
func Begins(word string) bool {
	return utf8.RuneCountInString(word) >= 4 && !strings.ContainsFunc(word, unicode.IsDigit)
}

// mostIndexed is how much of an episode can be searched, in bytes. PostgreSQL takes a
// megabyte.
const mostIndexed = 400_000

// AddEpisode keeps an episode, of which words are everything that was said.
func (t Tx) AddEpisode(ctx context.Context, e Episode, words string) error {
	if len(words) > mostIndexed {
		words = strings.ToValidUTF8(words[:mostIndexed], "")
	}
	columns, values := "", ""
	args := []any{e.Session, e.Direct, e.First, e.Last, stamp(e.Began), stamp(e.Ended), e.Messages, e.Title, e.Summary, stamp(t.s.now())}
	if t.s.Engine == Postgres {
		columns, values = ", words", ", to_tsvector('simple', ?)"
		args = append(args, words)
	}
	var id int64
	if err := t.row(ctx, `INSERT INTO episode (session, direct, first, last, began, ended, messages, title, summary, created`+columns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?`+values+`) RETURNING id`, args...).Scan(&id); err != nil {
		return err
	}
	scope := []string{Scope{Session: e.Session}.token()}
	for _, person := range slices.Compact(slices.Sorted(slices.Values(e.People))) {
		scope = append(scope, Scope{Person: person}.token())
		if _, err := t.exec(ctx, `INSERT INTO episode_person (person, episode) VALUES (?, ?)`, person, id); err != nil {
			return err
		}
	}
	if t.s.Engine == Postgres {
		return nil
	}
	_, err := t.exec(ctx, `INSERT INTO episode_words (rowid, scope, words) VALUES (?, ?, ?)`, id, strings.Join(scope, " "), words)
	return err
}

// ForgetEpisodes deletes what is kept of a person's direct chats, and returns how many
// episodes that were. What was said there before a message does not become one any more.
func (s *Store) ForgetEpisodes(ctx context.Context, who platform.Person, on string, before int64) (n int, err error) {
	rows, err := s.query(ctx, `SELECT DISTINCT platform || '/' || room FROM message WHERE platform = ? AND author = ? AND direct`, on, who.ID)
	var sessions []string
	if err == nil {
		sessions, err = readAll(rows, func(rows *sql.Rows, one *string) error { return rows.Scan(one) })
	}
	if err == nil {
		err = s.In(ctx, func(tx Tx) (err error) {
			n, err = tx.forgetEpisodes(ctx, on+"/"+who.ID, sessions, before)
			return err
		})
	}
	if err != nil {
		return 0, fmt.Errorf("forget conversations: %w", err)
	}
	return n, nil
}

func (t Tx) forgetEpisodes(ctx context.Context, person string, sessions []string, before int64) (int, error) {
	rows, err := t.rows(ctx, `SELECT episode.id FROM episode JOIN episode_person ON episode_person.episode = episode.id WHERE person = ? AND direct`, person)
	if err != nil {
		return 0, err
	}
	ids, err := readAll(rows, func(rows *sql.Rows, id *int64) error { return rows.Scan(id) })
	if err != nil {
		return 0, err
	}
	deletes := []string{`DELETE FROM episode_person WHERE episode = ?`, `DELETE FROM episode WHERE id = ?`}
	if t.s.Engine == SQLite {
		deletes = append(deletes, `DELETE FROM episode_words WHERE rowid = ?`)
	}
	for _, id := range ids {
		for _, query := range deletes {
			if _, err := t.exec(ctx, query, id); err != nil {
				return 0, err
			}
		}
	}
	for _, session := range sessions {
		if _, err := t.exec(ctx, `INSERT INTO episode_progress (session, newest, spoke, until) VALUES (?, ?, ?, ?)
			ON CONFLICT (session) DO UPDATE SET until = excluded.until WHERE episode_progress.until < excluded.until`, session, before, stamp(t.s.now()), before); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}
