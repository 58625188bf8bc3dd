//go:build unix

package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5"
)

const superuser = "postgres"

// Database makes an empty database and returns its URL, which pgx, database/sql and
// psql all take. The database is dropped when the test ends, after the cleanups the
// test registers later; connections that are still open then are cut.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	if !s.running() {
		t.Fatal("make a database: the PostgreSQL server does not run")
	}
	name := fmt.Sprintf("test_%d", s.databases.Add(1))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.administer(ctx, "CREATE DATABASE "+name+" TEMPLATE template0"); err != nil {
		t.Fatalf("make database %s: %v", name, err)
	}
	t.Cleanup(func() {
		// A server that the test has stopped takes its databases with it.
		if !s.running() {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := s.administer(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("drop database %s: %v", name, err)
		}
	})
	return s.url(name)
}

// url says everything that PG… variables in the environment could say differently.
func (s *Server) url(database string) string {
	parameters := url.Values{
		"host":    {s.directory},
		"port":    {fmt.Sprint(port)},
		"sslmode": {"disable"},
	}
	u := url.URL{
		Scheme:   "postgres",
		User:     url.User(superuser),
		Path:     "/" + database,
		RawQuery: parameters.Encode(),
	}
	return u.String()
}

// administer runs one statement in a connection of its own: there is none to keep
// that a Kill could break.
func (s *Server) administer(ctx context.Context, statement string) error {
	connection, err := pgx.Connect(ctx, s.url("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = connection.Close(ctx) }()
	_, err = connection.Exec(ctx, statement)
	return err
}
