//go:build unix

package pgtest

import (
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// debianVersions is where Debian and its relatives keep PostgreSQL, in a directory for
// each major version.
const debianVersions = "/usr/lib/postgresql"

var errNoBinaries = errors.New("the PostgreSQL server (initdb and postgres) is not installed: run scripts/setup (make test does)")

// findBinaries returns the directory of the server's programs. It looks on the PATH,
// where pg_config says, and in the newest version under versions. The client's
// pg_config is often there without a server, so a directory counts only when both
// programs are in it. scripts/setup looks in the same places.
func findBinaries(versions string) (string, error) {
	var candidates []string
	if path, err := exec.LookPath("postgres"); err == nil {
		candidates = append(candidates, filepath.Dir(path))
	}
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		candidates = append(candidates, strings.TrimSpace(string(out)))
	}
	// The pattern is well formed, which is all that Glob can complain of.
	installed, _ := filepath.Glob(filepath.Join(versions, "*", "bin"))
	slices.SortFunc(installed, func(a, b string) int { return majorVersion(b) - majorVersion(a) })
	candidates = append(candidates, installed...)

	for _, directory := range candidates {
		if isProgram(filepath.Join(directory, "initdb")) && isProgram(filepath.Join(directory, "postgres")) {
			return directory, nil
		}
	}
	return "", errNoBinaries
}

// majorVersion reads 15 from /usr/lib/postgresql/15/bin. Versions before 10 had two
// numbers; they and anything else sort last.
func majorVersion(bin string) int {
	version, _ := strconv.Atoi(filepath.Base(filepath.Dir(bin)))
	return version
}

func isProgram(path string) bool {
	_, err := exec.LookPath(path)
	return err == nil
}
