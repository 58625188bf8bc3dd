// Dist builds the program for every system it is released for, and packs it with its
// documentation: make dist. The same sources give the same bytes, so that anyone can
// check a release by building it.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	version := flag.String("version", "", "what the program calls itself")
	out := flag.String("out", "dist", "the directory to write to")
	targets := flag.String("targets", strings.Join(released, ","), "systems and processors")
	flag.Parse()
	r := release{Version: *version, Root: ".", Out: *out, Targets: strings.Split(*targets, ","), Time: commitTime(), Progress: os.Stdout}
	if err := r.make(); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// released are the targets of a release.
var released = []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}

// commitTime is when the sources were last changed, as far as anyone knows: all
// machines have to agree on it.
func commitTime() time.Time {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		out, _ := exec.Command("git", "log", "-1", "--format=%ct").Output() // "" without git
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC) // the first that zip knows
	}
	return time.Unix(seconds, 0).UTC()
}

// documents are the files that go with the program, by their names in the package.
func documents(root string) (map[string]string, error) {
	files := map[string]string{}
	for _, pattern := range []string{"README.md", "LICENSE", "CHANGELOG.md", "docs/*.md", "docs/*.svg", "docs/man/*", "packaging/*"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			name, err := filepath.Rel(root, path)
			if err != nil {
				return nil, err
			}
			if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
				continue
			}
			files[filepath.ToSlash(name)] = path
		}
	}
	if files["README.md"] == "" {
		return nil, fmt.Errorf("%s is not the root of the sources: there is no README.md", root)
	}
	return files, nil
}

// validVersion reports whether a version can be part of a file's name.
func validVersion(version string) bool {
	return version != "" && !strings.ContainsFunc(version, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-+_", r)
	})
}

func validTarget(target string) bool { return slices.Contains(released, target) }
