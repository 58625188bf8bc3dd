package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A release is packages for targets, and their sums.
type release struct {
	Version  string
	Root     string // of the sources
	Out      string
	Targets  []string
	Time     time.Time // of every file in the packages
	Progress io.Writer
}

func (r release) make() error {
	if !validVersion(r.Version) {
		return fmt.Errorf("%q is not a version; make dist VERSION=v1.2.3 sets one", r.Version)
	}
	for _, target := range r.Targets {
		if !validTarget(target) {
			return fmt.Errorf("there is no target %q; there is %s", target, strings.Join(released, ", "))
		}
	}
	files, err := documents(r.Root)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "aside-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.MkdirAll(r.Out, 0o755); err != nil {
		return err
	}
	var sums []string
	for _, target := range r.Targets {
		name, err := r.pack(target, work, files)
		if err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
		body, err := os.ReadFile(filepath.Join(r.Out, name))
		if err != nil {
			return err
		}
		sums = append(sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(body), name))
		fmt.Fprintf(r.Progress, "%s (%d MB)\n", name, len(body)>>20)
	}
	slices.SortFunc(sums, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return os.WriteFile(filepath.Join(r.Out, "SHA256SUMS"), []byte(strings.Join(sums, "")), 0o644)
}

// pack builds the program for a target, packs it, and returns the package's name.
func (r release) pack(target, work string, documents map[string]string) (string, error) {
	system, processor, _ := strings.Cut(target, "/")
	program, write, ending := "aside", writeTar, ".tar.gz"
	if system == "windows" {
		program, write, ending = "aside.exe", writeZip, ".zip"
	}
	built := filepath.Join(work, system, processor, program)
	if err := r.build(system, processor, built); err != nil {
		return "", err
	}
	name := fmt.Sprintf("aside_%s_%s_%s", r.Version, system, processor)
	files := []file{{name + "/" + program, built, 0o755}}
	for inside, path := range documents {
		files = append(files, file{name + "/" + inside, path, 0o644})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	out, err := os.Create(filepath.Join(r.Out, name+ending))
	if err != nil {
		return "", err
	}
	return name + ending, errors.Join(write(out, files, r.Time), out.Close())
}

// build builds a program that needs nothing else. Nothing of the machine it was built
// on gets in: no paths, no version control, no settings.
func (r release) build(system, processor, to string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid= -X main.version="+r.Version, "-o", to, "./cmd/aside")
	cmd.Dir = r.Root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0")
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, said)
	}
	return nil
}
