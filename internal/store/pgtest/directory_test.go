//go:build unix

package pgtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestADirectoryThatWouldNotDoIsNotUsed(t *testing.T) {
	open := openDirectory(t)
	long := filepath.Join(open, strings.Repeat("long", 25))
	closed := filepath.Join(open, "closed")
	inside := filepath.Join(closed, "inside")
	for path, mode := range map[string]os.FileMode{long: 0o755, closed: 0o700, inside: 0o755} {
		if err := os.MkdirAll(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	account, err := serverAccount()
	if err != nil {
		t.Fatal(err)
	}
	closedParent := inside // fine for its owner
	if account != nil {
		closedParent = "/tmp"
	}
	tests := []struct {
		name, temporary, want string
	}{
		{"one that is fine is used", open, open},
		{"its name is too long for a socket in it", long, "/tmp"},
		{"the server's user cannot get there", inside, closedParent},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("TMPDIR", test.temporary)
			directory, err := makeDirectory(account)
			if err != nil {
				t.Fatal(err)
			}
			defer os.Remove(directory)
			if got := filepath.Dir(directory); got != test.want {
				t.Errorf("made in %s, want %s", got, test.want)
			}
		})
	}
}
