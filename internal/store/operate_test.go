package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func TestTurnsAreListedNewestFirst(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		receive(t, s, message("a", "1", "one"))
		second := receive(t, s, message("b", "2", "two"))
		receive(t, s, message("a", "3", "three"))
		turn, err := s.Turn(t.Context(), second)
		if err != nil {
			t.Fatal(err)
		}
		a := platform.Room{Platform: "web", ID: "a"}
		tests := []struct {
			name  string
			query store.TurnQuery
			want  string
		}{
			{"all", store.TurnQuery{Limit: 10}, "three two one"},
			{"the newest", store.TurnQuery{Limit: 2}, "three two"},
			{"of a room", store.TurnQuery{Room: a, Limit: 10}, "three one"},
			{"of a room of another platform", store.TurnQuery{Room: platform.Room{Platform: "discord", ID: "a"}, Limit: 10}, ""},
			{"in a stage", store.TurnQuery{Stage: store.Waiting, Limit: 10}, "three two one"},
			{"in another stage", store.TurnQuery{Stage: store.Settled, Limit: 10}, ""},
			{"since a time", store.TurnQuery{Since: turn.Created, Limit: 10}, "three two"},
			{"all at once", store.TurnQuery{Room: a, Stage: store.Waiting, Since: turn.Created, Limit: 1}, "three"},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				turns, err := s.Turns(t.Context(), test.query)
				if err != nil {
					t.Fatal(err)
				}
				var texts []string
				for _, turn := range turns {
					texts = append(texts, turn.Message.Text)
				}
				if got := strings.Join(texts, " "); got != test.want {
					t.Errorf("got %q, want %q", got, test.want)
				}
			})
		}
	})
}

func TestADroppedLetterIsNeitherListedNorSentButKept(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		m := message("a", "1", "hi")
		turn := receive(t, s, m)
		for key, state := range map[string]store.PostState{"dead": store.Dead, "late": store.Late, "sent": store.Delivered} {
			if err := s.AddPost(ctx, store.Post{Key: key, Turn: turn, Room: m.Room, Text: key, State: state}); err != nil {
				t.Fatal(err)
			}
		}
		for _, key := range []string{"dead", "late"} {
			if err := s.Drop(ctx, key); err != nil {
				t.Errorf("%s: %v", key, err)
			}
		}
		for _, key := range []string{"dead", "sent", "nowhere"} {
			if err := s.Drop(ctx, key); !errors.Is(err, store.ErrNoSuchPost) {
				t.Errorf("%s: %v", key, err)
			}
		}
		if letters, err := s.DeadPosts(ctx); err != nil || len(letters) != 0 {
			t.Errorf("the dead letters are %v, %v", letters, err)
		}
		if _, _, err := s.Requeue(ctx, "dead", true); !errors.Is(err, store.ErrNoSuchPost) {
			t.Errorf("sent again: %v", err)
		}
		p, err := s.PostByKey(ctx, "dead")
		if err != nil || p == nil || p.State != store.Dropped || p.Text != "dead" {
			t.Errorf("kept is %+v, %v", p, err)
		}
	})
}

func TestWhoHoldsADataDirectory(t *testing.T) {
	data := t.TempDir()
	if address, held, err := store.Holder(filepath.Join(data, "nowhere")); address != "" || held || err != nil {
		t.Errorf("a directory that is not there: %q %v %v", address, held, err)
	}
	s, err := store.Open(t.Context(), "sqlite", data, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if address, held, err := store.Holder(data); address != "" || !held || err != nil {
		t.Errorf("before it says where it is: %q %v %v", address, held, err)
	}
	if err := s.Announce(data, "127.0.0.1:8787"); err != nil {
		t.Fatal(err)
	}
	if address, held, err := store.Holder(data); address != "127.0.0.1:8787" || !held || err != nil {
		t.Errorf("once it said so: %q %v %v", address, held, err)
	}
	if _, err := store.Hold(data); !errors.Is(err, store.ErrInUse) {
		t.Errorf("held a second time: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if address, held, err := store.Holder(data); address != "" || held || err != nil {
		t.Errorf("after its end: %q %v %v", address, held, err)
	}
}

func TestInspectLooksAndChangesNothing(t *testing.T) {
	known, err := store.SchemaVersion()
	if err != nil || known < 1 {
		t.Fatalf("the schema is %d, %v", known, err)
	}
	t.Run("a database in use", func(t *testing.T) {
		data := filepath.Join(t.TempDir(), "with a space and é")
		s, err := store.Open(t.Context(), "sqlite", data, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		receive(t, s, message("a", "1", "hi"))
		found, err := store.Inspect(t.Context(), "sqlite", data)
		if err != nil || found.Engine != store.SQLite || found.Schema != known || found.Size == 0 {
			t.Errorf("found %+v, %v", found, err)
		}
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		url := postgres.Server(t).Database(t)
		if found, err := store.Inspect(t.Context(), url, ""); err != nil || found.Schema != 0 || found.Clock.IsZero() {
			t.Errorf("empty: %+v, %v", found, err)
		}
		if _, err := store.OpenExisting(t.Context(), url, "", time.Now); !errors.Is(err, store.ErrNoData) {
			t.Errorf("opened: %v", err)
		}
		s, err := store.Open(t.Context(), url, "", time.Now)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if found, err := store.Inspect(t.Context(), url, ""); err != nil || found.Schema != known {
			t.Errorf("found %+v, %v", found, err)
		}
	})
	t.Run("no directory", func(t *testing.T) {
		data := filepath.Join(t.TempDir(), "data")
		if _, err := store.Inspect(t.Context(), "sqlite", data); !errors.Is(err, store.ErrNoData) {
			t.Errorf("got %v", err)
		}
		if _, err := store.OpenExisting(t.Context(), "sqlite", data, time.Now); !errors.Is(err, store.ErrNoData) {
			t.Errorf("opened: %v", err)
		}
		if _, err := os.Stat(data); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("it was made: %v", err)
		}
	})
	t.Run("a file that is no database", func(t *testing.T) {
		data := t.TempDir()
		file := filepath.Join(data, "aside.db")
		if err := os.WriteFile(file, []byte(strings.Repeat("This is no database. ", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Inspect(t.Context(), "sqlite", data); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("got %v", err)
		}
		if _, err := store.Examine(t.Context(), file); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("examined: %v", err)
		}
	})
}

// databaseOfAnotherVersion is a data directory whose schema has another number.
func databaseOfAnotherVersion(t *testing.T, change int64) string {
	t.Helper()
	data := t.TempDir()
	s, err := store.Open(t.Context(), "sqlite", data, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	known, err := store.SchemaVersion()
	if err != nil {
		t.Fatal(err)
	}
	query := fmt.Sprintf(`UPDATE goose_db_version SET version_id = %d WHERE version_id = %d`, known+change, known)
	err = s.In(t.Context(), func(tx store.Tx) error {
		_, err := tx.ExecContext(t.Context(), query)
		return err
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestADatabaseOfAnotherVersionIsLeftAlone(t *testing.T) {
	for change, want := range map[int64]string{1: "use a newer aside", -1: "aside run brings it up to date"} {
		t.Run(want, func(t *testing.T) {
			_, err := store.OpenExisting(t.Context(), "sqlite", databaseOfAnotherVersion(t, change), time.Now)
			if !errors.Is(err, store.ErrOtherSchema) || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v", err)
			}
		})
	}
}
