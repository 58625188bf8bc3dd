package wiretest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/asidehq/aside/internal/wiretest"
)

func TestADescriptionIsFoundWhereTheEnvironmentSays(t *testing.T) {
	directory := t.TempDir()
	t.Setenv("ASIDE_SPECS", directory)
	if err := os.WriteFile(filepath.Join(directory, "an_api.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := wiretest.Spec("an_api.json"); err != nil || string(data) != "{}" {
		t.Errorf("it is %q, %v", data, err)
	}
	if data, err := wiretest.Spec("no_api.json"); err != nil || data != nil {
		t.Errorf("one that is nowhere is %q, %v", data, err)
	}
}
