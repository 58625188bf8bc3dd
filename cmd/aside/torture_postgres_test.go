package main

import (
	"os"
	"syscall"
	"testing"
)

// The same on PostgreSQL, with two processes on one database of which either is
// killed: the other one takes over what it was doing.
func TestTortureTwoProcessesOnPostgres(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]os.Signal{"kill -9": syscall.SIGKILL, "SIGTERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			torture(t, sig, tortureKills(3), postgres.Server(t).Database(t), 2)
		})
	}
}
