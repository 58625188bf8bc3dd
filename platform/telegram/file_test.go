package telegram_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/telegram"
)

var picture = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\xff\xfe")

func TestEveryKindOfFileComesIn(t *testing.T) {
	f := start(t)
	for _, test := range []struct{ kind, name, fileType, caption, text, want string }{
		{"photo", "", "image/png", "look", "look", "photo-"},
		{"document", "notes.txt", "text/plain", "", "", "notes.txt"},
		{"audio", "song.mp3", "audio/mpeg", "listen", "listen", "song.mp3"},
		{"voice", "", "", "", "", "voice-"},
		{"video", "film.mp4", "video/mp4", "", "", "film.mp4"},
		{"animation", "cat.mp4", "video/mp4", "", "", "cat.mp4"},
		{"sticker", "", "", "", "(sticker: 👍)", "sticker-"},
	} {
		t.Run(test.kind, func(t *testing.T) {
			f.t = t
			id := f.WriteLine(f.Ada, f.Private, telegramtest.Line{Text: test.caption, Files: []telegramtest.Attached{
				{Kind: test.kind, File: telegramtest.File{Name: test.name, Type: test.fileType, Data: picture}},
			}})
			m := f.arrived(id)
			if m.Text != test.text || len(m.Files) != 1 || !strings.HasPrefix(m.Files[0].Name, test.want) || !bytes.Equal(m.Files[0].Data, picture) {
				t.Errorf("%+v", m)
			}
		})
	}
}

func TestAFileThatDoesNotComeArrivesByItsName(t *testing.T) {
	for _, test := range []struct {
		name   string
		size   int
		faults []telegramtest.Fault
		data   bool
	}{
		{"it is too large", 101, nil, false},
		{"it is as large as may be", 100, nil, true},
		{"it comes at the second try", 10, []telegramtest.Fault{{Method: "download", Status: 502}}, true},
		{"it comes after all", 10, []telegramtest.Fault{{Method: "getFile"}, {Method: "download"}}, true},
		{"it is gone", 10, []telegramtest.Fault{{Method: "getFile", Status: 400, Description: "Bad Request: wrong file_id or the file is temporarily unavailable"}}, false},
		{"it never comes", 10, []telegramtest.Fault{{Method: "download", Status: 502}, {Method: "download", Status: 502}, {Method: "download", Status: 502}}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := start(t, func(o *telegram.Options) { o.FileSize = 100 })
			for _, fault := range test.faults {
				f.Fail(fault)
			}
			id := f.WriteLine(f.Ada, f.Private, telegramtest.Line{Text: "look", Files: []telegramtest.Attached{
				{File: telegramtest.File{Name: "a.bin", Data: make([]byte, test.size)}},
			}})
			m := f.arrived(id)
			if len(m.Files) != 1 || m.Files[0].Name != "a.bin" || m.Files[0].Size != int64(test.size) || (m.Files[0].Data != nil) != test.data {
				t.Errorf("%+v", m.Files)
			}
		})
	}
}

func TestFilesOfAnAlbumAreTogetherNoLargerThanWhatFits(t *testing.T) {
	f := start(t, func(o *telegram.Options) { o.FileSize = 100 })
	var line telegramtest.Line
	for range 3 {
		line.Files = append(line.Files, telegramtest.Attached{File: telegramtest.File{Name: "a.bin", Data: make([]byte, 40)}})
	}
	m := f.arrived(f.WriteLine(f.Ada, f.Private, line))
	if len(m.Files) != 3 || m.Files[0].Data == nil || m.Files[1].Data == nil || m.Files[2].Data != nil {
		t.Errorf("%+v", m.Files)
	}
}

func TestFilesGoOutInTheirKind(t *testing.T) {
	file := func(name, fileType string, kind platform.Kind, data []byte) platform.File {
		out := platform.NewFile(name, fileType, data)
		out.Kind = kind
		return out
	}
	for _, test := range []struct {
		name, text string
		file       platform.File
		kind       string
		texts      []string
	}{
		{"a picture", "Look.", file("a.png", "image/png", platform.KindAny, picture), "photo", []string{"Look."}},
		{"a picture as a file", "Look.", file("a.png", "image/png", platform.KindFile, picture), "document", []string{"Look."}},
		{"a picture that is too large for one", "", file("a.png", "image/png", platform.KindImage, append(picture, make([]byte, 10<<20)...)), "document", []string{""}},
		{"what only claims to be a picture", "", file("a.png", "image/png", platform.KindImage, []byte("no picture")), "document", []string{""}},
		{"a text", "**Read** this.", file("a.txt", "", platform.KindAny, []byte("hello")), "document", []string{"Read this."}},
		{"speech", "", file("speech.ogg", "audio/ogg", platform.KindAudio, []byte("OggS")), "audio", []string{""}},
		{"a text that is too long to stand below it", strings.Repeat("x", 1025), file("a.txt", "", platform.KindAny, []byte("hello")), "document", []string{strings.Repeat("x", 1025), ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := prepare(t)
			post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: test.text, Files: []platform.File{test.file}}
			// The first answer to each request is lost, and it is asked again with the same key.
			f.Fail(telegramtest.Fault{Method: "sendMessage", Done: true})
			f.Fail(telegramtest.Fault{Method: "editMessageMedia", Done: true})
			for range 3 {
				if r := f.Post(f.ctx, post); r.Outcome == platform.Delivered {
					break
				}
			}
			posts := f.Posts(f.Private)
			f.stand(f.Private, test.texts...)
			last := posts[len(posts)-1]
			if last.Kind != test.kind || last.File.Name != test.file.Name || !bytes.Equal(last.File.Data, test.file.Data) {
				t.Errorf("%s with %d bytes of %q", last.Kind, len(last.File.Data), last.File.Name)
			}
		})
	}
}

