package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// An albumBoard opens posts, and shows text files as one that it cannot send twice.
type albumBoard struct {
	*openingBoard
	d     *desk
	posts []platform.Receipt // then delivered
}

func (b *albumBoard) Groups(files []platform.File) bool {
	return len(files) <= 3 && !slices.ContainsFunc(files, func(f platform.File) bool { return f.Name == "alone" })
}

func (b *albumBoard) Once(p platform.Post) bool {
	return len(p.Files) > 1 && !strings.Contains(p.Opened, ",")
}

func (b *albumBoard) Open(ctx context.Context, p platform.Post) platform.Receipt {
	r := b.openingBoard.Open(ctx, p)
	if p.Opened != "" && r.Outcome == platform.Delivered {
		r.ID = p.Opened + "," + r.ID
	}
	return r
}

func (b *albumBoard) Post(ctx context.Context, p platform.Post) platform.Receipt {
	stored, err := b.d.Store.PostByKey(ctx, p.Key)
	if err != nil || stored == nil {
		return platform.Receipt{Outcome: platform.Refused, Reason: "it is not stored"}
	}
	var names []string
	for _, f := range p.Files {
		names = append(names, f.Name)
	}
	verb := "post"
	if p.Begun {
		verb = "look for"
	}
	b.note("%s %s in %s, %s", verb, strings.Join(names, "+"), p.Opened, stored.State)
	if len(b.posts) > 0 {
		r := b.posts[0]
		b.posts = b.posts[1:]
		return r
	}
	return platform.Receipt{Outcome: platform.Delivered, ID: "sent " + p.Opened}
}

func newAlbums(t *testing.T, posts ...platform.Receipt) (*desk, *albumBoard) {
	b := &albumBoard{openingBoard: &openingBoard{}, posts: posts}
	b.d = newDesk(t, b)
	b.board = &board{}
	return b.d, b
}

// outgoing are files with a name each; one called gone cannot be read.
func outgoing(names ...string) []messaging.Outgoing {
	var all []messaging.Outgoing
	for i, name := range names {
		all = append(all, messaging.Outgoing{Key: fmt.Sprint("key-", i), Read: func() (platform.File, error) {
			if name == "gone" {
				return platform.File{}, errors.New("there is no such file")
			}
			return platform.NewFile(name, "", []byte(name)), nil
		}})
	}
	return all
}

func TestFilesThatFollowEachOtherAreAsFewPostsAsThePlatformCanMakeOfThem(t *testing.T) {
	for _, test := range []struct {
		name  string
		files string
		did   []string
		of    []int
		fails string // which of them
	}{
		{"all of them", "a b c", []string{"open for look", "post a+b+c in 1, sending"}, []int{3, 3, 3}, ""},
		{"as many as fit", "a b c d", []string{"open for look", "post a+b+c in 1, sending", "open for ", "post d in 2, queued"}, []int{3, 3, 3, 1}, ""},
		{"not one that has to be alone", "a b alone c", []string{"open for look", "post a+b in 1, sending", "open for ", "post alone in 2, queued", "open for ", "post c in 3, queued"}, []int{2, 2, 1, 1}, ""},
		{"not one that cannot be read", "a b gone c d", []string{"open for look", "post a+b in 1, sending", "open for ", "post c+d in 2, sending"}, []int{2, 2, 1, 2, 2}, "2"},
		{"not the first, if that cannot be read", "gone a b", []string{"open for ", "post a+b in 1, sending"}, []int{1, 2, 2}, "0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, b := newAlbums(t)
			for i := range 2 { // again, as after a crash; by then the files are gone
				names := strings.Fields(test.files)
				if i == 1 {
					for j := range names {
						names[j] = "gone"
					}
				}
				var of []int
				failed := ""
				for j, sent := range d.SendFiles(t.Context(), d.turn, room, "look", outgoing(names...)) {
					of = append(of, sent.Of)
					if sent.Err != nil {
						failed += fmt.Sprint(j)
					} else if sent.Sum != store.Sum([]byte(strings.Fields(test.files)[j])) {
						t.Errorf("file %d was %s", j, sent.Sum)
					}
				}
				if !slices.Equal(of, test.of) || failed != test.fails {
					t.Errorf("they were %v, and %q failed", of, failed)
				}
			}
			if got := b.noted(); !slices.Equal(got, test.did) {
				t.Errorf("the board was asked to %q, want %q", got, test.did)
			}
		})
	}
}

