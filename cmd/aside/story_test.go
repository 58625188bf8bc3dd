package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/plan"
)

// A witness stands between the program and Discord, and compares what every post about a
// forge or a run says, at the moment it is written, with what is stored.
type witness struct {
	s     *scene
	proxy *httputil.ReverseProxy

	mu   sync.Mutex
	said []string // about the forge and the run, in order
}

// newWitness puts a witness into a scene that has not begun.
func newWitness(s *scene) *witness {
	behind, err := url.Parse(s.discord.APIURL())
	if err != nil {
		s.t.Fatal(err)
	}
	w := &witness{s: s, proxy: &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: behind.Host}) },
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }, // whoever asked is gone
	}}
	server := httptest.NewServer(w)
	s.t.Cleanup(server.Close)
	s.reconfigure("api_url: "+s.discord.APIURL(), "api_url: "+strings.Replace(s.discord.APIURL(), behind.Host, strings.TrimPrefix(server.URL, "http://"), 1))
	return w
}

func (w *witness) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	var post struct{ Content string }
	if json.Unmarshal(body, &post) == nil {
		w.hear(post.Content)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	w.proxy.ServeHTTP(to, r)
}

// hear compares a text with the store. The models wait until it is shown what they do, so
// nothing changes while it is written.
func (w *witness) hear(text string) {
	var want string
	switch {
	case forgePost.MatchString(text):
		want = w.s.forge().Text
	case strings.HasPrefix(text, "Plan plan-001 "):
		want = w.run()
	default:
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, text)
	if text != want {
		w.s.t.Errorf("what is written is\n%s\nand what is stored\n%s", text, want)
	}
}

// run is what is to be said of a run, made from what the API tells.
func (w *witness) run() string {
	var p plans.Plan
	if body := w.s.get("/api/v1/plans/plan-001"); json.Unmarshal([]byte(body), &p) != nil || p.Run == nil {
		return body
	}
	text := fmt.Sprintf("Plan plan-001 (%s): %s", p.Title, p.Run.State)
	signs := map[string]string{"pending": "·", "running": "⏳", "done": "✅"}
	for _, phase := range p.Phases {
		text += fmt.Sprintf("\n%d %s %s", phase.Number, signs[phase.State], phase.Title)
	}
	return text
}

func (w *witness) heard() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.said)
}

// shows waits until a post has something in it.
func (w *witness) shows(part string) {
	if err := w.s.discord.Until(w.s.ctx, func() bool {
		for _, p := range w.s.discord.Posts(w.s.discord.General) {
			if strings.Contains(p.Content, part) {
				return true
			}
		}
		return false
	}); err != nil {
		w.s.t.Errorf("%q is not shown: %v", part, err)
	}
}

