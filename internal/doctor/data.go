package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/asidehq/aside/internal/store"
)

const (
	littleSpace = 1 << 30
	noSpace     = 64 << 20
)

// checkData looks at the data directory.
func (d *Doctor) checkData() {
	const check = "data"
	dir := d.Config.Data
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.checkParent(dir)
		return
	case err != nil:
		d.bad(check, fmt.Sprintf("%s cannot be looked at: %v", dir, reason(err)), "let this user read and write it, or choose another directory with data in aside.yaml")
		return
	case !info.IsDir():
		d.bad(check, dir+" is not a directory", "move the file away, or choose another directory with data in aside.yaml")
		return
	}
	if err := writable(dir); err != nil {
		d.bad(check, fmt.Sprintf("%s cannot be written to: %v", dir, reason(err)), "let this user write there, or choose another directory with data in aside.yaml")
		return
	}
	d.checkSpace(dir, dir+" is there and can be written to")
	d.checkHolder(dir)
}

// checkParent looks where a data directory would be made.
func (d *Doctor) checkParent(dir string) {
	parent, err := filepath.Abs(dir)
	for err == nil {
		parent = filepath.Dir(parent)
		if _, missing := os.Stat(parent); missing == nil || parent == filepath.Dir(parent) {
			break
		}
	}
	if err == nil {
		err = writable(parent)
	}
	if err != nil {
		d.bad("data", fmt.Sprintf("%s is not there and cannot be made: %v", dir, reason(err)), "make it, or choose another directory with data in aside.yaml")
		return
	}
	d.checkSpace(parent, dir+" is not there yet; aside run makes it")
}

// writable tries it out: rights alone do not tell.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

func (d *Doctor) checkSpace(dir, text string) {
	const do = "free some space, or choose another directory with data in aside.yaml"
	free, known := freeSpace(dir)
	if !known {
		d.good("data", text)
		return
	}
	text += "; " + bytes(free) + " free"
	switch {
	case free < noSpace:
		d.bad("data", text, do)
	case free < littleSpace:
		d.warn("data", text, do)
	default:
		d.good("data", text)
	}
}

// bytes writes a size as people read it.
func bytes(n uint64) string {
	for _, unit := range []string{"B", "KiB", "MiB", "GiB"} {
		if n < 10<<10 {
			return fmt.Sprintf("%d %s", n, unit)
		}
		n >>= 10
	}
	return fmt.Sprintf("%d TiB", n)
}

func (d *Doctor) checkHolder(dir string) {
	const check = "lock"
	address, held, err := store.Holder(dir)
	d.holder = holder{held, address}
	switch {
	case err != nil:
		d.bad(check, fmt.Sprintf("the lock of %s cannot be looked at: %v", dir, reason(err)), "let this user read and write the files in it")
	case held && address == "":
		d.good(check, "an Aside is running on it, and has not said yet where it listens")
	case held:
		d.good(check, "an Aside is running on it, at "+address+"; what follows was read beside it")
	default:
		d.good(check, "no Aside is running on it")
	}
}

// checkStore looks at the database.
func (d *Doctor) checkStore(ctx context.Context) {
	const check = "store"
	found, err := store.Inspect(ctx, d.Config.Database.Reveal(), d.Config.Data)
	postgres := store.IsPostgres(d.Config.Database.Reveal())
	d.clock, d.asked = found.Clock, d.Now()
	name := "the SQLite file"
	if postgres {
		name = "PostgreSQL"
	}
	switch {
	case errors.Is(err, store.ErrNoData), err == nil && found.Schema == 0:
		d.good(check, "nothing is stored yet; aside run makes the database")
	case errors.Is(err, store.ErrDamaged):
		d.bad(check, err.Error(), "stop Aside and restore a backup: aside restore --force FILE")
	case err != nil && postgres:
		d.bad(check, fmt.Sprintf("%s does not answer: %v", d.Config.Database, err), "check database in aside.yaml, and whether PostgreSQL runs and lets this machine in")
	case err != nil:
		d.bad(check, err.Error(), "let this user read and write the files in "+d.Config.Data)
	case found.Schema > schema():
		d.bad(check, fmt.Sprintf("%s is of a newer version (schema %d; this program knows %d)", name, found.Schema, schema()), "use a newer aside")
	case found.Schema < schema():
		d.warn(check, fmt.Sprintf("%s is of an older version (schema %d of %d)", name, found.Schema, schema()), "aside run brings it up to date; make a backup first: aside backup FILE")
	case postgres:
		d.good(check, fmt.Sprintf("%s answers; its schema is %d", name, found.Schema))
	default:
		d.good(check, fmt.Sprintf("%s is in order: %s, schema %d", name, bytes(uint64(found.Size)), found.Schema))
	}
}

// checkPersona looks whether the persona can be read.
func (d *Doctor) checkPersona() {
	const check = "persona"
	file := d.Config.Persona.File
	info, err := os.Stat(file)
	switch {
	case file == "" || errors.Is(err, fs.ErrNotExist):
		d.good(check, fmt.Sprintf("%s; there is no %s, so the prompt says no more than the name", d.Config.Persona.Name, file))
	case err != nil || info.IsDir():
		d.warn(check, file+" cannot be read", "put a text there that says who the agent is, or change persona.file in aside.yaml")
	default:
		d.good(check, fmt.Sprintf("%s, described in %s", d.Config.Persona.Name, file))
	}
}

// reason leaves out of a file's error what it was called.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
