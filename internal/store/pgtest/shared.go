//go:build unix

package pgtest

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// A Shared is a server for all tests of a package. The zero value is ready for use;
// the server is started when the first test asks for it.
type Shared struct {
	once   sync.Once
	server *Server
	err    error
}

// Server returns the server. If it could not be started, every test that asks for it
// fails and says why.
func (s *Shared) Server(t testing.TB) *Server {
	t.Helper()
	s.once.Do(func() { s.server, s.err = start() })
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.server
}

// Main runs the tests, stops the server if they have started it, and exits. It is what
// a TestMain consists of.
func (s *Shared) Main(m *testing.M) { os.Exit(s.Around(m).Run()) }

// Around is Main for a TestMain that has more to do: a Run that runs the tests, stops the
// server, and returns the code to exit with.
func (s *Shared) Around(m interface{ Run() int }) *Tests { return &Tests{s, m} }

// Tests are the tests of a package together with their server.
type Tests struct {
	shared *Shared
	tests  interface{ Run() int }
}

// Run runs them and stops the server.
func (t *Tests) Run() int {
	code := t.tests.Run()
	if t.shared.server != nil {
		if err := t.shared.server.stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	return code
}
