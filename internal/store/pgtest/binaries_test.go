//go:build unix

package pgtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFindBinaries(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  string
	}{
		{
			name: "nothing is installed",
		},
		{
			name:  "the PATH comes first",
			files: []string{"path/initdb", "path/postgres", "versions/16/bin/initdb", "versions/16/bin/postgres"},
			want:  "path",
		},
		{
			name: "then what pg_config says",
			files: []string{
				"path/pg_config", "configured/initdb", "configured/postgres",
				"versions/16/bin/initdb", "versions/16/bin/postgres",
			},
			want: "configured",
		},
		{
			name:  "a pg_config without a server is passed over",
			files: []string{"path/pg_config", "configured/psql", "versions/15/bin/initdb", "versions/15/bin/postgres"},
			want:  "versions/15/bin",
		},
		{
			name: "the newest version is the highest number",
			files: []string{
				"versions/9.6/bin/initdb", "versions/9.6/bin/postgres",
				"versions/13/bin/initdb", "versions/13/bin/postgres",
				"versions/100/bin/initdb", "versions/100/bin/postgres",
			},
			want: "versions/100/bin",
		},
		{
			name: "a version of which only the client is left is passed over",
			files: []string{
				"versions/13/bin/initdb", "versions/13/bin/postgres",
				"versions/15/bin/psql",
			},
			want: "versions/13/bin",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			for _, file := range test.files {
				path := filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				script := "#!/bin/sh\necho " + filepath.Join(root, "configured") + "\n"
				if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", filepath.Join(root, "path"))
			got, err := findBinaries(filepath.Join(root, "versions"))
			if test.want == "" {
				if err == nil || !strings.Contains(err.Error(), "run scripts/setup (make test does)") {
					t.Errorf("%q, error %v, want one that says what to do", got, err)
				}
				return
			}
			if want := filepath.Join(root, test.want); got != want || err != nil {
				t.Errorf("%q, error %v, want %q", got, err, want)
			}
		})
	}
}
