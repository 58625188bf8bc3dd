//go:build unix

package store

import (
	"fmt"
	"os"
	"syscall"
)

// lockFile locks a file for this process until it is closed, or the process ends
// in whatever way.
func lockFile(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock of the data directory: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, ErrInUse
	}
	return f, nil
}
