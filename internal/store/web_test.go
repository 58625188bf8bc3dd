package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform/web"
)

func TestTheWebLogListsRoomsAndReadsThemBackwards(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		log := store.Web{Store: s}
		for n, room := range []string{"a", "b", "a", "a"} {
			e := web.Entry{ID: fmt.Sprint(n), Room: room, Author: "ada", Kind: "person", Text: strings.Repeat("é", 300), At: time.Unix(int64(n), 0)}
			if err := log.Add(ctx, e); err != nil {
				t.Fatal(err)
			}
		}
		rooms, err := log.Rooms(ctx, 10)
		if err != nil || len(rooms) != 2 {
			t.Fatalf("the rooms are %+v, %v", rooms, err)
		}
		want := web.Room{Room: "a", Count: 3, Last: web.RoomEntry{ID: "3", Author: "ada", Kind: "person", Text: strings.Repeat("é", 200), At: rooms[0].Last.At}}
		if rooms[0] != want || !want.Last.At.Equal(time.Unix(3, 0)) || rooms[1].Room != "b" || rooms[1].Count != 1 {
			t.Errorf("the rooms are %+v", rooms)
		}
		if rooms, err := log.Rooms(ctx, 1); err != nil || len(rooms) != 1 || rooms[0].Room != "a" {
			t.Errorf("the newest room is %+v, %v", rooms, err)
		}
		for before, want := range map[string]string{"": "23", "3": "02", "2": "0", "0": "", "gone": "23"} {
			entries, err := log.EntriesBefore(ctx, "a", before, 2)
			got := ""
			for _, e := range entries {
				got += e.ID
			}
			if err != nil || got != want {
				t.Errorf("before %q there is %q, %v, want %q", before, got, err, want)
			}
		}
	})
}
