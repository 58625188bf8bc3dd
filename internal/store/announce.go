package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The data directory says at which address the process that holds it can be asked:
// whoever finds it locked must not ask whichever Aside happens to be at the
// configured address. The file may be that of a process which is gone, so it counts
// only while the directory is in use.
const addressFile = "address"

// Announce notes the address at which the process that holds the data directory is
// reached. On PostgreSQL there is nobody to tell: its data can be asked directly.
func (s *Store) Announce(data, address string) error {
	if s.Engine != SQLite {
		return nil
	}
	name := filepath.Join(data, addressFile)
	if err := writeWhole(name, []byte(address+"\n")); err != nil {
		err = errors.Join(err, os.RemoveAll(name)) // no address is better than that of another
		return fmt.Errorf("note the address in the data directory: %w", err)
	}
	return nil
}

// writeWhole writes a file that is never seen half-written.
func writeWhole(name string, content []byte) error {
	part := name + ".new"
	if err := os.WriteFile(part, content, 0o600); err != nil {
		return err
	}
	return os.Rename(part, name)
}

// Holder tells whether a process holds a data directory, and the address at which it
// says it is reached, "" if it has not said so yet.
func Holder(data string) (address string, held bool, err error) {
	name := filepath.Join(data, "lock")
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	lock, err := lockFile(name)
	if err == nil {
		return "", false, lock.Close()
	}
	if !errors.Is(err, ErrInUse) {
		return "", false, err
	}
	text, err := os.ReadFile(filepath.Join(data, addressFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", true, fmt.Errorf("read the address in the data directory: %w", err)
	}
	return strings.TrimSpace(string(text)), true, nil
}
