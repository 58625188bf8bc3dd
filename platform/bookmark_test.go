package platform_test

import (
	"errors"
	"testing"

	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/platformtest"
)

func TestABookmarkGivesBackWhatWasWritten(t *testing.T) {
	type kept struct{ Position int }
	ctx, b := t.Context(), &platformtest.Bookmark{}
	read := func(want int) error {
		t.Helper()
		k := kept{7}
		err := platform.ReadBookmark(ctx, b, &k)
		if k.Position != want {
			t.Errorf("the position is %d, want %d", k.Position, want)
		}
		return err
	}
	if err := read(7); err != nil { // nothing stands there
		t.Error(err)
	}
	if err := errors.Join(platform.WriteBookmark(ctx, b, kept{9}), read(9)); err != nil {
		t.Error(err)
	}
	if err := b.Save(ctx, []byte(`{"Position":11,`)); err != nil {
		t.Error(err)
	}
	if read(7) == nil {
		t.Error("nonsense is read")
	}
	gone := errors.New("the disk is gone")
	b.Break(gone)
	if err := platform.WriteBookmark(ctx, b, kept{}); !errors.Is(err, gone) || !errors.Is(read(7), gone) {
		t.Errorf("it is not said: %v", err)
	}
	k := kept{7}
	if err := errors.Join(platform.WriteBookmark(ctx, nil, k), platform.ReadBookmark(ctx, nil, &k)); err != nil || k.Position != 7 {
		t.Errorf("without a bookmark it is %v, %v", k, err)
	}
}
