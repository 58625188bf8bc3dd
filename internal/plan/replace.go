package plan

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// errChanged says that a file is not what it was.
var errChanged = errors.New("the file was changed meanwhile")

// replace puts a text in place of a file, all of it or nothing, if that still is what it
// was; "" is no file.
func replace(root *os.Root, name, text, was string) (err error) {
	draft := "." + name + "." + rand.Text()
	out, err := root.OpenFile(draft, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, root.Remove(draft))
		}
	}()
	_, err = out.WriteString(text)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	// Somebody who saves between this look and the next line is not noticed: no file
	// system has a rename that compares.
	now, err := root.ReadFile(name)
	if info, err := root.Stat(name); err == nil {
		_ = root.Chmod(draft, info.Mode().Perm()) // who may read it is for the person to say
	}
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("write %s: %w", name, err)
	case string(now) != was:
		return errChanged
	}
	if err = root.Rename(draft, name); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	syncDir(root)
	return nil
}

// syncDir makes a rename last. Not every system can, and then the file is there all the same.
func syncDir(root *os.Root) {
	if dir, err := root.Open("."); err == nil {
		_ = dir.Sync() // see above
		_ = dir.Close()
	}
}
