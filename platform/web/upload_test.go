package web_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"reflect"
	"strings"
	"testing"

	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"

// A part is a field of a form, or a file if it has a header for one.
type part struct{ header, kind, value string }

func field(name, value string) part { return part{`form-data; name="` + name + `"`, "", value} }

func file(name, kind, value string) part {
	return part{`form-data; name="file"; filename="` + name + `"`, kind, value}
}

// form is the body of a form and its Content-Type.
func form(t *testing.T, parts ...part) (body, kind string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		header := textproto.MIMEHeader{"Content-Disposition": {p.header}}
		if p.kind != "" {
			header.Set("Content-Type", p.kind)
		}
		to, err := w.CreatePart(header)
		if err == nil {
			_, err = io.WriteString(to, p.value)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

func (p *page) upload(room string, parts ...part) (int, string) {
	p.t.Helper()
	body, kind := form(p.t, parts...)
	return p.do("POST", "/api/v1/rooms/"+room+"/messages", body, "Content-Type", kind)
}

func TestAMessageWithFilesIsReceivedAndStandsInTheRoomWithThem(t *testing.T) {
	p := newRunningPage(t, nil)
	stream := p.follow("lobby", "")
	status, body := p.upload("lobby", field("text", "Look"), field("user", "Ada"), field("reply_to", "m0"),
		file("../../cat.png", "text/html", png), file("a%22b.md", "text/markdown", "# hi"))
	if status != http.StatusAccepted {
		t.Fatalf("got %d %s", status, body)
	}
	got := p.inbox.received()
	want := []platform.File{
		{ID: "f1", Name: "cat.png", Type: "image/png", Size: 16, Data: []byte(png)},
		{ID: "f2", Name: "a%22b.md", Type: "text/markdown", Size: 4, Data: []byte("# hi")},
	}
	if len(got) != 1 || got[0].Text != "Look" || got[0].Author.ID != "Ada" || got[0].ReplyTo != "m0" || !reflect.DeepEqual(got[0].Files, want) {
		t.Errorf("received %+v", got)
	}
	const files = `"files":[{"id":"f1","name":"cat.png","type":"image/png","size":16},{"id":"f2","name":"a%22b.md","type":"text/markdown","size":4}]`
	if _, body := p.do("GET", "/api/v1/rooms/lobby/messages", ""); !strings.Contains(body, files) {
		t.Errorf("the room has %s", body)
	}
	if e := stream.next(); e.kind != "post" || !strings.Contains(e.data, files) {
		t.Errorf("the event is %+v", e)
	}
	if status, body := p.do("GET", "/api/v1/files/f1", ""); status != 200 || body != png {
		t.Errorf("the file is %d %q", status, body)
	}
}

func TestFormsThatAreTaken(t *testing.T) {
	tests := []struct {
		name  string
		parts []part
		text  string
		files int
	}{
		{"a text alone", []part{field("text", "Hi")}, "Hi", 0},
		{"a file alone", []part{file("cat.png", "image/png", png)}, "", 1},
		{"a file without a name", []part{file("", "", "hello")}, "", 1},
		{"an empty file", []part{file("empty.txt", "", "")}, "", 1},
		{"no file was chosen", []part{field("text", "Hi"), file("", "application/octet-stream", "")}, "Hi", 0},
		{"as many files as can be", append(make10("x"), field("text", "Hi")), "Hi", 10},
		{"files that are together as large as can be", []part{file("a", "", strings.Repeat("a", 600)), file("b", "", strings.Repeat("b", 424))}, "", 2},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newRunningPage(t, func(o *web.Options) { o.FileSize = 1024 })
			room := fmt.Sprint("room", i)
			if status, body := p.upload(room, test.parts...); status != http.StatusAccepted {
				t.Fatalf("got %d %s", status, body)
			}
			if got := p.messages(room, ""); len(got) != 1 || got[0].Text != test.text || len(got[0].Files) != test.files {
				t.Errorf("the room has %+v", got)
			}
		})
	}
}

func make10(value string) (parts []part) {
	for i := range 10 {
		parts = append(parts, file(fmt.Sprint(i), "", value))
	}
	return parts
}

