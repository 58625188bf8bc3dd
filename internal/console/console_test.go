package console_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/console"
	"github.com/asidehq/aside/internal/observe"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// A queue notes which session it would work through.
type queue struct{ session string }

func (q *queue) Enqueue(open func(claim bool) (string, bool, error)) (err error) {
	q.session, _, err = open(true)
	return err
}

func TestDeadLettersAreListedAndSentAgain(t *testing.T) {
	ctx := t.Context()
	s, err := store.Open(ctx, "sqlite", storetest.Dir(t), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	m := platform.Message{Room: platform.Room{Platform: "web", ID: "a"}, ID: "1", Text: "hi", At: time.Now()}
	received, err := s.Receive(ctx, m, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AddPost(ctx, store.Post{Key: "k", Turn: received.Turn, Room: m.Room, Text: "<b>hello</b>", State: store.Dead, Reason: "the room is gone"}); err != nil {
		t.Fatal(err)
	}
	q := &queue{}
	metrics := observe.New("test")
	c := &console.Console{Store: s, Metrics: metrics.Handler(slog.New(slog.DiscardHandler)), Queue: q}
	mux := http.NewServeMux()
	for pattern, handle := range c.Routes() {
		mux.HandleFunc(pattern, handle)
	}
	server := httptest.NewServer(mux)
	defer server.Close()

	get := func(path string) string {
		t.Helper()
		answer, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		b, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v", path, answer.Status, err)
		}
		return string(b)
	}
	post := func(path string) int {
		t.Helper()
		answer, err := http.Post(server.URL+path, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.StatusCode
	}

	var page struct {
		Dead []struct{ Key, Room, Text, State, Reason string }
	}
	if err := json.Unmarshal([]byte(get("/api/v1/dead")), &page); err != nil {
		t.Fatal(err)
	}
	if len(page.Dead) != 1 || page.Dead[0].Key != "k" || page.Dead[0].Room != "web/a" || page.Dead[0].Reason != "the room is gone" {
		t.Errorf("the dead letters are %+v", page.Dead)
	}
	if got := post("/api/v1/dead/k/resend"); got != http.StatusAccepted || q.session != "web/a" {
		t.Errorf("sending again: %d, woken %q", got, q.session)
	}
	if got := post("/api/v1/dead/k/resend"); got != http.StatusNotFound {
		t.Errorf("sending again what is no dead letter any more: %d", got)
	}
	if got := strings.TrimSpace(get("/api/v1/dead")); got != `{"dead":[]}` {
		t.Errorf("the dead letters are %s", got)
	}
	if err := s.AddPost(ctx, store.Post{Key: "late", Turn: received.Turn, Room: m.Room, Text: "hello", State: store.Late}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{http.StatusOK, http.StatusNotFound} {
		r, err := http.NewRequestWithContext(ctx, http.MethodDelete, server.URL+"/api/v1/dead/late", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("dropping answers %d, want %d", answer.StatusCode, want)
		}
	}
	if got := get("/metrics"); !strings.Contains(got, `aside_build_info{go_version="`) {
		t.Errorf("the metrics are %s", got)
	}
}

func TestJobsThatAreSwitchedOffAreNotToldOf(t *testing.T) {
	c := &console.Console{CronsOff: "the category crons is switched off"}
	for pattern, handle := range c.Routes() {
		if !strings.Contains(pattern, "/crons") {
			continue
		}
		w := httptest.NewRecorder()
		handle(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), c.CronsOff) {
			t.Errorf("%s: %d %s", pattern, w.Code, w.Body)
		}
	}
}
