//go:build unix

package pgtest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) {
	if ending := os.Getenv(endingVariable); ending != "" {
		endUncleanly(ending)
	}
	shared.Main(m)
}

var shared Shared

func TestTwoDatabasesAreIndependent(t *testing.T) {
	server := shared.Server(t)
	first, second := server.Database(t), server.Database(t)
	query[int](t, first, "CREATE TABLE here (n int); INSERT INTO here VALUES (1)", "SELECT n FROM here")
	if found := query[bool](t, second, "SELECT to_regclass('here') IS NOT NULL"); found {
		t.Error("the table of one database is in the other")
	}
}

func TestADatabaseIsDroppedWhenItsTestEnds(t *testing.T) {
	server := shared.Server(t)
	var left *pgx.Conn
	t.Run("with a connection still open", func(t *testing.T) {
		left = connect(t, server.Database(t))
	})
	defer left.Close(context.Background())
	const count = "SELECT count(*) FROM pg_database WHERE datname = $1"
	var n int
	name := left.Config().Database
	admin := connect(t, server.url("postgres"))
	defer admin.Close(context.Background())
	if err := admin.QueryRow(t.Context(), count, name).Scan(&n); err != nil || n != 0 {
		t.Errorf("%d databases %s, error %v, want none", n, name, err)
	}
}

func TestDatabasesCanBeMadeAtTheSameTime(t *testing.T) {
	server := shared.Server(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() { query[int](t, server.Database(t), "SELECT 1") })
	}
	wait.Wait()
}

func TestASecondServerWorksAndIsGoneAfterStop(t *testing.T) {
	first, second := shared.Server(t), Start(t)
	query[int](t, first.Database(t), "SELECT 1")
	query[int](t, second.Database(t), "SELECT 1")
	pid := second.process.cmd.Process.Pid

	second.Stop(t)
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("signal postgres after Stop: %v, want no such process", err)
	}
	if err := syscall.Kill(-second.watchdog.group(), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("signal the process group after Stop: %v, want no such process", err)
	}
	if _, err := os.Stat(second.directory); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory after Stop: %v, want none", err)
	}
	query[int](t, first.Database(t), "SELECT 1")
}

func TestTheServerListensOnItsSocketOnly(t *testing.T) {
	server := shared.Server(t)
	url := server.Database(t)
	if addresses := query[string](t, url, "SHOW listen_addresses"); addresses != "" {
		t.Errorf("listens on %q", addresses)
	}
	connection, err := net.Dial("unix", filepath.Join(server.directory, socketName))
	if err != nil {
		t.Fatal(err)
	}
	connection.Close()
}

func TestOnlyADurableServerSyncs(t *testing.T) {
	durable := Start(t, Durable)
	for _, setting := range []string{"fsync", "synchronous_commit", "full_page_writes", "autovacuum"} {
		if got := query[string](t, durable.Database(t), "SHOW "+setting); got != "on" {
			t.Errorf("%s is %s in a durable server", setting, got)
		}
		if got := query[string](t, shared.Server(t).Database(t), "SHOW "+setting); got != "off" {
			t.Errorf("%s is %s in a fast server", setting, got)
		}
	}
}

func TestCommittedDataIsThereAfterRestart(t *testing.T) {
	tests := []struct {
		name string
		end  func(*Server, testing.TB)
	}{
		{"of a server that was shut down", (*Server).Shutdown},
		{"of a server that was killed", (*Server).Kill},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := Start(t, Durable)
			url := server.Database(t)
			open := connect(t, url)
			defer open.Close(context.Background())
			for _, statement := range []string{
				"CREATE TABLE kept (n int)",
				"INSERT INTO kept VALUES (1)",
				"BEGIN",
				"INSERT INTO kept VALUES (2)",
			} {
				if _, err := open.Exec(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}

			test.end(server, t)
			if _, err := open.Exec(t.Context(), "COMMIT"); err == nil {
				t.Error("the connection outlived the server")
			}
			if c, err := pgx.Connect(t.Context(), url); err == nil {
				c.Close(context.Background())
				t.Error("the server takes connections")
			}
			server.Restart(t)
			if n := query[int](t, url, "SELECT sum(n)::int FROM kept"); n != 1 {
				t.Errorf("the rows add up to %d, want the committed 1", n)
			}
		})
	}
}

func TestAKilledServerLeavesNoSharedMemory(t *testing.T) {
	server := Start(t)
	pidFile, err := os.ReadFile(filepath.Join(server.data(), "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	// "key id", with the id that ipcs lists.
	segment := strings.Fields(strings.Split(string(pidFile), "\n")[6])[1]
	if !segmentExists(t, segment) {
		t.Fatalf("no shared memory segment %s while the server runs", segment)
	}
	server.Kill(t)
	server.Stop(t)
	if segmentExists(t, segment) {
		t.Errorf("shared memory segment %s is left", segment)
	}
}

func segmentExists(t *testing.T, segment string) bool {
	t.Helper()
	out, err := exec.Command("ipcs", "-m").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[1] == segment {
			return true
		}
	}
	return false
}

// An ordinary user who runs the other tests has shown this already.
func TestRootIsNotNeeded(t *testing.T) {
	if os.Geteuid() != 0 {
		return
	}
	nobody, err := serverAccount()
	if err != nil {
		t.Fatal(err)
	}
	directory := openDirectory(t)
	program := filepath.Join(directory, "pgtest.test")
	copyProgram(t, program)

	cmd := exec.Command(program, "-test.v", "-test.run=^(TestTwoDatabasesAreIndependent|TestASecondServer.*)$")
	cmd.Dir = directory
	cmd.Env = append(os.Environ(), "HOME="+directory)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: nobody}
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS") != 2 {
		t.Errorf("run two tests as the user nobody: %v\n%s", err, out)
	}
}

func copyProgram(t *testing.T, to string) {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	program, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(program, from); err != nil {
		t.Fatal(err)
	}
	if err := program.Close(); err != nil {
		t.Fatal(err)
	}
}

// openDirectory makes a directory that every user may look into; t.TempDir is inside
// one that is closed to others.
func openDirectory(t *testing.T) string {
	t.Helper()
	directory, err := os.MkdirTemp("/tmp", "pgtest-open")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(directory); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(directory, 0o755); err != nil {
		t.Fatal(err)
	}
	return directory
}

func connect(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	connection, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return connection
}

// query runs statements and returns the one value that the last of them gives.
func query[T any](t testing.TB, url string, statements ...string) T {
	t.Helper()
	connection := connect(t, url)
	defer connection.Close(context.Background())
	var value T
	last := len(statements) - 1
	for _, statement := range statements[:last] {
		if _, err := connection.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := connection.QueryRow(t.Context(), statements[last]).Scan(&value); err != nil {
		t.Fatalf("%s: %v", statements[last], err)
	}
	return value
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		s, err := start()
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		s.Stop(b)
		b.StartTimer()
	}
}

func BenchmarkDatabase(b *testing.B) {
	server := shared.Server(b)
	for b.Loop() {
		server.Database(b)
	}
}
