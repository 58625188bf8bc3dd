package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func TestTheStoreKnowsWhichThreadsTheAgentTakesPartIn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		in := func(id string) platform.Room { return platform.Room{Platform: "slack", ID: id} }
		write := func(room, parent, id, who string, mentioned bool) {
			t.Helper()
			m := message(room, id, "hello")
			m.Room, m.Parent, m.Author.ID, m.Mentioned = in(room), parent, who, mentioned
			receive := func() error { _, err := s.Receive(t.Context(), m, true); return err }
			if !mentioned {
				receive = func() error { return s.Overhear(t.Context(), m) }
			}
			if err := receive(); err != nil {
				t.Fatal(err)
			}
		}
		write("C1", "", "1", "ada", false)
		write("C1:2", "C1", "2", "ada", true)
		write("C1:3", "C1", "3", "grace", false)
		write("C1:2", "C1", "4", "grace", false)
		write("C2:5", "C2", "5", "ada", true)
		write("C1x:6", "C1x", "6", "ada", true)

		threads := store.Threads{Store: s}
		for room, want := range map[string]bool{"C1": false, "C1:2": true, "C1:3": false, "C2:5": true, "C2:7": false} {
			if got, err := threads.Engaged(t.Context(), in(room)); err != nil || got != want {
				t.Errorf("that the agent takes part in %s is %v, %v", room, got, err)
			}
		}
		long := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		if got, err := threads.Recent(t.Context(), in("C1"), long, 10); err != nil || !slices.Equal(got, []platform.Room{in("C1:2"), in("C1:3")}) {
			t.Errorf("the threads of C1 are %v, %v", got, err)
		}
		if got, err := threads.Recent(t.Context(), in("C1"), long, 1); err != nil || len(got) != 1 {
			t.Errorf("one thread of C1 is %v, %v", got, err)
		}
		if got, err := threads.Recent(t.Context(), in("C1"), time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), 10); err != nil || len(got) != 0 {
			t.Errorf("the threads of the future are %v, %v", got, err)
		}
		for _, test := range []struct {
			in, who, want string
		}{{"C1", "ada", "C1:2"}, {"C1", "grace", ""}, {"C2", "ada", "C2:5"}, {"C3", "ada", ""}} {
			got, ok, err := threads.Latest(t.Context(), in(test.in), test.who)
			if err != nil || ok != (test.want != "") || got.ID != test.want {
				t.Errorf("%s wrote in %s last in %v, %v, %v", test.who, test.in, got, ok, err)
			}
		}
	})
}
