package messaging

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/asidehq/aside/platform"
)

// Folders are the directories that files may be sent from. A path comes from a model,
// so it is hostile: whatever it says, what is read is a regular file in one of them.
type Folders struct {
	Allowed  []string // with the directories inside them
	Outbound string   // where files may be removed after they were sent
	MaxSize  int64    // bytes of a file
}

var (
	// It says nothing about files elsewhere, not even whether they exist.
	errNotThere    = errors.New("there is no such file in the directories that files may be sent from")
	errNotRegular  = errors.New("it is not a regular file")
	errChanged     = errors.New("it was changed meanwhile; try again")
	errUnreadable  = errors.New("it cannot be read")
	errEmpty       = errors.New("it is empty")
	errSecret      = errors.New("it may hold secrets, which are not sent")
	errNotOutbound = errors.New("only files in the outbound directory are")
)

// read reads a file of at most so many bytes.
func (f Folders) read(given string, most int64) (platform.File, error) {
	dir, name, err := f.find(given)
	if err != nil {
		return platform.File{}, err
	}
	if secretName(filepath.Base(given)) || secretName(name) {
		return platform.File{}, errSecret
	}
	data, err := readIn(dir, name, most)
	switch {
	case err != nil:
		return platform.File{}, err
	case len(data) == 0:
		return platform.File{}, errEmpty
	case secretContent(data):
		return platform.File{}, errSecret
	}
	return platform.NewFile(filepath.Base(given), "", data), nil
}

// find returns the directory that a file is in and its path inside it, both with all
// links resolved.
func (f Folders) find(given string) (dir, name string, err error) {
	var dirs []string
	for _, allowed := range f.Allowed {
		if dir, err := resolve(allowed); err == nil {
			dirs = append(dirs, dir)
		}
	}
	for _, candidate := range candidates(given, dirs) {
		path, err := resolve(candidate)
		if err != nil {
			continue
		}
		for _, dir := range dirs {
			if name, ok := inside(dir, path); ok {
				return dir, name, nil
			}
		}
	}
	return "", "", errNotThere
}

// candidates are the paths that may be meant. A relative one is in a directory, or
// begins where Aside was started, as those of the configuration do.
func candidates(given string, dirs []string) []string {
	given = strings.TrimPrefix(given, "file://")
	if filepath.IsAbs(given) {
		return []string{given}
	}
	var all []string
	for _, dir := range dirs {
		all = append(all, filepath.Join(dir, given))
	}
	return append(all, given)
}

// resolve is an absolute path without links.
func resolve(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(absolute)
}

// inside is the path of a file in a directory, if it is in there.
func inside(dir, path string) (string, bool) {
	name, err := filepath.Rel(dir, path)
	return name, err == nil && filepath.IsLocal(name)
}

// readIn reads a file in a directory. The links were resolved before, and somebody may
// have put another one in the way since: the directory is not left whatever happens,
// and what was opened must be what the name stood for.
func readIn(dir, name string, most int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, errNotThere
	}
	defer root.Close()
	named, err := root.Lstat(name)
	if err != nil {
		return nil, errNotThere
	}
	if !named.Mode().IsRegular() {
		return nil, errNotRegular
	}
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // or a pipe would keep us waiting
	if err != nil {
		return nil, errUnreadable
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil || !opened.Mode().IsRegular() || !os.SameFile(named, opened) {
		return nil, errChanged
	}
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, errUnreadable
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("it is larger than %s", platform.SizeText(most))
	}
	return data, nil
}

// remove removes a file that was sent, if it still is what was sent and in the outbound
// directory. One that is gone needs no removing.
func (f Folders) remove(given, sent string) error {
	dir, name, err := f.find(given)
	if err != nil {
		return nil
	}
	outbound, err := resolve(f.Outbound)
	if err != nil {
		return errNotOutbound
	}
	name, ok := inside(outbound, filepath.Join(dir, name))
	if !ok {
		return errNotOutbound
	}
	data, err := readIn(outbound, name, f.MaxSize)
	if err != nil {
		return err
	}
	if sum(data) != sent {
		return errors.New("it is not the file that was sent any more")
	}
	root, err := os.OpenRoot(outbound)
	if err != nil {
		return errNotOutbound
	}
	defer root.Close()
	if err := root.Remove(name); err != nil {
		return errors.New("that is not allowed")
	}
	return nil
}

// sum is the SHA-256 of data.
func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
