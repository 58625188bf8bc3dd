package store_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"

func attached(id, name, data string) platform.File {
	return platform.File{ID: id, Name: name, Data: []byte(data)}
}

// stored asks that bytes can be read by their sums.
func stored(t *testing.T, s *store.Store, data ...string) {
	t.Helper()
	for _, d := range data {
		got, err := s.Bytes(t.Context(), store.Sum([]byte(d)))
		if err != nil || string(got) != d {
			t.Errorf("%q is kept as %q, %v", d, got, err)
		}
	}
}

func TestAMessageIsStoredWithItsFiles(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		m := message("a", "1", "")
		m.Files = []platform.File{
			attached("f1", "../cat\n.png", png), attached("f2", "again.png", png), attached("f3", "nothing.txt", ""),
			{ID: "f4", Name: "film.mp4", Type: "video/mp4", Kind: platform.KindFile, Size: 1 << 30, Data: []byte{0, 1, 255, 0}},
		}
		turn := receive(t, s, m)
		if r, err := s.Receive(t.Context(), m, true); err != nil || r.Fresh {
			t.Fatalf("the second time: %+v, %v", r, err)
		}
		files, err := s.AttachedFiles(t.Context(), "web/a", turn, turn)
		if err != nil {
			t.Fatal(err)
		}
		want := []store.Attached{
			{Turn: turn, File: platform.File{Name: "cat .png", Type: "image/png", Size: 16}, Sum: store.Sum([]byte(png))},
			{Turn: turn, File: platform.File{Name: "again.png", Type: "image/png", Size: 16}, Sum: store.Sum([]byte(png))},
			{Turn: turn, File: platform.File{Name: "nothing.txt", Type: "text/plain"}, Sum: store.Sum(nil)},
			{Turn: turn, File: platform.File{Name: "film.mp4", Type: "application/octet-stream", Kind: platform.KindFile, Size: 4}, Sum: store.Sum([]byte{0, 1, 255, 0})},
		}
		if !reflect.DeepEqual(files, want) {
			t.Errorf("the files are\n%+v, want\n%+v", files, want)
		}
		stored(t, s, png, "", "\x00\x01\xff\x00")
		entries, err := store.Web{Store: s}.Entries(t.Context(), "a", "", 10)
		if err != nil || len(entries) != 1 || len(entries[0].Files) != 4 || !reflect.DeepEqual(entries[0].Files[0], web.File{ID: "f1", Name: "cat .png", Type: "image/png", Size: 16}) {
			t.Errorf("entries are %+v, %v", entries, err)
		}
	})
}

func TestAFileThatWasNotFetchedIsKnownByItsName(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		m := message("a", "1", "look")
		m.Room.Platform = "discord"
		m.Files = []platform.File{{ID: "9", Name: "film.mp4", Type: "video/mp4", Size: 1 << 30}}
		turn := receive(t, s, m)
		files, err := s.AttachedFiles(t.Context(), "discord/a", turn, turn)
		want := []store.Attached{{Turn: turn, File: platform.File{Name: "film.mp4", Type: "video/mp4", Size: 1 << 30}}}
		if err != nil || !reflect.DeepEqual(files, want) {
			t.Errorf("the files are %+v, %v", files, err)
		}
	})
}

func TestFilesOfAHistoryComeNewestFirstAndFromNowhereElse(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		var turns []int64
		for i := range 4 {
			m := message("a", fmt.Sprint(i), "look")
			m.Files = []platform.File{attached(fmt.Sprint("a", i), fmt.Sprint(i, ".png"), png), attached(fmt.Sprint("b", i), fmt.Sprint(i, ".txt"), "text")}
			turns = append(turns, receive(t, s, m))
			other := message("b", fmt.Sprint(i), "look")
			other.Files = []platform.File{attached(fmt.Sprint("c", i), "other.png", png)}
			receive(t, s, other)
		}
		files, err := s.AttachedFiles(t.Context(), "web/a", turns[1], turns[2])
		var names []string
		for _, f := range files {
			names = append(names, f.Name)
		}
		if got, want := strings.Join(names, " "), "2.png 2.txt 1.png 1.txt"; err != nil || got != want {
			t.Errorf("the files are %s, %v, want %s", got, err, want)
		}
	})
}