// A story: a change is forged through two audits, a person says yes with a reaction, and it
// is run in three phases, of which the second is killed.
func TestAStoryFromAnIdeaToAClosedTask(t *testing.T) {
	s := prepareScene(t, "")
	w := newWitness(s)
	var mu sync.Mutex
	var phases []string
	began, lets := make(chan struct{}, 1), make(chan struct{})
	t.Cleanup(func() { close(lets) })
	shown := map[string]string{
		": draft]": "draft…", ": audit 1]": "audit 1…", ": revision 1]": "revision…", ": audit 2]": "audit 2…",
	}
	s.model.does(func(to http.ResponseWriter, asked string) {
		first, _, _ := strings.Cut(asked, "\n")
		says := "So it is."
		for step, part := range shown {
			if strings.HasSuffix(first, step) {
				w.shows(part)
			}
		}
		phase := phasePattern.FindStringSubmatch(first)
		switch {
		case strings.HasSuffix(first, ": draft]"):
			says = smithFirst
		case strings.HasSuffix(first, ": audit 1]"):
			says = smithBlocks
		case strings.HasSuffix(first, ": revision 1]"):
			says = strings.Replace(smithFirst, "None.", "It can be undone.", 1)
		case strings.HasSuffix(first, ": audit 2]"):
			says = smithClears
		case phase != nil:
			w.shows("\n" + phase[2] + " ⏳ ")
			mu.Lock()
			phases = append(phases, phase[2])
			held := phase[2] == "2" && len(phases) == 2
			mu.Unlock()
			if held {
				began <- struct{}{}
				<-lets
				return
			}
			says = phaseDone
		case strings.Contains(first, "note that the reader is slow"):
			says = block(`{"type":"taskCreate","title":"The reader is slow"}`)
		case strings.Contains(first, "forge a plan for ws-001"):
			says = block(`{"type":"taskShow","taskId":"ws-001"}`)
		case first == "[results]" && strings.Contains(asked, "The reader is slow"):
			says = block(`{"type":"forgeCreate","description":"Add a cache to the reader\n\nFor ws-001.","context":"It reads the same file again and again."}`)
		case strings.Contains(first, "let me decide"):
			says = block(`{"type":"reactionPrompt","question":"Shall plan-001 be carried out?","choices":["✅","❌"]}`)
		case strings.Contains(first, "chose ✅"):
			says = block(`{"type":"planApprove","planId":"plan-001"}`) + "\n" + block(`{"type":"planRun","planId":"plan-001"}`)
		}
		stream(to, says)
		finish(to)
	})
	s.begin()
	d, general := s.discord, s.discord.General
	s.settle(general, d.Write(d.Ada, general, s.to("note that the reader is slow")))
	s.settle(general, d.Write(d.Ada, general, s.to("forge a plan for ws-001")))
	if f := s.forged(); f.State != "done" || len(f.Audits) != 2 {
		t.Fatalf("the forge is %+v", f)
	}
	w.shows("It is ready for review")

	s.settle(general, d.Write(d.Ada, general, s.to("let me decide about it")))
	question := ""
	s.until("the question", func() bool {
		for _, p := range d.Posts(general) {
			if p.Content == "Shall plan-001 be carried out?" {
				question = p.ID
			}
		}
		return question != ""
	})
	s.until("the choices", func() bool { return len(d.Reactions(d.Bot(), general, question)) == 2 })
	d.React(d.Ada, general, question, "✅")
	select {
	case <-began:
	case <-s.ctx.Done():
		t.Fatalf("no second phase has begun: %s\n%s", s.get("/api/v1/plans/plan-001"), s.output.String())
	}
	if got := s.plan().Status(); got != plan.Implementing {
		t.Errorf("while it is run, the plan is %s", got)
	}
	s.kill(syscall.SIGKILL)
	s.begin()
	w.shows("is done: 3 of 3 phases; task ws-001 is closed.")
	s.until("the last status", func() bool {
		said := w.heard()
		return strings.HasPrefix(said[len(said)-1], "Plan plan-001 (Add a cache to the reader): done")
	})

	s.until("the file", func() bool { return s.plan().Status() == plan.Done })
	if file := s.plan(); file.Header(plan.Task) != "ws-001" {
		t.Errorf("the plan is\n%s", file)
	}
	var task tasks.Task
	if body := s.get("/api/v1/tasks/ws-001"); json.Unmarshal([]byte(body), &task) != nil || task.Status != tasks.Closed {
		t.Errorf("the task is %s", body)
	}
	if body := s.get("/api/v1/tasks?status=all"); task.Title != "The reader is slow" || !strings.Contains(body, `"total":1`) {
		t.Errorf("the plan has made a task of its own: %s", body)
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(phases, []string{"1", "2", "2", "3"}) {
		t.Errorf("the phases that were asked for are %q", phases)
	}
	const way = "draft ✅ · audit 1"
	want := []string{
		"Forging plan-001: draft…", "Forging plan-001: " + way + "…", "Forging plan-001: " + way + ": 1 blocking · revision…",
		"Forging plan-001: " + way + ": 1 blocking · revision ✅ · audit 2…",
	}
	said := slices.Compact(w.heard())
	if len(said) < 9 || !slices.Equal(said[:4], want) || !strings.HasPrefix(said[4], "Forged plan-001: ") {
		t.Errorf("this was said: %q", said)
	}
}