func TestAPostThatCannotBeRepeatedIsSentOnce(t *testing.T) {
	receipt := func(o platform.Outcome) platform.Receipt { return platform.Receipt{Outcome: o, Reason: "why"} }
	final := platform.Receipt{Outcome: platform.Unknown, Reason: "no answer", Final: true}
	gone := platform.Receipt{Outcome: platform.Refused, Reason: "gone", Gone: true}
	const send, find = "post a+b in 1, sending", "look for a+b in 1, sending"
	for _, test := range []struct {
		name     string
		receipts []platform.Receipt
		did      []string
		outcome  platform.Outcome
		id       string
	}{
		{"if nothing happens", nil, []string{send}, platform.Delivered, "sent 1"},
		{"and looked for if the answer was lost", []platform.Receipt{receipt(platform.Unknown)}, []string{send, find}, platform.Delivered, "sent 1"},
		{"and looked for until something is certain", []platform.Receipt{receipt(platform.Unknown), receipt(platform.Unknown), final}, []string{send, find, find}, platform.Unknown, ""},
		{"and given up if nobody can tell", []platform.Receipt{final}, []string{send}, platform.Unknown, ""},
		{"again if it has to wait", []platform.Receipt{receipt(platform.Limited)}, []string{send, send}, platform.Delivered, "sent 1"},
		{"again if it failed", []platform.Receipt{receipt(platform.Failed)}, []string{send, send}, platform.Delivered, "sent 1"},
		{"anew if what was opened is gone", []platform.Receipt{gone}, []string{send, "open for look", "post a+b in 2, sending"}, platform.Delivered, "sent 2"},
		{"not if it is refused", []platform.Receipt{receipt(platform.Refused)}, []string{send}, platform.Refused, ""},
		{"apart if it cannot be one", []platform.Receipt{{Outcome: platform.Failed, Apart: true}}, []string{send, "open for look", "post a+b in 1,2, queued"}, platform.Delivered, "sent 1,2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, b := newAlbums(t, test.receipts...)
			for range 2 { // the second time is after a crash, when the outcome was stored
				for _, sent := range d.SendFiles(t.Context(), d.turn, room, "look", outgoing("a", "b")) {
					var p *platform.Problem
					if got := platform.Delivered; errors.As(sent.Err, &p) && p.Outcome != test.outcome || sent.Err == nil && got != test.outcome {
						t.Errorf("it ended with %v", sent.Err)
					}
				}
			}
			if got, want := b.noted(), append([]string{"open for look"}, test.did...); !slices.Equal(got, want) {
				t.Errorf("the board was asked to %q, want %q", got, want)
			}
			p, err := d.Store.PostByKey(t.Context(), "key-0")
			if err != nil || test.outcome == platform.Delivered && (p.State != store.Delivered || p.PostID != test.id) {
				t.Errorf("it is %+v, %v", p, err)
			}
			dead, err := d.Store.DeadPosts(t.Context())
			if err != nil || len(dead) == 0 != (test.outcome == platform.Delivered) {
				t.Errorf("dead letters are %+v, %v", dead, err)
			}
			if test.outcome == platform.Unknown && dead[0].Reason != "nobody can tell whether it has arrived: no answer" {
				t.Errorf("it is %+v", dead[0])
			}
		})
	}
}

func TestAPostThatWasBegunBeforeACrashIsLookedFor(t *testing.T) {
	for _, test := range []struct {
		name     string
		age      time.Duration
		receipts []platform.Receipt
		state    store.PostState
		reason   string
	}{
		{"and found", 0, nil, store.Delivered, ""},
		{"and found, however old it is", time.Hour, nil, store.Delivered, ""},
		{"and not found", 0, []platform.Receipt{{Outcome: platform.Unknown, Final: true}}, store.Dead, "nobody can tell whether it has arrived"},
		{"but not for ever", time.Hour, []platform.Receipt{{Outcome: platform.Unknown, Reason: "no answer"}}, store.Dead, "nobody can tell whether it has arrived: no answer"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, b := newAlbums(t, test.receipts...)
			p := d.post("key")
			p.State, p.PostID, p.Files = store.Sending, "5", 2
			files := []platform.File{platform.NewFile("a", "", []byte("a")), platform.NewFile("b", "", []byte("b"))}
			if err := d.Store.AddPost(t.Context(), p, files...); err != nil {
				t.Fatal(err)
			}
			p.Created = p.Created.Add(-test.age)
			p, err := d.Deliver(t.Context(), p)
			if err != nil || p.State != test.state || p.Reason != test.reason {
				t.Errorf("it is %+v, %v", p, err)
			}
			if got := b.noted(); !slices.Equal(got, []string{"look for a+b in 5, sending"}) {
				t.Errorf("the board was asked to %q", got)
			}
		})
	}
}

func TestWhatTakesTooLongAndMayStandThereIsUnclear(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d, _ := newAlbums(t, platform.Receipt{Outcome: platform.Unknown})
	d.Wait = func(context.Context, time.Duration) error { cancel(); return ctx.Err() }
	var p *platform.Problem
	for _, sent := range d.SendFiles(ctx, d.turn, room, "look", outgoing("a", "b")) {
		if !errors.As(sent.Err, &p) || p.Outcome != platform.Unknown {
			t.Errorf("it ended with %v", sent.Err)
		}
	}
}
