package forge

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

const (
	mostFiles   = 400    // of a project that a drafter is told of
	mostEntries = 20_000 // that are looked at
)

// skipped are directories that nobody plans changes in.
var skipped = []string{"node_modules", "vendor", "dist", "build", "target", "__pycache__"}

// ProjectFiles are the names of a project's files, the ones near its root first, and as
// many as a drafter can use. Links are not followed, and what is hidden is left out.
func ProjectFiles(dir string) []string {
	if dir == "" {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil // a plan can be drafted without
	}
	defer root.Close()
	var all []string
	seen := 0
	_ = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error { // what cannot be read is left out
		if seen++; seen > mostEntries {
			return fs.SkipAll
		}
		hidden := name != "." && strings.HasPrefix(path.Base(name), ".")
		switch {
		case err != nil && d == nil:
			return fs.SkipAll
		case err != nil:
			return fs.SkipDir
		case d.IsDir() && (hidden || slices.Contains(skipped, d.Name())):
			return fs.SkipDir
		case d.Type().IsRegular() && !hidden:
			all = append(all, strings.ToValidUTF8(strings.Map(printable, name), ""))
		}
		return nil
	})
	slices.SortStableFunc(all, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	if len(all) > mostFiles {
		all = append(all[:mostFiles], "…")
	}
	return all
}

// printable leaves out what could be taken for another line.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}
