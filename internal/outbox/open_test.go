package outbox_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// An openingBoard has no keys for posts: it opens them, and notes which of them are stored
// by the time something is written there.
type openingBoard struct {
	*board
	opened int
	opens  []platform.Receipt // then opened
	edits  []platform.Receipt // then delivered
	stored func(post string) bool
}

func (b *openingBoard) Limits() platform.Limits { return platform.Limits{FileSize: 100} }

func (b *openingBoard) Open(_ context.Context, p platform.Post) platform.Receipt {
	b.note("open for %s", p.Text)
	if len(b.opens) > 0 {
		r := b.opens[0]
		b.opens = b.opens[1:]
		return r
	}
	b.opened++
	return platform.Receipt{Outcome: platform.Delivered, ID: fmt.Sprint(b.opened)}
}

func (b *openingBoard) Edit(_ context.Context, _ platform.Room, post, text string) platform.Receipt {
	b.note("edit %s to %s, stored: %v", post, text, b.stored(post))
	if len(b.edits) > 0 {
		r := b.edits[0]
		b.edits = b.edits[1:]
		return r
	}
	return platform.Receipt{Outcome: platform.Delivered, ID: post}
}

func (b *openingBoard) Post(_ context.Context, p platform.Post) platform.Receipt {
	b.note("post %d files into %s, stored: %v", len(p.Files), p.Opened, b.stored(p.Opened))
	return platform.Receipt{Outcome: platform.Delivered, ID: p.Opened}
}

func newOpening(t *testing.T, b *openingBoard) *desk {
	d := newDesk(t, b)
	b.board = &board{}
	b.stored = func(id string) bool {
		p, err := d.Store.PostByKey(t.Context(), "hi")
		return err == nil && p != nil && p.PostID == id
	}
	return d
}

func TestAPostIsOpenedAndItsIDStoredBeforeItsTextIsWritten(t *testing.T) {
	unknown := platform.Receipt{Outcome: platform.Unknown}
	gone := platform.Receipt{Outcome: platform.Refused, Reason: "it is gone", Gone: true}
	for _, test := range []struct {
		name  string
		board openingBoard
		id    string // of what was opened before a crash
		state store.PostState
		did   []string
	}{
		{"once", openingBoard{}, "", store.Delivered, []string{"open for hi", "edit 1 to hi, stored: true"}},
		{"again if the answer was lost", openingBoard{opens: []platform.Receipt{unknown}}, "", store.Delivered, []string{"open for hi", "open for hi", "edit 1 to hi, stored: true"}},
		{"not again if the text's answer was lost", openingBoard{edits: []platform.Receipt{unknown}}, "", store.Delivered, []string{"open for hi", "edit 1 to hi, stored: true", "edit 1 to hi, stored: true"}},
		{"not again after a crash", openingBoard{}, "7", store.Delivered, []string{"edit 7 to hi, stored: true"}},
		{"anew if somebody has deleted it", openingBoard{edits: []platform.Receipt{gone}}, "7", store.Delivered, []string{"edit 7 to hi, stored: true", "open for hi", "edit 1 to hi, stored: true"}},
		{"not for ever", openingBoard{edits: []platform.Receipt{gone, gone}}, "", store.Dead, []string{"open for hi", "edit 1 to hi, stored: true", "open for hi", "edit 2 to hi, stored: true"}},
		{"not if it is refused", openingBoard{opens: []platform.Receipt{{Outcome: platform.Refused, Reason: "no"}}}, "", store.Dead, []string{"open for hi"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := &test.board
			d := newOpening(t, b)
			p := d.post("hi")
			p.PostID = test.id
			if err := d.Store.AddPost(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			p, err := d.Deliver(t.Context(), p)
			if err != nil || p.State != test.state {
				t.Errorf("it is %s (%s), %v", p.State, p.Reason, err)
			}
			if got := b.noted(); !slices.Equal(got, test.did) {
				t.Errorf("the board was asked to %q, want %q", got, test.did)
			}
		})
	}
}

func TestAFileGoesWhereItsPostWasOpened(t *testing.T) {
	b := &openingBoard{}
	d := newOpening(t, b)
	for range 2 {
		if _, err := d.SendFile(t.Context(), d.turn, "hi", room, "look", notes("hello")); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := b.noted(), []string{"open for look", "post 1 files into 1, stored: true"}; !slices.Equal(got, want) {
		t.Errorf("the board was asked to %q, want %q", got, want)
	}
}
