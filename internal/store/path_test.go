package store_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// SQLite is told of its file by a URL, in which these mean something.
func TestTheDatabaseIsInTheDataDirectoryHoweverThatIsCalled(t *testing.T) {
	for _, name := range []string{"plain", "with space", "a#b", "a%41b", "50%", "a?mode=ro", "a&b;c=d", "ä\u4e2d", "file:x"} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.ContainsAny(name, "?:") {
				t.Skip("Windows has no directory of this name")
			}
			above := t.TempDir()
			data := filepath.Join(above, name)
			s, err := store.Open(t.Context(), "sqlite", data, time.Now)
			if err != nil {
				t.Fatal(err)
			}
			receive(t, s, message("a", "1", "hello"))
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			entries, err := os.ReadDir(above)
			if err != nil || len(entries) != 1 || entries[0].Name() != name {
				t.Errorf("beside it there is %v, %v", entries, err)
			}
			if _, err := os.Stat(filepath.Join(data, "aside.db")); err != nil {
				t.Error(err)
			}
			again, err := store.OpenExisting(t.Context(), "sqlite", data, time.Now)
			if err != nil {
				t.Fatal(err)
			}
			turns, err := again.Turns(t.Context(), store.TurnQuery{Limit: 10})
			if err != nil || len(turns) != 1 || turns[0].Message.Text != "hello" {
				t.Errorf("the turns are %v, %v", turns, err)
			}
			if err := again.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
