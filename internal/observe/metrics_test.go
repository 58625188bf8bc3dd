package observe_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/observe"
	"github.com/asidehq/aside/internal/store"
)

// scrape is what Prometheus reads.
func scrape(t *testing.T, m *observe.Metrics, log *slog.Logger) string {
	t.Helper()
	answer := httptest.NewRecorder()
	m.Handler(log).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if answer.Code != http.StatusOK {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	return answer.Body.String()
}

func has(t *testing.T, page string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(page, "\n"+line+"\n") {
			t.Errorf("there is no line %s in\n%s", line, page)
		}
	}
}

func TestWhatIsNotedIsExported(t *testing.T) {
	m := observe.New("v1.2.3")
	m.Turn("message", "answered", "web", 30*time.Millisecond)
	m.FirstText("web", 20*time.Millisecond)
	m.Stage("generate", 2*time.Second)
	m.Action("react", "done")
	m.Action(observe.Unknown, "failed")
	m.Post("web", "delivered")
	m.Commit(3 * time.Millisecond)
	m.Watch(observe.Source{
		Backlog: func(context.Context) (store.Backlog, error) {
			return store.Backlog{Turns: 5, Waiting: 4, Posts: 3, Dead: 2, Late: 1}, nil
		},
		Running: func() int { return 7 },
	})
	has(t, scrape(t, m, slog.New(slog.DiscardHandler)),
		`aside_turns_total{flow="message",result="answered"} 1`,
		`aside_settled_seconds_bucket{platform="web",le="0.025"} 0`,
		`aside_settled_seconds_bucket{platform="web",le="0.05"} 1`,
		`aside_first_text_seconds_sum{platform="web"} 0.02`,
		`aside_stage_seconds_sum{stage="generate"} 2`,
		`aside_actions_total{action="react",outcome="done"} 1`,
		`aside_actions_total{action="unknown",outcome="failed"} 1`,
		`aside_posts_total{platform="web",state="delivered"} 1`,
		`aside_store_commit_seconds_count 1`,
		`aside_sessions_running 7`, `aside_turns_open 5`, `aside_leases_waiting 4`, `aside_outbox_waiting 3`,
		`aside_dead_letters{state="dead"} 2`, `aside_dead_letters{state="late"} 1`,
		`# TYPE go_goroutines gauge`,
	)
}

func TestNobodyCountsWithoutMetrics(t *testing.T) {
	var m *observe.Metrics
	m.Turn("message", "answered", "web", time.Second)
	m.FirstText("web", time.Second)
	m.Stage("act", time.Second)
	m.Action("react", "done")
	m.Post("web", "dead")
	m.Commit(time.Second)
}

func TestWhatTheStoreDoesNotTellIsLeftOutAndLogged(t *testing.T) {
	m := observe.New("v1.2.3")
	m.Watch(observe.Source{
		Backlog: func(context.Context) (store.Backlog, error) {
			return store.Backlog{}, errors.New("the disk is gone")
		},
		Running: func() int { return 7 },
	})
	var said bytes.Buffer
	page := scrape(t, m, slog.New(slog.NewTextHandler(&said, nil)))
	has(t, page, `aside_sessions_running 7`)
	if strings.Contains(page, "aside_turns_open") || strings.Contains(page, "aside_dead_letters") {
		t.Errorf("it makes up numbers:\n%s", page)
	}
	if !strings.Contains(said.String(), "the disk is gone") {
		t.Errorf("the log says %q", said.String())
	}
}
