package platformtest

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/asidehq/aside/platform"
)

// An Attacher is a Server whose people can attach files to their messages.
type Attacher interface {
	// Attach is Write with files, of which Name, Type and Data are given.
	Attach(room platform.Room, text string, files ...platform.File) (id string)
}

// Files as they come in chats: bytes that are no text, and names that are no ASCII.
func someFiles() []platform.File {
	picture := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\xff\xfe")
	return []platform.File{
		platform.NewFile("kitten.png", "image/png", picture),
		platform.NewFile("Über uns.txt", "text/plain", []byte("Hello.\r\n\r\n--\r\nBye.\n")),
	}
}

// uploads tells whether the adapter posts files, and that the harness says so.
func uploads(t T, h Harness, p platform.Platform) bool {
	t.Helper()
	has := p.Limits().FileSize > 0
	switch {
	case h.Upload == Unsaid:
		t.Fatalf("the harness does not say whether the adapter can send files (Upload)")
	case h.Upload == Can && !has:
		t.Fatalf("the harness says that the adapter can send files, but its FileSize is 0")
	case h.Upload == Cannot && has:
		t.Fatalf("the harness says that the adapter cannot send files, but it has a FileSize")
	}
	return has
}

func (s *session) upload(key, text string, files ...platform.File) platform.Receipt {
	return s.obey(s.adapter.Post(s.ctx, platform.Post{Key: key, Room: s.room, Text: text, Files: files}))
}

// hold checks which files stand in the room, all posts together.
func (s *session) hold(want ...platform.File) {
	s.t.Helper()
	var got []platform.File
	for _, p := range s.server.Posts(s.room) {
		got = append(got, p.Files...)
	}
	if !slices.EqualFunc(got, want, sameFile) {
		s.t.Errorf("the files in the room are %s, want %s", names(got), names(want))
	}
}

func sameFile(a, b platform.File) bool { return a.Name == b.Name && bytes.Equal(a.Data, b.Data) }

func names(files []platform.File) string {
	var all []string
	for _, f := range files {
		all = append(all, platform.SizeText(int64(len(f.Data)))+" of "+f.Name)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func checkUpload(t T, h Harness) {
	s := start(t, h)
	if !uploads(t, h, s.adapter) {
		return
	}
	files := someFiles()
	s.delivered(s.upload("one", "Look.", files[0]), "a post with a file")
	s.stands("Look.")
	s.hold(files[0])
	s.delivered(s.upload("two", "And these.", files[1], files[0]), "a post with two files")
	s.stands("Look.", "And these.")
	s.hold(files[0], files[1], files[0])
	s.delivered(s.upload("three", "", files[1]), "a post of a file alone")
	s.hold(files[0], files[1], files[0], files[1])
	s.stop()
}

func checkUploadKeys(t T, h Harness) {
	s := start(t, h)
	if !uploads(t, h, s.adapter) || h.Keys != Can {
		return
	}
	file := someFiles()[0]
	first := s.upload("same", "Only once.", file)
	s.delivered(first, "a post with a file")
	again := s.upload("same", "Only once.", file)
	s.delivered(again, "the same post with a file again")
	if again.ID != first.ID {
		t.Errorf("the same post has the ids %q and %q", first.ID, again.ID)
	}
	s.stands("Only once.")
	s.hold(file)
	s.server.Fail(Lose)
	if r := s.upload("lost", "", file); r.Outcome != platform.Unknown && r.Outcome != platform.Delivered {
		t.Errorf("a file whose answer was lost is %s", r.Outcome)
	}
	s.delivered(s.upload("lost", "", file), "a file that was tried again because the answer was lost")
	s.hold(file, file)
	s.stop()
}

// largestTried is how large a limit is tried out.
const largestTried = 64 << 20

func checkUploadHonest(t T, h Harness) {
	s := start(t, h)
	if !uploads(t, h, s.adapter) {
		return
	}
	file := someFiles()[0]
	if h.Refuse == Can {
		s.server.Fail(Refuse)
		if r := s.upload("refused", "No.", file); r.Outcome != platform.Refused || r.Reason == "" {
			t.Errorf("a file that was refused is %s with the reason %q", r.Outcome, r.Reason)
		}
		s.server.Fail(Limit)
		if r := s.upload("limited", "Later.", file); r.Outcome != platform.Limited || r.RetryAfter < RetryAfter {
			t.Errorf("a file that was rate-limited is %s and says to wait %v, want %v", r.Outcome, r.RetryAfter, RetryAfter)
		}
		s.stands()
		s.hold()
	}
	if most := s.adapter.Limits().FileSize; most <= largestTried {
		full := platform.NewFile("full.bin", "", make([]byte, most))
		s.delivered(s.upload("full", "", full), "a file that is exactly as large as the limit")
		s.hold(full)
		r := s.upload("over", "", platform.NewFile("over.bin", "", make([]byte, most+1)))
		if r.Outcome != platform.Refused || r.Reason == "" {
			t.Errorf("a file over the limit is %s with the reason %q", r.Outcome, r.Reason)
		}
		s.hold(full)
	}
	s.stop()
}

// attacher is the server if people there can attach files.
func attacher(t T, h Harness, s *session) (Attacher, bool) {
	t.Helper()
	a, ok := s.server.(Attacher)
	switch {
	case h.Attach == Unsaid:
		t.Fatalf("the harness does not say whether people can attach files (Attach)")
	case h.Attach == Can && !ok:
		t.Fatalf("the harness says that people can attach files, but its server is no Attacher")
	}
	return a, h.Attach == Can
}

func checkAttached(t T, h Harness) {
	s := prepare(t, h)
	people, ok := attacher(t, h, s)
	if !ok {
		return
	}
	// The first time it cannot be stored: the files come again with the message.
	var mu sync.Mutex
	failed := false
	s.inbox.Before(func(_ context.Context, m platform.Message) error {
		mu.Lock()
		defer mu.Unlock()
		if !failed {
			failed = true
			return ErrNotStored
		}
		return nil
	})
	s.run()
	files := someFiles()
	ids := []string{people.Attach(s.room, "Look at these.", files...), people.Attach(s.room, "", files[0]), s.write("And?")}
	s.expect(ids...)
	for i, want := range [][]platform.File{files, files[:1], nil} {
		m := s.inbox.Messages()[i]
		if !slices.EqualFunc(m.Files, want, sameFile) {
			t.Errorf("the files of message %d are %s, want %s", i, names(m.Files), names(want))
		}
		for _, f := range m.Files {
			if f.Size != int64(len(f.Data)) || f.Type == "" {
				t.Errorf("the file %s has the size %d and the type %q", f.Name, f.Size, f.Type)
			}
		}
	}
	if got := s.inbox.Messages()[0].Text; got != "Look at these." {
		t.Errorf("the text with the files is %q", got)
	}
	s.stop()
}
