package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/store"
)

// A versionPage is what aside version --json prints.
type versionPage struct {
	Version string `json:"version"`
	Commit  string `json:"commit"` // "" if it was not built from a repository; ends in + where files were changed
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	Schema  int64  `json:"schema"`
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of this program and of its database schema",
		Example: `  aside version
  aside version --json`,
		Args: nothingElse,
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			schema, err := store.SchemaVersion()
			if err != nil {
				return err
			}
			v := versionPage{programVersion(), commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH, schema}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(v)
			}
			lines := []string{"aside " + v.Version}
			if v.Commit != "" {
				lines = append(lines, "commit "+v.Commit)
			}
			lines = append(lines, fmt.Sprintf("%s %s/%s", v.Go, v.OS, v.Arch), fmt.Sprintf("schema %d", v.Schema))
			return printText(cmd.OutOrStdout(), strings.Join(lines, "\n")+"\n")
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// commit is what go build knows of the repository.
func commit() string {
	revision, changed := setting("vcs.revision"), ""
	if revision != "" && setting("vcs.modified") == "true" {
		changed = "+"
	}
	return revision + changed
}

// committed is when that was, or nil.
func committed() *time.Time {
	t, err := time.Parse(time.RFC3339, setting("vcs.time"))
	if err != nil {
		return nil
	}
	return &t
}

// setting is something that go build notes down, or "".
func setting(key string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
