package turn

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// newNaming is a stage with a directory to send files from, which has two, and one that
// must not be sent.
func newNaming(t *testing.T, reply func(outbound string) string) (s *stage, outbound string) {
	t.Helper()
	outbound, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"report.pdf": "%PDF-1.7 report", "a b.txt": "words", "id_rsa": "secret", "large.bin": strings.Repeat("x", 2000)} {
		if err := os.WriteFile(filepath.Join(outbound, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first := newStage(t, storetest.Dir(t), nil)
	s = newFiling(t, first.Store, first.room, say(reply(outbound)), outbound)
	s.Gatherer.Registry = s.Registry
	s.Sendable = messaging.Folders{Allowed: []string{outbound}, Outbound: outbound, MaxSize: 1000}.Sendable
	return s, outbound
}

func TestAReplyDoesNotPointToAPathOnTheServer(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "other.txt")
	if err := os.WriteFile(elsewhere, []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, reply, want string // OUT is the directory
		files             []string
	}{
		{"a path in a sentence", "It is in OUT/report.pdf.", "It is in report.pdf.", []string{"report.pdf"}},
		{"a path in a span of code", "Saved as `OUT/report.pdf`", "Saved as `report.pdf`", []string{"report.pdf"}},
		{"a path with a space in a span of code", "Saved as `OUT/a b.txt`!", "Saved as `a b.txt`!", []string{"a b.txt"}},
		{"the target of a link", "See [the report](OUT/report.pdf).", "See the report (report.pdf).", []string{"report.pdf"}},
		{"a picture", "![](OUT/report.pdf)", "report.pdf", []string{"report.pdf"}},
		{"a URL of a file", "file://OUT/report.pdf", "report.pdf", []string{"report.pdf"}},
		{"a path in the directory", "It is ./report.pdf", "It is report.pdf", []string{"report.pdf"}},
		{"two files", "(OUT/report.pdf, \"OUT/a b.txt\") and `OUT/a b.txt`", "(report.pdf, \"OUT/a b.txt\") and `a b.txt`", []string{"report.pdf", "a b.txt"}},
		{"a file twice", "OUT/report.pdf and OUT/./report.pdf", "report.pdf and report.pdf", []string{"report.pdf"}},
		{"a file that the reply sends as well", `Here: OUT/report.pdf <actions><send-file path="report.pdf"/></actions>`, "Here: report.pdf", []string{"report.pdf"}},
		{"a path in a block of code", "Run:\n```\ncat OUT/report.pdf\n```", "Run:\n```\ncat OUT/report.pdf\n```", nil},
		{"a command in a span of code", "Run `cat OUT/report.pdf`", "Run `cat OUT/report.pdf`", nil},
		{"a bare name", "It is report.pdf", "It is report.pdf", nil},
		{"a file that is not there", "OUT/nothing.txt", "OUT/nothing.txt", nil},
		{"a file elsewhere", elsewhere, elsewhere, nil},
		{"a way out of the directory", "OUT/../" + filepath.Base(elsewhere), "OUT/../" + filepath.Base(elsewhere), nil},
		{"a file with secrets", "OUT/id_rsa", "OUT/id_rsa", nil},
		{"a file that is too large", "OUT/large.bin", "OUT/large.bin", nil},
		{"the directory", "OUT/", "OUT/", nil},
		{"a web address", "https://example.comOUT/report.pdf", "https://example.comOUT/report.pdf", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, outbound := newNaming(t, func(out string) string { return strings.ReplaceAll(test.reply, "OUT", out) })
			s.start()
			s.say("a", "1", "where is it?")
			s.settled(1)
			var files []string
			text := ""
			for _, p := range s.room.posts {
				for _, f := range p.Files {
					files = append(files, f.Name)
					if text != "" {
						t.Error("a file comes after the text")
					}
				}
				text += p.Text
			}
			if want := strings.ReplaceAll(test.want, "OUT", outbound); text != want || !slices.Equal(files, test.files) {
				t.Errorf("the text is %q, want %q; the files are %q, want %q", text, want, files, test.files)
			}
		})
	}
}

func TestAPathIsNotEvenSeenWhileItIsWritten(t *testing.T) {
	s, outbound := newNaming(t, func(out string) string {
		return "The report is in " + out + "/report.pdf, as you wished, and it has everything that you asked for."
	})
	now := time.Now()
	s.Now = func() time.Time { now = now.Add(time.Second); return now }
	seen := &watching{filing: filing{s.room}}
	s.Outbox.Platforms["test"] = seen
	s.start()
	s.say("a", "1", "where is it?")
	s.settled(1)
	if len(seen.texts) < 5 {
		t.Fatalf("it was not written bit by bit: %q", seen.texts)
	}
	for _, text := range seen.texts {
		if strings.Contains(text, outbound[:len(outbound)/2]) {
			t.Errorf("seen was %q", text)
		}
	}
}

// A watching room notes everything that was to be seen in it.
type watching struct {
	filing
	texts []string
}

func (w *watching) Edit(ctx context.Context, in platform.Room, post, text string) platform.Receipt {
	w.texts = append(w.texts, text)
	return w.filing.Edit(ctx, in, post, text)
}

func TestPathsAreLeftAloneWhereFilesCannotBeSent(t *testing.T) {
	tests := []struct {
		name   string
		change func(*stage)
	}{
		{"it is switched off", func(s *stage) { s.Sendable = nil }},
		{"the platform takes no files", func(s *stage) { s.Outbox.Platforms["test"] = s.room }},
		{"the actions are switched off", func(s *stage) { s.Policy.Enabled = false }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, outbound := newNaming(t, func(out string) string { return "It is " + out + "/report.pdf" })
			test.change(s)
			s.start()
			s.say("a", "1", "where is it?")
			s.settled(1)
			if got := s.room.texts("a"); !slices.Equal(got, []string{"It is " + outbound + "/report.pdf"}) {
				t.Errorf("posts are %q", got)
			}
		})
	}
}
