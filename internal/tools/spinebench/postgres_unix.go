//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/asidehq/aside/internal/store/pgtest"
)

// postgres measures messages on a PostgreSQL server of its own that keeps what it was
// given, as in production.
func (b *bench) postgres(ctx context.Context) (err error) {
	t := &test{}
	defer func() { err = errors.Join(err, t.end(recover())) }()
	server := pgtest.Start(t, pgtest.Durable)
	p, err := newProgram(b.binary, filepath.Join(b.dir, "postgres"), server.Database(t))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if _, err := p.start(ctx); err != nil {
		return err
	}
	b.small = 0 // no starts are measured here
	return b.perMessage(ctx, p)
}

// A test is what pgtest needs of one, outside of any.
type test struct {
	testing.TB
	cleanups []func()
	errs     []error
}

// fatal is what Fatal panics with: it does not return.
type fatal struct{ error }

func (t *test) Helper()                        {}
func (t *test) Cleanup(do func())              { t.cleanups = append(t.cleanups, do) }
func (t *test) Error(args ...any)              { t.errs = append(t.errs, errors.New(fmt.Sprint(args...))) }
func (t *test) Errorf(format string, a ...any) { t.Error(fmt.Sprintf(format, a...)) }
func (t *test) Fatal(args ...any)              { panic(fatal{errors.New(fmt.Sprint(args...))}) }
func (t *test) Fatalf(format string, a ...any) { t.Fatal(fmt.Sprintf(format, a...)) }

// end cleans up, last first, and returns what went wrong.
func (t *test) end(panicked any) error {
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
	if f, ok := panicked.(fatal); ok {
		t.errs = append(t.errs, f.error)
	} else if panicked != nil {
		panic(panicked)
	}
	return errors.Join(t.errs...)
}
