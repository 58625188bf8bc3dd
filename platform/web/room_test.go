package web_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

// shout is a Render.
func shout(text string) string { return "<b>" + strings.ToUpper(text) + "</b>" }

func TestRoomsAreListedNewestFirst(t *testing.T) {
	p := newRunningPage(t, nil)
	if status, body := p.do("GET", "/api/v1/rooms", ""); status != 200 || strings.TrimSpace(body) != `{"rooms":[]}` {
		t.Errorf("without rooms: %d %s", status, body)
	}
	p.post("first", `{"text":"one"}`)
	p.post("second", `{"text":"two","user":"ada"}`)
	p.post("first", `{"text":"`+strings.Repeat("é", 300)+`"}`)
	want := `{"rooms":[` +
		`{"room":"first","count":2,"last":{"id":"m3","author":"you","kind":"person","text":"` + strings.Repeat("é", 200) + `","at":"2026-03-01T12:00:00Z"}},` +
		`{"room":"second","count":1,"last":{"id":"m2","author":"ada","kind":"person","text":"two","at":"2026-03-01T12:00:00Z"}}]}`
	if status, body := p.do("GET", "/api/v1/rooms", ""); status != 200 || strings.TrimSpace(body) != want {
		t.Errorf("got %d %s", status, body)
	}
}

func TestTheEndOfARoomIsReadBackwards(t *testing.T) {
	p := newRunningPage(t, nil)
	p.post("other", `{"text":"elsewhere"}`)
	for n := range 5 {
		p.post("lobby", fmt.Sprintf(`{"text":"%d"}`, n))
	}
	tests := []struct{ name, query, want string }{
		{"the newest", "?before=&limit=2", "3 4"},
		{"those before one", "?before=m5&limit=2", "1 2"},
		{"those before the first", "?before=m2&limit=2", ""},
		{"those before one that is gone", "?before=m99&limit=2", "3 4"},
		{"before counts more than after", "?before=&after=m2&limit=1", "4"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var texts []string
			for _, m := range p.messages("lobby", test.query) {
				texts = append(texts, m.Text)
			}
			if got := strings.Join(texts, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestTheAgentsTextsCanBeHadAsHTML(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) { o.Render = shout })
	c := p.follow("lobby", "?html=1")
	plain := p.follow("lobby", "")
	p.post("lobby", `{"text":"hi <b>"}`)
	id := p.Post(t.Context(), platform.Post{Key: "k", Room: lobby, Text: "yes", ReplyTo: "m1"}).ID
	p.Edit(t.Context(), lobby, id, "yes!")
	p.React(t.Context(), lobby, id, "👀")
	p.Delete(t.Context(), lobby, id)
	p.settle("m1")
	for _, want := range []struct{ kind, html string }{
		{"post", ""},
		{"post", `"html":"\u003cb\u003eYES\u003c/b\u003e"`},
		{"edit", `"html":"\u003cb\u003eYES!\u003c/b\u003e"`},
		{"react", `"html":"\u003cb\u003eYES!\u003c/b\u003e"`},
		{"delete", ""},
		{"settled", ""},
	} {
		e := c.next()
		if e.kind != want.kind || (want.html == "") == strings.Contains(e.data, `"html"`) || !strings.Contains(e.data, want.html) {
			t.Errorf("got %s %s, want %s with %s", e.kind, e.data, want.kind, want.html)
		}
		if e := plain.next(); strings.Contains(e.data, `"html"`) {
			t.Errorf("nobody has asked for it: %s", e.data)
		}
	}
	p.Post(t.Context(), platform.Post{Key: "l", Room: lobby, Text: "yes", ReplyTo: "m1"})
	if _, body := p.do("GET", messages+"?html=1", ""); strings.Count(body, `"html"`) != 1 || !strings.Contains(body, `"html":"\u003cb\u003eYES\u003c/b\u003e"`) {
		t.Errorf("the messages are %s", body)
	}
	if _, body := p.do("GET", messages, ""); strings.Contains(body, `"html"`) {
		t.Errorf("nobody has asked for it: %s", body)
	}
	for _, path := range []string{messages, "/api/v1/rooms/lobby/events"} {
		if status, body := p.do("GET", path+"?html=yes", ""); status != 400 || errorOf(t, body) != "html is 1 or missing" {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

func TestNobodyRendersWithoutARenderer(t *testing.T) {
	p := newRunningPage(t, nil)
	p.Post(t.Context(), platform.Post{Key: "k", Room: lobby, Text: "yes"})
	if _, body := p.do("GET", messages+"?html=1", ""); strings.Contains(body, `"html"`) {
		t.Errorf("the messages are %s", body)
	}
}

func TestRoomsThatCannotBeRead(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) { o.Log = brokenLog{o.Log, errors.New("disk on fire")} })
	for path, want := range map[string]string{"/api/v1/rooms": "the rooms could not be read; try again", messages + "?before=": "the messages could not be read; try again"} {
		if status, body := p.do("GET", path, ""); status != 500 || errorOf(t, body) != want {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}
