// Package wiretest is what the servers that stand in for platforms and providers in tests
// are made of: waiting for what happens at one, requests that get no answer, the
// descriptions of APIs that requests are checked against, and emulators by others.
//
// It imports the standard library only, and knows no platform. Before changing it, know
// that News must not miss anything: whoever waits looks after it has begun to listen.
package wiretest

// T is what a server needs of *testing.T.
type T interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}
