//go:build unix

package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// patience is how long a step may take on a busy machine before it counts as stuck.
const patience = 2 * time.Minute

// An Option changes what kind of server is started.
type Option int

const (
	// Durable has the server promise what it promises in production: what was
	// committed survives a crash. Without it the last transactions before a [Server.Kill]
	// may be lost.
	Durable Option = iota + 1
)

// A Server is a PostgreSQL server that nobody else uses. Its methods may be called by
// several tests at the same time, but one that is shared must not be stopped by any.
type Server struct {
	binaries  string
	directory string
	account   *syscall.Credential // nil for whoever runs the test
	durable   bool
	watchdog  *watchdog

	databases atomic.Int64 // how many were made, for their names

	mu      sync.Mutex
	process *process // nil while the server does not run
	stopped bool
}

// Start starts a server for one test and stops it when the test ends. Where tests can
// share a server, use [Shared]: starting one takes about a second.
func Start(t testing.TB, options ...Option) *Server {
	t.Helper()
	s, err := start(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop(t) })
	return s
}

func start(options ...Option) (*Server, error) {
	binaries, err := findBinaries(debianVersions)
	if err != nil {
		return nil, err
	}
	account, err := serverAccount()
	if err != nil {
		return nil, err
	}
	directory, err := makeDirectory(account)
	if err != nil {
		return nil, err
	}
	watchdog, err := startWatchdog(directory)
	if err != nil {
		return nil, errors.Join(err, os.Remove(directory))
	}
	s := &Server{
		binaries:  binaries,
		directory: directory,
		account:   account,
		durable:   slices.Contains(options, Durable),
		watchdog:  watchdog,
	}
	if err = s.initialize(); err == nil {
		err = s.run()
	}
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// Stop ends the server and removes everything it had. To stop a server twice is fine.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}

func (s *Server) stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil
	}
	s.stopped = true
	// SIGQUIT spares writing what is about to be removed.
	err := s.halt(syscall.SIGQUIT)
	return errors.Join(err, s.watchdog.release())
}

// Shutdown ends the server in good order and keeps its data for [Server.Restart].
func (s *Server) Shutdown(t testing.TB) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.halt(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}

// Kill ends the server like a crash and keeps its data for [Server.Restart]. It kills
// postgres itself; the sessions notice that and end, without a goodbye to the client.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.halt(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// Restart starts the server again after [Server.Shutdown] or [Server.Kill]. The
// databases keep their URLs.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || s.process != nil {
		t.Fatal("restart PostgreSQL: only after Shutdown or Kill")
	}
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
}

func (s *Server) running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.process != nil
}

// halt ends the processes, if there are any.
func (s *Server) halt(signal syscall.Signal) error {
	if s.process == nil {
		return nil
	}
	err := s.process.end(signal)
	s.process = nil
	return err
}

// initialize makes the data directory.
func (s *Server) initialize() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	arguments := []string{
		"--pgdata=" + s.data(),
		"--username=" + superuser,
		"--auth=trust", // the directory lets in nobody else
		"--encoding=UTF8",
		"--no-locale", // texts sort by their bytes, on every machine
		"--wal-segsize=1",
	}
	if !s.durable {
		arguments = append(arguments, "--no-sync")
	}
	out, err := s.command(ctx, "initdb", arguments...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("make a PostgreSQL data directory with initdb: %w\n%s", err, out)
	}
	return nil
}

// run starts postgres and waits until it accepts connections.
func (s *Server) run() error {
	arguments := []string{"-D", s.data()}
	for _, setting := range s.settings() {
		arguments = append(arguments, "-c", setting)
	}
	p, err := startProcess(s.command(context.Background(), "postgres", arguments...))
	if err != nil {
		return err
	}
	if err := s.awaitReady(p); err != nil {
		return fmt.Errorf("wait for PostgreSQL to start: %w\n%s", errors.Join(err, p.end(syscall.SIGQUIT)), &p.log)
	}
	s.process = p
	return nil
}

func (s *Server) settings() []string {
	settings := []string{
		"listen_addresses=", // no TCP
		fmt.Sprintf("port=%d", port),
		"unix_socket_directories=" + s.directory,
		// With the other kinds a killed server leaves shared memory behind.
		"dynamic_shared_memory_type=mmap",
		"max_connections=200", // parallel tests, each with a pool
		"shared_buffers=32MB",
		"jit=off",
		"timezone=UTC",
		"log_timezone=UTC",
	}
	if s.durable {
		return settings
	}
	return append(
		settings,
		"fsync=off",
		"synchronous_commit=off",
		"full_page_writes=off",
		"wal_level=minimal",
		"max_wal_senders=0", // wal_level=minimal wants it
		"max_wal_size=1GB",
		"checkpoint_timeout=1h",
		"autovacuum=off",
	)
}

// awaitReady returns when a connection succeeds, the server has ended, or it takes too
// long.
func (s *Server) awaitReady(p *process) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for {
		err := s.administer(ctx, "SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case <-p.ended:
			return errors.New("it has ended")
		case <-ctx.Done():
			return fmt.Errorf("it takes no connections after %v: %w", patience, err)
		case <-again.C:
		}
	}
}

// command prepares one of the server's programs to run as the server's user and under
// the eyes of the watchdog.
func (s *Server) command(ctx context.Context, program string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.binaries, program), arguments...)
	cmd.Dir = s.directory // the test's may be closed to the server's user
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setpgid:    true,
		Pgid:       s.watchdog.group(),
		Credential: s.account,
	}
	// PGDATA, PGPORT and their like are about some other server.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "PG")
	})
	cmd.Env = append(cmd.Env, "LC_ALL=C")
	return cmd
}

func (s *Server) data() string { return filepath.Join(s.directory, "data") }
