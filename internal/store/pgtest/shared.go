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
func (s *Shared) Main(m *testing.M) {
	code := m.Run()
	if s.server != nil {
		if err := s.server.stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}
