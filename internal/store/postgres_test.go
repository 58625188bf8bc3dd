package store_test

import (
	"testing"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/pgtest"
)

var postgres pgtest.Shared

func TestMain(m *testing.M) { postgres.Main(m) }

func openPostgres(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), postgres.Server(t).Database(t), "", clock())
	if err != nil {
		t.Fatal(err)
	}
	return s
}
