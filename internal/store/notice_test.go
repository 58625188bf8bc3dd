package store_test

import (
	"fmt"
	"testing"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func TestRoomsWithLatePostsGetANoticeEach(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		turn := receive(t, s, message("a", "1", "hi"))
		late := func(key, room string) {
			t.Helper()
			if err := s.AddPost(t.Context(), store.Post{Key: key, Turn: turn, Room: platform.Room{Platform: "web", ID: room}, State: store.Late}); err != nil {
				t.Fatal(err)
			}
		}
		note := func() []store.Notice {
			t.Helper()
			if err := s.NoteLate(t.Context(), func(n int) string { return fmt.Sprint(n, " late") }); err != nil {
				t.Fatal(err)
			}
			all, err := s.OpenNotices(t.Context(), store.AboutLate)
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		if all := note(); len(all) != 0 {
			t.Fatalf("there are %+v", all)
		}
		late("1", "a")
		late("2", "a")
		late("3", "b")
		all := note()
		if len(all) != 2 || all[0].Count+all[1].Count != 3 || all[0].Room == all[1].Room || all[0].Key == all[1].Key || all[0].Created.IsZero() {
			t.Fatalf("there are %+v", all)
		}
		if again := note(); len(again) != 2 || again[0] != all[0] || again[1] != all[1] {
			t.Errorf("there are %+v, and were %+v", again, all)
		}
		// Another answer is late while the notice is being sent.
		sent := all[0]
		if sent.Room.ID == "b" {
			sent = all[1]
		}
		late("4", "a")
		note()
		sent.State, sent.PostID = store.Delivered, "9"
		if err := s.SaveNotice(t.Context(), sent); err != nil {
			t.Fatal(err)
		}
		for _, n := range note() {
			if n.Room.ID == "a" && (n.Key != sent.Key || n.Text != "3 late" || n.PostID != "9") {
				t.Errorf("it is %+v", n)
			}
			if n.Room.ID == "a" {
				sent = n
			}
		}
		sent.State = store.Delivered
		if err := s.SaveNotice(t.Context(), sent); err != nil {
			t.Fatal(err)
		}
		if all = note(); len(all) != 1 || all[0].Room.ID != "b" {
			t.Errorf("there are %+v", all)
		}
		late("5", "a")
		if all = note(); len(all) != 2 || all[1].Key == sent.Key || all[1].Text != "1 late" {
			t.Errorf("there are %+v", all)
		}
	})
}

func TestANoticeStandsWhereTheFirstProcessHasOpenedIt(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		room := platform.Room{Platform: "web", ID: "a"}
		for range 2 {
			n, err := s.AddNotice(t.Context(), store.Notice{Key: "one", Subject: "pairing", Room: room, Text: "Hello.", Count: 1})
			if err != nil || n.State != store.Queued || n.Text != "Hello." || n.Created.IsZero() {
				t.Fatalf("it is %+v, %v", n, err)
			}
		}
		for _, id := range []string{"7", "8"} {
			if stands, err := s.OpenedNotice(t.Context(), "one", id); err != nil || stands != "7" {
				t.Errorf("it stands at %s, %v", stands, err)
			}
		}
		if m, post, err := s.Standing(t.Context(), room, "7"); err != nil || m == nil || !post || m.Text != "Hello." {
			t.Errorf("found %+v, a post: %v, %v", m, post, err)
		}
		if m, _, err := s.Standing(t.Context(), room, "8"); err != nil || m != nil {
			t.Errorf("found %+v, %v", m, err)
		}
	})
}
