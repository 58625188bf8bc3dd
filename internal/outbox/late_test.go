package outbox_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

const (
	oneLate = "An answer could not be delivered in time. Write /missed to see it."
	twoLate = "2 answers could not be delivered in time. Write /missed to see them."
)

// late puts a post into the outbox that came too late.
func (d *desk) late(t *testing.T, key, id string) {
	t.Helper()
	p := d.post(key)
	p.State, p.PostID = store.Late, id
	if err := d.Store.AddPost(t.Context(), p); err != nil {
		t.Fatal(err)
	}
}

func (d *desk) tellLate(t *testing.T) {
	t.Helper()
	if err := d.TellLate(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A clearingBoard can take away what it has opened.
type clearingBoard struct {
	*openingBoard
	deletes []platform.Receipt // then deleted
}

func (b *clearingBoard) Delete(_ context.Context, _ platform.Room, post string) platform.Receipt {
	b.note("delete %s", post)
	if len(b.deletes) > 0 {
		r := b.deletes[0]
		b.deletes = b.deletes[1:]
		return r
	}
	return platform.Receipt{Outcome: platform.Delivered, ID: post}
}

// newClearing makes a desk of a board that can open and delete; stored is whether a late
// notice stands where the store says.
func newClearing(t *testing.T, b *clearingBoard) *desk {
	if b.openingBoard == nil {
		b.openingBoard = &openingBoard{}
	}
	d := newDesk(t, b)
	b.board = &board{}
	b.stored = func(id string) bool {
		m, post, err := d.Store.Standing(t.Context(), room, id)
		return err == nil && m != nil && post
	}
	return d
}

func TestALineAboutLateAnswersIsSaidOnce(t *testing.T) {
	unknown := platform.Receipt{Outcome: platform.Unknown}
	refused := platform.Receipt{Outcome: platform.Refused, Reason: "no"}
	for _, test := range []struct {
		name  string
		board openingBoard
		did   []string
	}{
		{"if nothing happens", openingBoard{}, []string{"open for " + oneLate, "edit 1 to " + oneLate + ", stored: true"}},
		{"if the answer to its text is lost", openingBoard{edits: []platform.Receipt{unknown}}, []string{
			"open for " + oneLate, "edit 1 to " + oneLate + ", stored: true", "edit 1 to " + oneLate + ", stored: true",
		}},
		{"if it is opened in vain", openingBoard{opens: []platform.Receipt{unknown}}, []string{
			"open for " + oneLate, "open for " + oneLate, "edit 1 to " + oneLate + ", stored: true",
		}},
		{"if somebody deletes what was opened", openingBoard{edits: []platform.Receipt{{Outcome: platform.Refused, Gone: true}}}, []string{
			"open for " + oneLate, "edit 1 to " + oneLate + ", stored: true", "open for " + oneLate, "edit 2 to " + oneLate + ", stored: true",
		}},
		{"and not again if it is refused", openingBoard{opens: []platform.Receipt{refused}}, []string{"open for " + oneLate}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := &clearingBoard{openingBoard: &test.board}
			d := newClearing(t, b)
			d.late(t, "hi", "")
			for range 3 {
				d.tellLate(t)
			}
			if got := b.noted(); !slices.Equal(got, test.did) {
				t.Errorf("the board was asked to %q, want %q", got, test.did)
			}
		})
	}
}

func TestALineAboutLateAnswersThatWasOpenedBeforeACrashIsTakenUp(t *testing.T) {
	b := &clearingBoard{}
	d := newClearing(t, b)
	d.late(t, "hi", "")
	if err := d.Store.NoteLate(t.Context(), func(int) string { return oneLate }); err != nil {
		t.Fatal(err)
	}
	open, err := d.Store.OpenNotices(t.Context(), store.AboutLate)
	if err != nil || len(open) != 1 {
		t.Fatal(open, err)
	}
	if stands, err := d.Store.OpenedNotice(t.Context(), open[0].Key, "7"); err != nil || stands != "7" {
		t.Fatal(stands, err)
	}
	for range 2 {
		d.tellLate(t)
	}
	if got, want := b.noted(), []string{"edit 7 to " + oneLate + ", stored: true"}; !slices.Equal(got, want) {
		t.Errorf("the board was asked to %q, want %q", got, want)
	}
}

func TestARoomThatIsNotReachedGetsOneLineAboutAllThatWasLate(t *testing.T) {
	failed := platform.Receipt{Outcome: platform.Failed}
	b := &board{receipts: []platform.Receipt{failed, failed}}
	d := newDesk(t, editingBoard{b})
	for i := range 2 {
		d.late(t, fmt.Sprint(i), "")
		d.tellLate(t)
	}
	d.tellLate(t)
	d.tellLate(t)
	if got, want := b.noted(), []string{"post " + oneLate, "post " + twoLate, "post " + twoLate, "edit 7 to " + twoLate}; !slices.Equal(got, want) {
		t.Errorf("the board was asked to %q, want %q", got, want)
	}
	// What is late after that is told of as well, also the same answer again.
	d.late(t, "0", "")
	p, err := d.Store.PostByKey(t.Context(), "0")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Store.Requeue(t.Context(), p.Key, false); err != nil {
		t.Fatal(err)
	}
	d.late(t, "0", "")
	d.tellLate(t)
	if got := b.noted(); got[len(got)-1] != "post "+oneLate {
		t.Errorf("the board was asked to %q", got)
	}
}

func TestWhatWasOpenedForAPostThatIsNotDeliveredIsTakenAway(t *testing.T) {
	refused := platform.Receipt{Outcome: platform.Refused, Reason: "no"}
	failed := platform.Receipt{Outcome: platform.Failed, Reason: "no way"}
	always := slices.Repeat([]platform.Receipt{failed}, 100)
	for _, test := range []struct {
		name  string
		board clearingBoard
		state store.PostState
		ends  []string
		id    string
	}{
		{"when it is refused", clearingBoard{openingBoard: &openingBoard{edits: []platform.Receipt{refused}}}, store.Dead, []string{"edit 1 to hi, stored: true", "delete 1"}, ""},
		{"when it is late", clearingBoard{openingBoard: &openingBoard{edits: always}}, store.Late, []string{"edit 1 to hi, stored: true", "delete 1"}, ""},
		{"once, if that fails", clearingBoard{openingBoard: &openingBoard{edits: always}, deletes: []platform.Receipt{failed}}, store.Late, []string{"edit 1 to hi, stored: true", "delete 1"}, "1"},
		{"but not what was never opened", clearingBoard{openingBoard: &openingBoard{opens: []platform.Receipt{refused}}}, store.Dead, []string{"open for hi"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := &test.board
			d := newClearing(t, b)
			p := d.post("hi")
			if err := d.Store.AddPost(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			p, err := d.Deliver(t.Context(), p)
			if err != nil || p.State != test.state || p.PostID != test.id {
				t.Errorf("it is %s at %q (%s), %v", p.State, p.PostID, p.Reason, err)
			}
			did := b.noted()
			if got := did[max(0, len(did)-len(test.ends)):]; !slices.Equal(got, test.ends) {
				t.Errorf("the board was asked to %q, which is to end with %q", did, test.ends)
			}
		})
	}
}

func TestWhatStandsForALatePostIsTakenAwayWhenItsRoomCanBeReachedAgain(t *testing.T) {
	b := &clearingBoard{}
	d := newClearing(t, b)
	d.late(t, "hi", "5")
	d.late(t, "ho", "")
	for range 3 {
		d.tellLate(t)
	}
	if got, want := b.noted(), []string{"open for " + twoLate, "edit 1 to " + twoLate + ", stored: true", "delete 5"}; !slices.Equal(got, want) {
		t.Errorf("the board was asked to %q, want %q", got, want)
	}
	p, err := d.Store.PostByKey(t.Context(), "hi")
	if err != nil || p.PostID != "" || p.State != store.Late {
		t.Errorf("it is %+v, %v", p, err)
	}
}

func TestANoticeIsTheSameForTheSameKey(t *testing.T) {
	b := &board{receipts: []platform.Receipt{{Outcome: platform.Unknown}}}
	d := newDesk(t, editingBoard{b})
	post := platform.Post{Key: "pairing-1", Room: room, Text: "Here is your code."}
	want := []platform.Outcome{platform.Unknown, platform.Delivered, platform.Delivered}
	for _, outcome := range want {
		if r, err := d.Notify(t.Context(), "pairing", post); err != nil || r.Outcome != outcome {
			t.Errorf("it is %+v, %v; want %s", r, err, outcome)
		}
	}
	if got, want := b.noted(), []string{"post " + post.Text, "post " + post.Text, "edit 7 to " + post.Text}; !slices.Equal(got, want) {
		t.Errorf("the board was asked to %q, want %q", got, want)
	}
	b.receipts = []platform.Receipt{{Outcome: platform.Refused, Reason: "the room is closed"}}
	for range 2 {
		if r, err := d.Notify(t.Context(), "pairing", platform.Post{Key: "pairing-2", Room: room, Text: "And yours."}); err != nil || r.Outcome != platform.Refused || r.Reason != "the room is closed" {
			t.Errorf("it is %+v, %v", r, err)
		}
	}
	if r, err := d.Notify(t.Context(), "pairing", platform.Post{Key: "pairing-3", Room: platform.Room{Platform: "nowhere"}, Text: "Hello."}); err != nil || r.Outcome != platform.Failed {
		t.Errorf("it is %+v, %v", r, err)
	}
}
