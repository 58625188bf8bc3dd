//go:build unix

package pgtest

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

const (
	// port is part of the socket's name and of nothing else.
	port       = 5432
	socketName = ".s.PGSQL.5432"

	// maxSocketPath is what fits into a socket address: 107 bytes on Linux, 103 on
	// the BSDs and macOS.
	maxSocketPath = 103
)

// serverAccount returns whom the server runs as: nil for whoever runs the test, and
// the user nobody if that is root, for whom PostgreSQL refuses to work.
func serverAccount() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root, and there is no other user for it: %w", err)
	}
	uid, err := strconv.ParseUint(nobody.Uid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("read the number of the user nobody: %w", err)
	}
	gid, err := strconv.ParseUint(nobody.Gid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("read the group of the user nobody: %w", err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

// makeDirectory makes the directory that all of a server's files are in, and gives it
// to the account. Its name is new each time, so that what a killed run left behind
// does not matter.
func makeDirectory(account *syscall.Credential) (string, error) {
	parent := os.TempDir()
	if !fitsSocket(parent) || (account != nil && !othersMayPass(parent)) {
		parent = "/tmp"
	}
	directory, err := os.MkdirTemp(parent, "pgtest")
	if err != nil {
		return "", fmt.Errorf("make a directory for PostgreSQL: %w", err)
	}
	if account != nil {
		if err := os.Chown(directory, int(account.Uid), int(account.Gid)); err != nil {
			_ = os.Remove(directory)
			return "", fmt.Errorf("give the directory of PostgreSQL to the user nobody: %w", err)
		}
	}
	return directory, nil
}

func fitsSocket(parent string) bool {
	// MkdirTemp adds a number of up to ten digits.
	return len(filepath.Join(parent, "pgtest0123456789", socketName)) <= maxSocketPath
}

// othersMayPass reports whether a user who owns none of it can get to directory.
func othersMayPass(directory string) bool {
	directory, err := filepath.EvalSymlinks(directory)
	if err != nil || !filepath.IsAbs(directory) {
		return false
	}
	for {
		info, err := os.Stat(directory)
		if err != nil || info.Mode().Perm()&0o001 == 0 {
			return false
		}
		if directory == "/" {
			return true
		}
		directory = filepath.Dir(directory)
	}
}