func TestAPostKeepsItsFilesUntilItCanBeSent(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		id := receive(t, s, message("a", "1", "hi"))
		p := store.Post{Key: "k", Turn: id, Room: platform.Room{Platform: "web", ID: "a"}, Text: "look", State: store.Queued}
		file := attached("", "cat.png", png)
		file.Kind = platform.KindImage
		for range 2 { // again, as after a crash
			if err := s.AddPost(t.Context(), p, file); err != nil {
				t.Fatal(err)
			}
		}
		read, err := s.PostByKey(t.Context(), "k")
		if err != nil || read.Files != 1 {
			t.Fatalf("the post is %+v, %v", read, err)
		}
		files, err := s.PostFiles(t.Context(), *read)
		want := []platform.File{{Name: "cat.png", Type: "image/png", Kind: platform.KindImage, Size: 16, Data: []byte(png)}}
		if err != nil || !reflect.DeepEqual(files, want) {
			t.Errorf("its files are %+v, %v", files, err)
		}
		if sums, err := s.PostSums(t.Context(), "k"); err != nil || len(sums) != 1 || sums[0] != store.Sum([]byte(png)) {
			t.Errorf("its sums are %v, %v", sums, err)
		}
		if files, err := s.PostFiles(t.Context(), store.Post{Key: "other"}); files != nil || err != nil {
			t.Errorf("a post without any has %+v, %v", files, err)
		}
	})
}

func TestTheFilesOfAnEntryCanBeReadAsLongAsItStands(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		log := store.Web{Store: s}
		e := web.Entry{ID: "1", Room: "a", Kind: "agent", Text: "look", Files: []web.File{{ID: "f1", Name: "cat.png", Data: []byte(png)}}}
		for i := range 2 { // the second time with another id, as after a crash
			e.Files[0].ID = fmt.Sprint("f", i+1)
			if err := log.Add(ctx, e); err != nil {
				t.Fatal(err)
			}
		}
		f, err := log.File(ctx, "f1")
		if want := (&web.File{ID: "f1", Name: "cat.png", Type: "image/png", Size: 16, Data: []byte(png)}); err != nil || !reflect.DeepEqual(f, want) {
			t.Errorf("the file is %+v, %v", f, err)
		}
		if f, err := log.File(ctx, "f2"); f != nil || err != nil {
			t.Errorf("there is a second one: %+v, %v", f, err)
		}
		if found, err := log.Delete(ctx, "a", "1"); err != nil || !found {
			t.Fatalf("%v, %v", found, err)
		}
		if f, err := log.File(ctx, "f1"); f != nil || err != nil {
			t.Errorf("what was deleted can still be read: %+v, %v", f, err)
		}
		events, err := log.Events(ctx, "a", 0, 10)
		if err != nil || len(events) != 2 || !strings.Contains(string(events[0].Body), `"files":[{"id":"f1","name":"cat.png","type":"image/png","size":16}]`) || !strings.Contains(string(events[1].Body), `"files":[]`) {
			t.Errorf("events are %+v, %v", events, err)
		}
	})
}

func TestTheSameFilesSentByManyAtOnceInAnyOrderAreAllStored(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		one, two := string(bytes.Repeat([]byte("one"), 10_000)), string(bytes.Repeat([]byte("two"), 10_000))
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				m := message(fmt.Sprint("room", i), "1", "")
				m.Files = []platform.File{attached(fmt.Sprint("a", i), "1", one), attached(fmt.Sprint("b", i), "2", two)}
				if i%2 == 1 {
					m.Files[0], m.Files[1] = m.Files[1], m.Files[0]
				}
				if _, err := s.Receive(t.Context(), m, true); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		stored(t, s, one, two)
	})
}
