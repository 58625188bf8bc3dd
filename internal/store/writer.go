package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// A writer is the one connection that writes to SQLite. Transactions that wait for it
// at the same time share a commit, and so a flush of the disk, which is what a
// transaction costs: each is durable when its caller hears of it, and each fails
// alone.
type writer struct {
	conn   *sql.Conn
	run    *statements
	queue  chan *write
	commit func(do func() error) error // runs a commit
	closed context.Context
	close  context.CancelFunc
	done   sync.WaitGroup
}

// A write is a transaction that waits.
type write struct {
	do     func() error
	result chan error
}

// mostTogether is how many transactions share a commit at most, so that the first of
// them does not wait for ever.
const mostTogether = 64

var errClosed = errors.New("the store is closed")

func newWriter(conn *sql.Conn, commit func(do func() error) error) *writer {
	w := &writer{conn: conn, run: newStatements(conn), queue: make(chan *write), commit: commit}
	w.closed, w.close = context.WithCancel(context.Background())
	w.done.Go(w.work)
	return w
}

// in runs do in a transaction. A context that ends while it waits for its turn keeps
// it from being run; from then on it is carried through.
func (w *writer) in(ctx context.Context, do func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	one := &write{do: do, result: make(chan error, 1)}
	select {
	case w.queue <- one:
		return <-one.result
	case <-ctx.Done():
		return ctx.Err()
	case <-w.closed.Done():
		return errClosed
	}
}

func (w *writer) stop() error {
	w.close()
	w.done.Wait()
	return errors.Join(w.run.close(), w.conn.Close())
}

func (w *writer) work() {
	for {
		select {
		case first := <-w.queue:
			w.together(first)
		case <-w.closed.Done():
			return
		}
	}
}

// together runs a transaction and those that come while it runs, and commits them.
func (w *writer) together(first *write) {
	if err := w.exec(`BEGIN IMMEDIATE`); err != nil {
		first.result <- fmt.Errorf("begin: %w", err)
		return
	}
	var written []*write
	for one := first; one != nil; one = w.next(len(written)) {
		err, lost := w.alone(one)
		if err == nil {
			written = append(written, one)
			continue
		}
		one.result <- err
		if lost != nil { // and with it what was written before
			w.end(written, lost)
			return
		}
	}
	w.end(written, nil)
}

// next is the next transaction that waits, or nil if there is none or it is time to
// commit.
func (w *writer) next(written int) *write {
	if written == mostTogether {
		return nil
	}
	select {
	case one := <-w.queue:
		return one
	default:
		return nil
	}
}

// alone runs a transaction so that it fails alone. lost says why that did not work:
// a full disk, for one, makes SQLite forget everything since BEGIN.
func (w *writer) alone(one *write) (err, lost error) {
	if err := w.exec(`SAVEPOINT one`); err != nil {
		return err, err
	}
	if err = one.do(); err != nil {
		lost = w.exec(`ROLLBACK TO one`)
	}
	return err, errors.Join(lost, w.exec(`RELEASE one`))
}

// end commits what was written, or takes it back, and tells everybody.
func (w *writer) end(written []*write, err error) {
	if err == nil {
		err = w.commit(func() error { return w.exec(`COMMIT`) })
	}
	if err != nil {
		err = fmt.Errorf("commit: %w", err)
		_ = w.exec(`ROLLBACK`) // there may be nothing to take back
	}
	for _, one := range written {
		one.result <- err
	}
}

func (w *writer) exec(query string) error {
	_, err := w.run.ExecContext(context.Background(), query)
	return err
}

// statements runs queries and keeps them compiled: SQLite would compile each one
// anew, which takes about as long as running it.
type statements struct {
	on interface {
		runner
		PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
	}
	mu       sync.Mutex
	compiled map[string]*sql.Stmt
}

// A runner runs queries: a connection, a pool of them, a transaction.
type runner interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func newStatements(on interface {
	runner
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
},
) *statements {
	return &statements{on: on, compiled: map[string]*sql.Stmt{}}
}

func (s *statements) compile(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if compiled := s.compiled[query]; compiled != nil {
		return compiled, nil
	}
	compiled, err := s.on.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	s.compiled[query] = compiled
	return compiled, nil
}

// close gives the statements up. A connection that has one left is not really closed,
// and SQLite leaves its log behind.
func (s *statements) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, compiled := range s.compiled {
		errs = append(errs, compiled.Close())
	}
	s.compiled = map[string]*sql.Stmt{}
	return errors.Join(errs...)
}

func (s *statements) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	compiled, err := s.compile(ctx, query)
	if err != nil {
		return nil, err
	}
	return compiled.ExecContext(ctx, args...)
}

func (s *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	compiled, err := s.compile(ctx, query)
	if err != nil {
		return nil, err
	}
	return compiled.QueryContext(ctx, args...)
}

func (s *statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	compiled, err := s.compile(ctx, query)
	if err != nil {
		return s.on.QueryRowContext(ctx, query, args...) // it fails again, as a row
	}
	return compiled.QueryRowContext(ctx, args...)
}
