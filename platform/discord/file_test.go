package discord_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/discord"
)

func TestFilesOfAMessage(t *testing.T) {
	picture := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Errorf("an address that is not Discord's was asked")
	}))
	defer elsewhere.Close()
	for _, test := range []struct {
		name string
		file discordtest.File
		want platform.File
	}{
		{"a picture", discordtest.File{Name: "cat.png", Type: "image/png", Data: picture}, platform.File{Name: "cat.png", Type: "image/png", Data: picture}},
		{"a picture that is none", discordtest.File{Name: "cat.png", Type: "image/png", Data: []byte("hello")}, platform.File{Name: "cat.png", Type: "text/plain", Data: []byte("hello")}},
		{"a name that is a path", discordtest.File{Name: "../../etc/passwd", Data: []byte("x")}, platform.File{Name: "passwd", Type: "text/plain", Data: []byte("x")}},
		{"nothing in it", discordtest.File{Name: "empty.txt", Data: []byte{}}, platform.File{Name: "empty.txt", Type: "text/plain", Data: []byte{}}},
		{"one that is too large", discordtest.File{Name: "big.bin", Data: make([]byte, 2000)}, platform.File{Name: "big.bin", Type: "application/octet-stream"}},
		{"one that is elsewhere", discordtest.File{Name: "x", Data: []byte("x"), URL: elsewhere.URL + "/secret"}, platform.File{Name: "x", Type: "application/octet-stream"}},
		{"one that is said to be a file here", discordtest.File{Name: "x", Data: []byte("x"), URL: "file:///etc/passwd"}, platform.File{Name: "x", Type: "application/octet-stream"}},
		{"one that is gone", discordtest.File{Name: "x", Data: []byte("x"), URL: "gone"}, platform.File{Name: "x", Type: "application/octet-stream"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := start(t, func(o *discord.Options) { o.FileSize = 1000 })
			if test.file.URL == "gone" {
				test.file.URL = strings.TrimSuffix(f.APIURL(), "/api/v10") + "/attachments/1/2/gone"
			}
			m := f.arrived(f.WriteLine(f.Ada, f.General, discordtest.Line{Text: "look", Files: []discordtest.File{test.file}}))
			if len(m.Files) != 1 {
				t.Fatalf("it has %d files", len(m.Files))
			}
			got := m.Files[0]
			if got.Name != test.want.Name || got.Type != test.want.Type || !bytes.Equal(got.Data, test.want.Data) ||
				(got.Data == nil) != (test.want.Data == nil) || got.Size != int64(len(test.file.Data)) || got.ID == "" {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestFilesOfAMessageTogetherAreNotTooLarge(t *testing.T) {
	f := start(t, func(o *discord.Options) { o.FileSize = 1000 })
	file := discordtest.File{Name: "x", Data: make([]byte, 600)}
	m := f.arrived(f.WriteLine(f.Ada, f.General, discordtest.Line{Files: []discordtest.File{file, file, {Name: "y", Data: []byte("small")}}}))
	if len(m.Files) != 3 || m.Files[0].Data == nil || m.Files[1].Data != nil || m.Files[2].Data == nil {
		t.Errorf("the files are %+v", m.Files)
	}
}

func TestALateFileIsPostedOnce(t *testing.T) {
	f := start(t)
	p := f.to("key", "")
	p.Files = []platform.File{platform.NewFile(`a "quoted" name.txt`, "text/plain", []byte("hello"))}
	f.Server.Fail(discordtest.Fault{Done: true})
	if r := f.Post(f.ctx, p); r.Outcome != platform.Unknown {
		t.Fatalf("the first try is %+v", r)
	}
	f.again()
	f.run()
	f.Pass(time.Hour)
	f.clock.Pass(time.Hour)
	r := f.Post(f.ctx, p)
	posts := f.Posts(f.General)
	if len(posts) != 1 || r.Outcome != platform.Delivered || r.ID != posts[0].ID {
		t.Errorf("the second try is %+v, and there are %d posts", r, len(posts))
	}
	p.Key, p.Files[0].Data = "other", []byte("another file")
	if r := f.Post(f.ctx, p); r.Outcome != platform.Delivered || len(f.Posts(f.General)) != 2 {
		t.Errorf("another file is %+v", r)
	}
}
