package turn

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// A filing room takes files.
type filing struct{ *room }

func (f filing) Limits() platform.Limits {
	limits := f.room.Limits()
	limits.FileSize = 10_000
	return limits
}

const sendsFile = `Here it is. <actions><send-file path="report.pdf" caption="The report" cleanup="true"/></actions>`

// newFiling is a new process on a store, with a directory to send files from.
func newFiling(t *testing.T, s *store.Store, r *room, m model.Model, outbound string) *stage {
	t.Helper()
	st := newStageOn(t, s, r, m)
	st.Outbox.Platforms["test"] = filing{r}
	spec := messaging.SendFile(st.Outbox, st.Outbox, messaging.Folders{Allowed: []string{outbound}, Outbound: outbound, MaxSize: 1000})
	registry, err := action.NewRegistry(append(st.Registry.Specs(), spec)...)
	if err != nil {
		t.Fatal(err)
	}
	st.Registry = registry
	return st
}

// firstFiling is one with a store and a file of its own, which has got a message.
func firstFiling(t *testing.T) (s *stage, outbound string, turn *store.Turn) {
	t.Helper()
	outbound = t.TempDir()
	if err := os.WriteFile(filepath.Join(outbound, "report.pdf"), []byte("%PDF-1.7 report"), 0o600); err != nil {
		t.Fatal(err)
	}
	first := newStage(t, storetest.Dir(t), say(sendsFile))
	s = newFiling(t, first.Store, first.room, first.Model, outbound)
	if _, err := s.Store.Receive(t.Context(), message("a", "1", "hi"), true); err != nil {
		t.Fatal(err)
	}
	turn, err := s.Store.NextTurn(t.Context(), "test/a")
	if err != nil {
		t.Fatal(err)
	}
	return s, outbound, turn
}

// checkFile asks that the file was posted once, and is gone.
func (s *stage) checkFile(outbound string) {
	s.t.Helper()
	s.room.mu.Lock()
	posts := s.room.posts
	s.room.mu.Unlock()
	var files []platform.File
	for _, p := range posts {
		files = append(files, p.Files...)
	}
	if len(files) != 1 || string(files[0].Data) != "%PDF-1.7 report" || files[0].Name != "report.pdf" || files[0].Type != "application/pdf" {
		s.t.Errorf("the files in the room are %+v", files)
	}
	if len(posts) != 2 || posts[0].Text != "The report" || posts[1].Text != "Here it is." {
		s.t.Errorf("the posts are %+v", posts)
	}
	if left, err := os.ReadDir(outbound); err != nil || len(left) != 0 {
		s.t.Errorf("left are %v, %v", left, err)
	}
}

func TestAFileInAReplyIsPosted(t *testing.T) {
	s, outbound, _ := firstFiling(t)
	s.start()
	s.settled(1)
	s.checkFile(outbound)
}

func TestAFileIsPostedOnceThoughTheProcessEnded(t *testing.T) {
	post := func(s *stage, turn *store.Turn) store.Post {
		return store.Post{Key: s.call(turn, &store.Action{}).Key, Turn: turn.ID, Room: turn.Message.Room, Text: "The report", State: store.Queued}
	}
	file := platform.NewFile("report.pdf", "", []byte("%PDF-1.7 report"))
	tests := []struct {
		name   string
		before func(s *stage, turn *store.Turn, outbound string) error
	}{
		{"before anything was done", func(*stage, *store.Turn, string) error { return nil }},
		{"when the post was stored, and the file is gone since", func(s *stage, turn *store.Turn, outbound string) error {
			return errors.Join(s.Store.AddPost(t.Context(), post(s, turn), file), os.Remove(filepath.Join(outbound, "report.pdf")))
		}},
		{"when it was sent and the receipt was not stored", func(s *stage, turn *store.Turn, _ string) error {
			p := post(s, turn)
			s.room.Post(t.Context(), platform.Post{Key: p.Key, Room: p.Room, Text: p.Text, Files: []platform.File{file}})
			return s.Store.AddPost(t.Context(), p, file)
		}},
		{"when the receipt was stored and the file not removed", func(s *stage, turn *store.Turn, _ string) error {
			p := post(s, turn)
			_, err := s.Outbox.SendFile(t.Context(), turn.ID, p.Key, p.Room, p.Text, func() (platform.File, error) { return file, nil })
			return err
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, outbound, turn := firstFiling(t)
			if err := s.generate(t.Context(), turn); err != nil {
				t.Fatal(err)
			}
			if err := test.before(s, turn, outbound); err != nil {
				t.Fatal(err)
			}
			second := newFiling(t, s.Store, s.room, s.Model, outbound)
			second.start()
			second.settled(1)
			second.checkFile(outbound)
		})
	}
}

func TestAFileThatIsNotSentIsReported(t *testing.T) {
	s, outbound, _ := firstFiling(t)
	if err := os.Remove(filepath.Join(outbound, "report.pdf")); err != nil {
		t.Fatal(err)
	}
	s.start()
	s.settled(1)
	want := "Here it is.\n\nFailed: could not send report.pdf: there is no such file in the directories that files may be sent from"
	if got := s.room.texts("a"); len(got) != 1 || got[0] != want {
		t.Errorf("posts are %q", got)
	}
}

func TestAPlatformWithoutFilesSaysSo(t *testing.T) {
	s, _, _ := firstFiling(t)
	s.Outbox.Platforms["test"] = s.room
	s.start()
	s.settled(1)
	if got := s.room.texts("a"); len(got) != 1 || got[0] != "Here it is.\n\nFailed: test cannot send files" {
		t.Errorf("posts are %q", got)
	}
}
