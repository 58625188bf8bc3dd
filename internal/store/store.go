package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"modernc.org/sqlite"               // the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// An Engine is what runs the SQL.
type Engine string

const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// A Store is open until Close.
type Store struct {
	Engine Engine

	// Process is this process's name as the owner of sessions.
	Process string

	db     *sql.DB // where everything is written
	writer *writer // its only connection, on SQLite
	read   runner  // for queries outside transactions
	pool   *sql.DB // where they run, on SQLite
	now    func() time.Time
	lock   *os.File // the data directory's, on SQLite

	committed func(took time.Duration) // nil if nobody wants to know
	marks     marks
}

// OnCommit has committed called after every commit that is made from now on. It is to
// be set before the first transaction.
func (s *Store) OnCommit(committed func(took time.Duration)) { s.committed = committed }

// commit runs a commit and tells how long it took.
func (s *Store) commit(do func() error) error {
	if s.committed == nil {
		return do()
	}
	began := s.now()
	err := do()
	s.committed(s.now().Sub(began))
	return err
}

// ErrInUse says that another process works in the data directory.
var ErrInUse = errors.New("another Aside is running on this data directory")

// ErrDamaged says that the file of the database is damaged, or no database at all.
var ErrDamaged = errors.New("the database is damaged")

// ErrFull says that there is no space left for the database.
var ErrFull = errors.New("the disk is full")

// Open opens the store: a PostgreSQL URL, or else SQLite in the data directory,
// which is made if need be and locked for this process. The schema is brought up
// to date. now is the clock.
func Open(ctx context.Context, database, data string, now func() time.Time) (*Store, error) {
	if strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://") {
		return openPostgres(ctx, database, now)
	}
	return openSQLite(ctx, data, now)
}

func openSQLite(ctx context.Context, data string, now func() time.Time) (*Store, error) {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data directory: %w", err)
	}
	lock, err := lockFile(filepath.Join(data, "lock"))
	if err != nil {
		return nil, err
	}
	s := &Store{Engine: SQLite, Process: rand.Text(), now: now, lock: lock}
	if err := s.openFile(ctx, filepath.Join(data, "aside.db")); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", filepath.Join(data, "aside.db"), classify(err)), s.Close())
	}
	return s, nil
}

// openFile opens a SQLite database for one writer and some readers.
func (s *Store) openFile(ctx context.Context, file string) (err error) {
	const pragmas = "_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=foreign_keys(on)&_pragma=busy_timeout(10000)"
	if s.db, err = sql.Open("sqlite", fileURL(file, pragmas+"&_txlock=immediate")); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(1)
	if err := s.migrate(ctx); err != nil {
		return err
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	s.writer = newWriter(conn, s.commit)
	if s.pool, err = sql.Open("sqlite", fileURL(file, pragmas+"&_pragma=query_only(on)&_pragma=cache_size(-512)")); err != nil {
		return err
	}
	s.pool.SetMaxOpenConns(readers)
	s.pool.SetMaxIdleConns(readers) // a new connection would compile everything anew
	s.read = newStatements(s.pool)
	return nil
}

// readers is how many queries SQLite answers at once. Each has a cache of its own, of half
// a megabyte: the system caches the file anyway.
const readers = 4

// classify puts a name to the errors of SQLite that a person can do something about.
func classify(err error) error {
	var problem *sqlite.Error
	if !errors.As(err, &problem) {
		return err
	}
	switch problem.Code() & 0xff { // the rest are details
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}

func openPostgres(ctx context.Context, url string, now func() time.Time) (*Store, error) {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return nil, fmt.Errorf("open PostgreSQL: %w", err)
	}
	s := &Store{Engine: Postgres, Process: rand.Text(), db: db, read: db, now: now}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open PostgreSQL: %w", err), s.Close())
	}
	return s, nil
}

// Close closes the store and gives the data directory free.
func (s *Store) Close() error {
	var errs []error
	if s.writer != nil {
		errs = append(errs, s.writer.stop())
	}
	if compiled, ok := s.read.(*statements); ok {
		errs = append(errs, compiled.close())
	}
	for _, db := range []*sql.DB{s.pool, s.db} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Close())
	}
	return errors.Join(errs...)
}

// A Tx is a transaction with the store's way of writing SQL.
type Tx struct {
	runner
	s *Store
}

// In runs do in a transaction. do must not ask for another one.
func (s *Store) In(ctx context.Context, do func(Tx) error) error {
	if s.writer != nil {
		return s.writer.in(ctx, func() error { return do(Tx{s.writer.run, s}) })
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	if err := do(Tx{tx, s}); err != nil {
		return err
	}
	if err := s.commit(tx.Commit); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

func (t Tx) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.ExecContext(t.context(ctx), t.s.sql(query), args...)
}

func (t Tx) row(ctx context.Context, query string, args ...any) *sql.Row {
	return t.QueryRowContext(t.context(ctx), t.s.sql(query), args...)
}

func (t Tx) rows(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.QueryContext(t.context(ctx), t.s.sql(query), args...)
}

// context keeps SQLite from being interrupted: it would forget the whole transaction,
// which others are part of.
func (t Tx) context(ctx context.Context) context.Context {
	if t.s.Engine == SQLite {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// lockSession makes transactions of one session wait for each other. SQLite has one
// writer and needs no lock.
func (t Tx) lockSession(ctx context.Context, session string) error {
	if t.s.Engine == SQLite {
		return nil
	}
	_, err := t.exec(ctx, `SELECT pg_advisory_xact_lock(hashtext(?))`, session)
	return err
}

// sql turns ? into the engine's placeholders. Queries hold no other question mark.
func (s *Store) sql(query string) string {
	if s.Engine == SQLite {
		return query
	}
	var b strings.Builder
	n := 0
	for _, c := range query {
		if c != '?' {
			b.WriteRune(c)
			continue
		}
		n++
		b.WriteString("$" + strconv.Itoa(n))
	}
	return b.String()
}

// stamp is the time as it stands in tables: microseconds since 1970.
func stamp(t time.Time) int64 { return t.UnixMicro() }

func unstamp(n int64) time.Time { return time.UnixMicro(n).UTC() }
