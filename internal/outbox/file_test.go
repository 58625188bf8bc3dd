package outbox_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A filingBoard takes files, and can edit.
type filingBoard struct {
	editingBoard
	most int64
}

func (b filingBoard) Limits() platform.Limits { return platform.Limits{FileSize: b.most} }

func (b filingBoard) Post(ctx context.Context, p platform.Post) platform.Receipt {
	for _, f := range p.Files {
		b.mu.Lock()
		b.note("%s file %s: %s", f.Kind, f.Name, f.Data)
		b.mu.Unlock()
	}
	return b.editingBoard.Post(ctx, p)
}

func notes(text string) func() (platform.File, error) {
	return func() (platform.File, error) {
		f := platform.NewFile("notes.txt", "", []byte(text))
		f.Kind = platform.KindFile
		return f, nil
	}
}

func TestAFileIsSentOnceAndAsItWasTheFirstTime(t *testing.T) {
	b := &board{receipts: []platform.Receipt{{Outcome: platform.Unknown}}}
	d := newDesk(t, filingBoard{editingBoard{b}, 100})
	for _, text := range []string{"hello", "changed"} {
		sum, err := d.SendFile(t.Context(), d.turn, "key", room, "look", notes(text))
		if err != nil || sum != store.Sum([]byte("hello")) {
			t.Fatalf("%s, %v", sum, err)
		}
	}
	want := []string{"file file notes.txt: hello", "post look", "file file notes.txt: hello", "post look"}
	if got := b.noted(); !slices.Equal(got, want) {
		t.Errorf("the board was asked to %q, want %q", got, want)
	}
}

func TestAFileThatWasStoredBeforeACrashIsSentWithoutTheFile(t *testing.T) {
	b := &board{}
	d := newDesk(t, filingBoard{editingBoard{b}, 100})
	file, _ := notes("hello")()
	if err := d.Store.AddPost(t.Context(), d.post("key"), file); err != nil {
		t.Fatal(err)
	}
	gone := func() (platform.File, error) { return platform.File{}, errors.New("it is gone") }
	if _, err := d.SendFile(t.Context(), d.turn, "key", room, "key", gone); err != nil {
		t.Fatal(err)
	}
	if got, want := b.noted(), []string{"file file notes.txt: hello", "post key"}; !slices.Equal(got, want) {
		t.Errorf("the board was asked to %q, want %q", got, want)
	}
}

func TestAFileThatCannotBeSentIsADeadLetterWithAReason(t *testing.T) {
	tests := []struct {
		name string
		to   platform.Platform
		want string
	}{
		{"the platform cannot send files", &board{}, "board cannot send files"},
		{"the platform takes no file as large", filingBoard{editingBoard{&board{}}, 4}, "board takes files up to 4 bytes; notes.txt has 5 bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t, test.to)
			for range 2 {
				if _, err := d.SendFile(t.Context(), d.turn, "key", room, "look", notes("hello")); err == nil || err.Error() != test.want {
					t.Errorf("it ended with %v, want %s", err, test.want)
				}
			}
			if dead, err := d.Store.DeadPosts(t.Context()); err != nil || len(dead) != 1 || dead[0].Files != 1 {
				t.Errorf("dead letters are %+v, %v", dead, err)
			}
		})
	}
}

func TestAFileThatCannotBeReadLeavesNothingBehind(t *testing.T) {
	d := newDesk(t, filingBoard{editingBoard{&board{}}, 100})
	_, err := d.SendFile(t.Context(), d.turn, "key", room, "look", func() (platform.File, error) { return platform.File{}, errors.New("no such file") })
	if err == nil || err.Error() != "no such file" {
		t.Errorf("it ended with %v", err)
	}
	if p, err := d.Store.PostByKey(t.Context(), "key"); p != nil || err != nil {
		t.Errorf("there is %+v, %v", p, err)
	}
}
