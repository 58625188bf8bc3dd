package turn

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// An album room shows files as one.
type albums struct{ filing }

func (albums) Groups(files []platform.File) bool { return len(files) <= 10 }

const sendsAlbum = `Here. <actions><send-file path="a.txt" caption="All"/><send-file path="b.txt"/><send-file path="c.txt"/></actions>`

// firstAlbum is a stage that has got a message, to which the model replies with three files.
func firstAlbum(t *testing.T, reply string) (s *stage, outbound string, turn *store.Turn) {
	t.Helper()
	outbound = t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(outbound, name+".txt"), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first := newStage(t, storetest.Dir(t), say(reply))
	s = newFiling(t, first.Store, first.room, first.Model, outbound)
	s.Outbox.Platforms["test"] = albums{filing{s.room}}
	if _, err := s.Store.Receive(t.Context(), message("a", "1", "hi"), true); err != nil {
		t.Fatal(err)
	}
	turn, err := s.Store.NextTurn(t.Context(), "test/a")
	if err != nil {
		t.Fatal(err)
	}
	return s, outbound, turn
}

// posted is what stands in the room: the texts, and the names of the files.
func (s *stage) posted() []string {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	var all []string
	for _, p := range s.room.posts {
		text := p.Text
		for _, f := range p.Files {
			text += " +" + f.Name
		}
		all = append(all, text)
	}
	return all
}

func TestFilesThatFollowEachOtherAreOnePost(t *testing.T) {
	for _, test := range []struct {
		name, reply string
		want        []string
	}{
		{"three", sendsAlbum, []string{"All +a.txt +b.txt +c.txt", "Here."}},
		{"one alone", `Here. <actions><send-file path="a.txt"/></actions>`, []string{" +a.txt", "Here."}},
		{
			"not those that something stands between", `Here. <actions><send-file path="a.txt"/><send-file path="b.txt"/></actions><action>{"type":"nothing"}</action><actions><send-file path="c.txt"/></actions>`,
			[]string{" +a.txt +b.txt", " +c.txt", "Here.\n\nFailed: there is no action \"nothing\""},
		},
		{
			"not one that is missing", `Here. <actions><send-file path="a.txt"/><send-file path="gone.txt"/><send-file path="b.txt"/><send-file path="c.txt"/></actions>`,
			[]string{" +a.txt", " +b.txt +c.txt", "Here.\n\nFailed: could not send gone.txt: there is no such file in the directories that files may be sent from"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, _, _ := firstAlbum(t, test.reply)
			s.start()
			s.settled(1)
			if got := s.posted(); !slices.Equal(got, test.want) {
				t.Errorf("the posts are %q, want %q", got, test.want)
			}
		})
	}
}

func TestAnAlbumIsPostedOnceThoughTheProcessEnded(t *testing.T) {
	for _, test := range []struct {
		name   string
		before func(s *stage, turn *store.Turn, outbound string) error
	}{
		{"before anything was done", func(*stage, *store.Turn, string) error { return nil }},
		{"when it was decided that they go together, and the first was stored", func(s *stage, turn *store.Turn, outbound string) error {
			return s.interrupt(turn, 3, func(ledger []store.Action) error {
				p := store.Post{Key: s.call(turn, &ledger[0]).Key, Turn: turn.ID, Room: turn.Message.Room, Text: "All", State: store.Queued}
				var files []platform.File
				for _, name := range []string{"a", "b", "c"} {
					files = append(files, platform.NewFile(name+".txt", "", []byte(name)))
				}
				return errors.Join(s.Store.AddPost(t.Context(), p, files...), os.RemoveAll(outbound))
			})
		}},
		{"when the outcomes were not stored, and rights are lost since", func(s *stage, turn *store.Turn, _ string) error {
			return s.interrupt(turn, 3, func(ledger []store.Action) error {
				if err := s.join(t.Context(), turn, s.Registry.Find("sendFile"), nil, slices.Clone(ledger)); err != nil {
					return err
				}
				for i := range ledger { // as they were before
					ledger[i].State = store.Started
				}
				s.Policy.Enabled = false
				return s.Store.SaveActions(t.Context(), ledger)
			})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, outbound, turn := firstAlbum(t, sendsAlbum)
			if err := s.generate(t.Context(), turn); err != nil {
				t.Fatal(err)
			}
			if err := test.before(s, turn, outbound); err != nil {
				t.Fatal(err)
			}
			second := newFiling(t, s.Store, s.room, s.Model, outbound)
			second.Outbox.Platforms["test"] = albums{filing{s.room}}
			second.Policy = s.Policy
			second.start()
			second.settled(1)
			if got, want := second.posted(), []string{"All +a.txt +b.txt +c.txt", "Here."}; !slices.Equal(got, want) {
				t.Errorf("the posts are %q, want %q", got, want)
			}
		})
	}
}

// interrupt has the first actions of a turn begun together, and then does something.
func (s *stage) interrupt(turn *store.Turn, count int, then func(ledger []store.Action) error) error {
	ledger, err := s.Store.Actions(s.t.Context(), turn.ID)
	if err != nil {
		return err
	}
	for i := range ledger[:count] {
		ledger[i].State = store.Started
	}
	ledger[0].Trace = fmt.Appendf(nil, `{"joined":%d}`, count)
	return errors.Join(s.Store.SaveActions(s.t.Context(), ledger[:count]), then(ledger[:count]))
}

func TestAnAlbumOfWhichNobodyKnowsIsToldOfInOneLine(t *testing.T) {
	s, _, _ := firstAlbum(t, sendsAlbum)
	s.room.refuse = func(p platform.Post) *platform.Receipt {
		if len(p.Files) == 0 {
			return nil
		}
		return &platform.Receipt{Outcome: platform.Unknown, Reason: "no answer", Final: true}
	}
	s.start()
	s.settled(1)
	want := "Here.\n\nUnclear: a.txt, b.txt, c.txt may not have arrived (no answer); look whether you see them before you ask again"
	if got := s.posted(); len(got) != 1 || got[0] != want {
		t.Errorf("the posts are %q, want %q", got, want)
	}
	if dead, err := s.Store.DeadPosts(t.Context()); err != nil || len(dead) != 1 || !strings.HasPrefix(dead[0].Reason, "nobody can tell") {
		t.Errorf("dead letters are %+v, %v", dead, err)
	}
}