func TestAPictureThatTelegramCannotReadGoesAsAFile(t *testing.T) {
	f := prepare(t)
	f.Fail(telegramtest.Fault{Method: "editMessageMedia", Status: 400, Description: "Bad Request: IMAGE_PROCESS_FAILED"})
	r := f.Post(f.ctx, platform.Post{Key: "key", Room: at(f.Private, 0), Files: []platform.File{platform.NewFile("a.png", "image/png", picture)}})
	if posts := f.Posts(f.Private); r.Outcome != platform.Delivered || len(posts) != 1 || posts[0].Kind != "document" {
		t.Errorf("%+v: %+v", r, posts)
	}
}

func TestSeveralFilesAreDeliveredOnceEachWhateverIsLost(t *testing.T) {
	notes := func(name string) platform.File { return platform.NewFile(name, "", []byte(name)) }
	for _, test := range []struct {
		name  string
		files []platform.File
		kinds []string
	}{
		{"a file between pictures", []platform.File{platform.NewFile("a.png", "image/png", picture), notes("b.txt"), platform.NewFile("c.png", "image/png", picture)}, []string{"photo", "document", "photo"}},
		{"a picture and a file", []platform.File{platform.NewFile("a.png", "image/png", picture), notes("b.txt")}, []string{"photo", "document"}},
	} {
		for _, done := range []bool{false, true} {
			for lost := range test.files {
				t.Run(fmt.Sprintf("%s, the answer to file %d is lost, done: %v", test.name, lost, done), func(t *testing.T) {
					f := prepare(t)
					post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Look.", Files: test.files}
					post.Opened = f.Open(f.ctx, post).ID
					filled := 0
					f.Chaos(func(method string) *telegramtest.Fault {
						if filled++; method == "editMessageMedia" && filled == lost+1 {
							return &telegramtest.Fault{Done: done}
						}
						return nil
					})
					if r := f.Post(f.ctx, post); r.Outcome != platform.Unknown {
						t.Fatalf("%+v", r)
					}
					f.adapter() // another process takes it up
					if r := f.Post(f.ctx, post); r.Outcome != platform.Delivered || r.ID != post.Opened {
						t.Fatalf("%+v", r)
					}
					posts := f.Posts(f.Private)
					if len(posts) != len(test.files) || posts[0].Text != "Look." {
						t.Fatalf("there stand %+v", posts)
					}
					for i, p := range posts {
						if p.Kind != test.kinds[i] || p.File.Name != test.files[i].Name || p.Text == "…" || i > 0 && p.Text != "" {
							t.Errorf("there stands %+v", p)
						}
					}
				})
			}
		}
	}
}

func TestAPostOfSeveralFilesIsOnePost(t *testing.T) {
	f := prepare(t)
	post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Look.", Files: []platform.File{
		platform.NewFile("a.txt", "", []byte("a")), platform.NewFile("b.png", "", picture),
	}}
	post.Opened = f.Open(f.ctx, post).ID
	// After a crash in the middle it goes on with what was opened.
	f.Fail(telegramtest.Fault{Method: "editMessageMedia"})
	if r := f.Post(f.ctx, post); r.Outcome != platform.Unknown {
		t.Errorf("%+v", r)
	}
	f.adapter()
	r := f.Post(f.ctx, post)
	if r.Outcome != platform.Delivered || r.ID != post.Opened || strings.Count(r.ID, ",") != 1 {
		t.Errorf("%+v", r)
	}
	f.stand(f.Private, "Look.", "")
	if r := f.Telegram.Delete(f.ctx, post.Room, r.ID); r.Outcome != platform.Delivered {
		t.Errorf("%+v", r)
	}
	f.stand(f.Private)
}
