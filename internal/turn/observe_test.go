package turn

import (
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
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// counted is the metrics of an engine as Prometheus reads them.
func counted(e *Engine) string {
	answer := httptest.NewRecorder()
	e.Metrics.Handler(slog.New(slog.DiscardHandler)).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return answer.Body.String()
}

func TestATurnIsCountedByWhatCameOfIt(t *testing.T) {
	refuse := func(platform.Post) *platform.Receipt {
		return &platform.Receipt{Outcome: platform.Refused, Reason: "no"}
	}
	tests := []struct {
		name   string
		reply  string
		err    error
		refuse func(platform.Post) *platform.Receipt
		want   []string
		not    string
	}{
		{
			"an answer", "Hello.", nil, nil,
			[]string{`aside_turns_total{flow="message",result="answered"} 1`, `aside_posts_total{platform="test",state="delivered"} 1`, `aside_first_text_seconds_count{platform="test"} 1`},
			`aside_stage_seconds_count{stage="act"}`,
		},
		{
			"actions, one of which does not exist", `Hi. [REMEMBER:tea] <action>{"type":"madeUp"}</action>`, nil, nil,
			[]string{`aside_actions_total{action="memoryRemember",outcome="done"} 1`, `aside_actions_total{action="unknown",outcome="failed"} 1`, `aside_stage_seconds_count{stage="act"} 1`},
			"madeUp",
		},
		{
			"a model that does not answer", "", errors.New("no"), nil,
			[]string{`aside_turns_total{flow="message",result="failed"} 1`},
			`result="answered"`,
		},
		{
			"a platform that refuses", "Hello.", nil, refuse,
			[]string{`aside_turns_total{flow="message",result="undelivered"} 1`, `aside_posts_total{platform="test",state="dead"} 1`},
			"aside_first_text_seconds_count",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStage(t, storetest.Dir(t), script(func(context.Context, string) (string, error) { return test.reply, test.err }))
			s.Metrics = observe.New("test")
			s.Outbox.Metrics = s.Metrics
			s.room.refuse = test.refuse
			s.start()
			s.say("a", "1", "hi")
			s.settled(1)
			page := counted(s.Engine)
			for _, line := range test.want {
				if !strings.Contains(page, "\n"+line+"\n") {
					t.Errorf("there is no line %s in\n%s", line, page)
				}
			}
			if strings.Contains(page, test.not) {
				t.Errorf("%s should not be in\n%s", test.not, page)
			}
		})
	}
}

func TestATurnThatWasStoppedHasNotFailed(t *testing.T) {
	s := newStage(t, storetest.Dir(t), nil)
	s.Metrics = observe.New("test")
	turn := &store.Turn{Flow: "message", Failure: stoppedByPerson, Message: message("a", "1", "hi"), Created: time.Now()}
	s.Engine.settled(t.Context(), turn, true)
	if page := counted(s.Engine); !strings.Contains(page, `aside_turns_total{flow="message",result="stopped"} 1`) {
		t.Errorf("the metrics are\n%s", page)
	}
}

func TestAnOutcomeIsCountedOnce(t *testing.T) {
	s := newStage(t, storetest.Dir(t), nil)
	s.Metrics = observe.New("test")
	ended := &store.Action{Type: "react", State: store.Done}
	if err := s.outcome(t.Context(), &store.Turn{}, nil, ended); err != nil {
		t.Fatal(err)
	}
	if page := counted(s.Engine); strings.Contains(page, "aside_actions_total{") {
		t.Errorf("it was counted again:\n%s", page)
	}
}