func TestFormsThatAreRefused(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) { o.FileSize = 1024 })
	tests := []struct {
		name   string
		parts  []part
		status int
		why    string
	}{
		{"nothing", nil, 400, "text is empty"},
		{"an empty text", []part{field("text", " \n")}, 400, "text is empty"},
		{"a text twice", []part{field("text", "a"), field("text", "b")}, 400, "text is there twice"},
		{"an unknown field", []part{field("room", "a")}, 400, `there is no field "room"; there is text, user and reply_to, and file`},
		{"a text that is none", []part{field("text", "\xff")}, 400, "text is not valid UTF-8"},
		{"a NUL", []part{field("text", "a\x00")}, 400, "text has a NUL character in it"},
		{"a user that is too long", []part{field("user", strings.Repeat("u", 101)), field("text", "a")}, 400, "user is longer than 100 characters"},
		{"a file that is too large", []part{file("a", "", strings.Repeat("a", 1025))}, 413, "the files of a message are at most 1 KB together"},
		{"files that are too large together", []part{file("a", "", strings.Repeat("a", 600)), file("b", "", strings.Repeat("b", 425))}, 413, "the files of a message are at most 1 KB together"},
		{"much more than is taken", []part{file("a", "", strings.Repeat("a", 4<<20))}, 413, "the files of a message are at most 1 KB together"},
		{"too many files", append(make10("x"), file("one", "", "more")), 413, "a message has at most 10 files"},
		{"a text that is too large", []part{field("text", strings.Repeat("a", 1<<20+1))}, 413, "the fields are larger than 1024 KiB"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			status, body := p.upload("lobby", test.parts...)
			if why := errorOf(t, body); status != test.status || why != test.why {
				t.Errorf("got %d %q, want %d %q", status, why, test.status, test.why)
			}
		})
	}
	t.Run("a body that ends early", func(t *testing.T) {
		body, kind := form(t, field("text", "Hi"), file("cat.png", "", png))
		for _, cut := range []int{1, 20, len(body) / 2, len(body) - 5} {
			if status, answer := p.do("POST", "/api/v1/rooms/lobby/messages", body[:cut], "Content-Type", kind); status != 400 {
				t.Errorf("%d bytes of it: got %d %s", cut, status, answer)
			}
		}
	})
	t.Run("a form without a boundary", func(t *testing.T) {
		status, body := p.do("POST", "/api/v1/rooms/lobby/messages", "text=Hi", "Content-Type", "multipart/form-data")
		if why := errorOf(t, body); status != 400 || why != "the body is not a form with text, user and reply_to and files" {
			t.Errorf("got %d %q", status, why)
		}
	})
	if got := p.inbox.received(); len(got) != 0 {
		t.Errorf("received %+v", got)
	}
}

func TestAFormOfUnknownLengthIsRefusedWhileItIsRead(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) { o.FileSize = 1024 })
	start := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n"
	endless := io.MultiReader(strings.NewReader(start), repeat{})
	r, err := http.NewRequestWithContext(t.Context(), "POST", p.server.URL+"/api/v1/rooms/lobby/messages", endless)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	// The client may notice first that nobody reads on.
	if response, err := p.server.Client().Do(r); err == nil {
		response.Body.Close()
		if response.StatusCode != 413 {
			t.Errorf("got %s", response.Status)
		}
	}
	if got := p.inbox.received(); len(got) != 0 {
		t.Errorf("received %+v", got)
	}
}

type repeat struct{}

func (repeat) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'a'
	}
	return len(b), nil
}

func TestARepeatedKeyIsOneMessageWithTheFirstFiles(t *testing.T) {
	p := newRunningPage(t, nil)
	for _, data := range []string{png, "another"} {
		body, kind := form(t, file("cat.png", "", data))
		if status, body := p.do("POST", "/api/v1/rooms/lobby/messages", body, "Content-Type", kind, "Idempotency-Key", "one"); status != http.StatusAccepted {
			t.Fatalf("got %d %s", status, body)
		}
	}
	got := p.messages("lobby", "")
	if len(got) != 1 || len(got[0].Files) != 1 || got[0].Files[0].ID != "f1" {
		t.Fatalf("the room has %+v", got)
	}
	if _, body := p.do("GET", "/api/v1/files/f1", ""); body != png {
		t.Errorf("the file is %q", body)
	}
	if status, _ := p.do("GET", "/api/v1/files/f2", ""); status != 404 {
		t.Errorf("there is a second file: %d", status)
	}
}

func TestAnUploadThatDoesNotEndDoesNotKeepItFromStopping(t *testing.T) {
	p := newRunningPage(t, nil)
	read, write := io.Pipe()
	t.Cleanup(func() { write.CloseWithError(errors.New("over")) })
	r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), "POST", p.server.URL+"/api/v1/rooms/lobby/messages", read)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	r.Header.Set("Expect", "100-continue")
	answered := make(chan int, 1)
	go func() {
		response, err := p.server.Client().Do(r)
		if err != nil {
			answered <- 0
			return
		}
		response.Body.Close()
		answered <- response.StatusCode
	}()
	// The server is reading once it has taken this.
	if _, err := io.WriteString(write, "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nhalf"); err != nil {
		t.Fatal(err)
	}
	p.endRun()
	if status := <-answered; status != http.StatusServiceUnavailable && status != 0 {
		t.Errorf("got %d", status)
	}
}
