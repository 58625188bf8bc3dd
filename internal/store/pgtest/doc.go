// Package pgtest gives tests a PostgreSQL server of their own.
//
// A package whose tests need one shares a server among them, which is started when
// the first test asks for it:
//
//	var postgres pgtest.Shared
//
//	func TestMain(m *testing.M) { postgres.Main(m) }
//
//	func TestSomething(t *testing.T) {
//		url := postgres.Server(t).Database(t) // empty, and dropped when the test ends
//		…
//	}
//
// A test that stops, kills or restarts its server takes one for itself with [Start].
//
// The server listens on a Unix socket in a temporary directory and nowhere else, so
// servers never get in each other's way. It needs the programs initdb and postgres,
// version 13 or newer, which scripts/setup installs; without them a test fails, it is
// not skipped.
//
// The package imports the standard library and pgx, and nothing of this module.
//
// Before changing it, know that no code of the test process can be relied on to stop
// the server: a panic in a goroutine, a test timeout, os.Exit and signals all end the
// process without a word. A process beside it does that; see watchdog.go.
package pgtest
