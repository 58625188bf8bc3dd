package web_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

func TestAFileIsNeverMoreThanAPictureToABrowser(t *testing.T) {
	tests := []struct {
		name, file, declared, data string
		kind, disposition          string
	}{
		{"a picture", "cat.png", "image/png", png, "image/png", "inline; filename=cat.png"},
		{"a picture by another name", "cat.html", "text/html", png, "image/png", "inline; filename=cat.html"},
		{"a page", "cat.html", "text/html", "<script>alert(1)</script>", "application/octet-stream", "attachment; filename=cat.html"},
		{"a page that claims to be a picture", "cat.png", "image/png", "<html><script>alert(1)</script>", "application/octet-stream", "attachment; filename=cat.png"},
		{"a drawing", "cat.svg", "image/svg+xml", "<svg onload='alert(1)'/>", "application/octet-stream", "attachment; filename=cat.svg"},
		{"a script", "cat.js", "text/javascript", "alert(1)", "application/octet-stream", "attachment; filename=cat.js"},
		{"a document", "a b.pdf", "application/pdf", "%PDF-1.7", "application/octet-stream", `attachment; filename="a b.pdf"`},
		{"a name in another script", "猫.txt", "", "meow", "application/octet-stream", "attachment; filename*=utf-8''%E7%8C%AB.txt"},
		{"a name that would end the header", "a\r\nSet-Cookie: x=y\".txt", "", "meow", "application/octet-stream", `attachment; filename="a Set-Cookie x=y.txt"`},
		{"nothing", "empty", "", "", "application/octet-stream", "attachment; filename=empty"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newRunningPage(t, nil)
			f := platform.File{Name: test.file, Type: test.declared, Data: []byte(test.data)}
			if r := p.Post(t.Context(), platform.Post{Key: "1", Room: lobby, Files: []platform.File{f}}); r.Outcome != platform.Delivered {
				t.Fatalf("%+v", r)
			}
			got := p.answer(p.request("GET", "/api/v1/files/"+p.messages("lobby", "")[0].Files[0].ID, ""))
			for name, want := range map[string]string{
				"Content-Type": test.kind, "Content-Disposition": test.disposition, "X-Content-Type-Options": "nosniff",
				"Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'", "Set-Cookie": "",
				"Cross-Origin-Resource-Policy": "same-origin",
			} {
				if got := got.header.Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if got.status != 200 || got.body != test.data {
				t.Errorf("got %d %q", got.status, got.body)
			}
		})
	}
}

func TestAFileThatIsNotThere(t *testing.T) {
	p := newRunningPage(t, nil)
	for _, id := range []string{"f1", "%2e%2e", "x", strings.Repeat("f", 5000)} {
		if status, body := p.do("GET", "/api/v1/files/"+id, ""); status != 404 || errorOf(t, body) != "there is no such file" {
			t.Errorf("%.20s: got %d %s", id, status, body)
		}
	}
	if status, _ := p.do("POST", "/api/v1/files/f1", ""); status != 405 {
		t.Errorf("POST: got %d", status)
	}
}

func TestAFileOfALogThatFails(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) { o.Log = brokenLog{err: errors.New("disk on fire")} })
	if status, body := p.do("GET", "/api/v1/files/f1", ""); status != 500 || errorOf(t, body) != "the file could not be read; try again" {
		t.Errorf("got %d %s", status, body)
	}
}

func TestAFileIsReadableOnlyWithTheToken(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) { o.Token = token })
	if status, _ := p.do("GET", "/api/v1/files/f1", ""); status != 401 {
		t.Errorf("got %d", status)
	}
}

func TestAPostWithAFileThatIsTooLargeIsRefused(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) { o.FileSize = 1024 })
	post := platform.Post{Key: "1", Room: lobby, Files: []platform.File{platform.NewFile("a", "", make([]byte, 1025))}}
	if r := p.Post(t.Context(), post); r.Outcome != platform.Refused || r.Reason != "the web page takes files up to 1 KB" {
		t.Errorf("got %+v", r)
	}
}
