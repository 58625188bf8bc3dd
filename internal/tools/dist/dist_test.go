package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// unpack returns the files of a package by their names.
func unpack(t *testing.T, path string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".zip") {
		archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if files[f.Name], err = io.ReadAll(r); err != nil || !f.Modified.Equal(noon) {
				t.Fatalf("%s is from %s, %v", f.Name, f.Modified, err)
			}
		}
		return files
	}
	compressed, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(compressed)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if !header.ModTime.Equal(noon) || header.Uid != 0 || header.Uname != "" {
			t.Errorf("%s tells when and by whom it was packed", header.Name)
		}
		if files[header.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
}

// TestARelease makes one for this machine, twice, as make dist does it: with the race
// detector in it, compressing would take minutes.
func TestARelease(t *testing.T) {
	target := runtime.GOOS + "/" + runtime.GOARCH
	if !slices.Contains(released, target) {
		t.Skipf("there is no release for %s", target)
	}
	make := func() (string, string) {
		out := t.TempDir()
		cmd := exec.Command("go", "run", "./internal/tools/dist", "-version", "v1.2.3", "-out", out, "-targets", target)
		cmd.Dir = "../../.."
		cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", noon.Unix()))
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		sums, err := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		return out, string(sums)
	}
	out, sums := make()
	if _, again := make(); again != sums {
		t.Errorf("the second time it is %s, not %s", again, sums)
	}
	_, name, _ := strings.Cut(strings.TrimSpace(sums), "  ")
	files := unpack(t, filepath.Join(out, name))
	directory := fmt.Sprintf("aside_v1.2.3_%s_%s/", runtime.GOOS, runtime.GOARCH)
	for _, want := range []string{"README.md", "LICENSE", "docs/api.md", "packaging/aside.service"} {
		if len(files[directory+want]) == 0 {
			t.Errorf("there is no %s", want)
		}
	}
	program := filepath.Join(t.TempDir(), "aside")
	if err := os.WriteFile(program, files[directory+"aside"], 0o755); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(program, "--version").CombinedOutput(); string(said) != "aside version v1.2.3\n" {
		t.Errorf("it says %q, %v", said, err)
	}
	if bytes.Contains(files[directory+"aside"], []byte(sourcesHere(t))) {
		t.Error("the program knows where it was built")
	}
}

func sourcesHere(t *testing.T) string {
	t.Helper()
	here, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return here + "/cmd"
}

func TestAZipIsTheSameEachTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	var bodies [2]bytes.Buffer
	for i := range bodies {
		if err := writeZip(&bodies[i], []file{{"aside/aside.exe", path, 0o755}, {"aside/README.md", path, 0o644}}, noon); err != nil {
			t.Fatal(err)
		}
		// What the machine knows about the file must not matter.
		if err := os.Chtimes(path, noon, noon.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(bodies[0].Bytes(), bodies[1].Bytes()) {
		t.Error("it differs")
	}
	archive := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(archive, bodies[0].Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if files := unpack(t, archive); len(files) != 2 || string(files["aside/aside.exe"]) != "text" {
		t.Errorf("it has %v", files)
	}
}

func TestWhatCannotBeReleased(t *testing.T) {
	for name, r := range map[string]release{
		"no version":              {Root: "../../..", Targets: released},
		"a version that is a way": {Version: "../v1", Root: "../../..", Targets: released},
		"an unknown target":       {Version: "v1", Root: "../../..", Targets: []string{"plan9/386"}},
		"no sources":              {Version: "v1", Root: t.TempDir(), Targets: released},
	} {
		t.Run(name, func(t *testing.T) {
			r.Out, r.Progress = t.TempDir(), io.Discard
			if err := r.make(); err == nil {
				t.Error("it is released")
			}
		})
	}
}
