package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

type turn struct {
	ID      int64            `json:"id"`
	Actions []map[string]any `json:"actions"`
}

// turns has the turns of m1 and fails for m9.
type turns struct{}

func (turns) Turn(_ context.Context, id int64) (any, error) {
	switch id {
	case 1:
		return &turn{ID: 1}, nil
	case 2:
		return (*turn)(nil), nil
	case 9:
		return nil, errors.New("disk on fire")
	case 10:
		return json.RawMessage("{"), nil
	}
	return nil, nil
}

func (turns) TurnsOf(_ context.Context, platform, message string) ([]any, error) {
	switch platform + "/" + message {
	case "discord/1234":
		return []any{&turn{ID: 3}}, nil
	case "web/m1":
		return []any{
			&turn{ID: 1, Actions: []map[string]any{{"type": "react", "outcome": "done"}}},
			&turn{ID: 2, Actions: []map[string]any{{"type": "recall", "outcome": "failed"}}},
		}, nil
	case "web/m9":
		return nil, errors.New("disk on fire")
	}
	return nil, nil
}

// Turns says what was asked for; in room web/fire it fails.
func (turns) Turns(_ context.Context, q web.TurnQuery) ([]any, error) {
	switch q.Room {
	case "web/fire":
		return nil, errors.New("disk on fire")
	case "web/empty":
		return nil, nil
	}
	since := ""
	if !q.Since.IsZero() {
		since = q.Since.UTC().Format(time.RFC3339Nano)
	}
	return []any{[]any{q.Room, q.State, since, q.Limit}}, nil
}

func TestTurns(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) { o.Turns = turns{} })
	tests := []struct {
		name, path string
		status     int
		body       string
	}{
		{"one by its id", "/api/v1/turns/1", 200, `{"id":1,"actions":null}`},
		{"one that is not there", "/api/v1/turns/3", 404, `{"error":"there is no such turn"}`},
		{"one that is a nil pointer", "/api/v1/turns/2", 404, `{"error":"there is no such turn"}`},
		{"one that cannot be read", "/api/v1/turns/9", 500, `{"error":"the turn could not be read; try again"}`},
		{"one that is not JSON", "/api/v1/turns/10", 500, `{"error":"the turn could not be written; try again"}`},
		{"an id that is no number", "/api/v1/turns/m1", 400, `{"error":"the id of a turn is a whole number from 1"}`},
		{"an id below 1", "/api/v1/turns/0", 400, `{"error":"the id of a turn is a whole number from 1"}`},
		{
			"those of a message", "/api/v1/turns?message=m1", 200,
			`{"turns":[{"id":1,"actions":[{"outcome":"done","type":"react"}]},{"id":2,"actions":[{"outcome":"failed","type":"recall"}]}]}`,
		},
		{"those of a message of another platform", "/api/v1/turns?message=1234&platform=discord", 200, `{"turns":[{"id":3,"actions":null}]}`},
		{"those of a message of the page by its name", "/api/v1/turns?message=1234&platform=web", 404, `{"error":"there is no turn of this message"}`},
		{"those of a message that has none", "/api/v1/turns?message=m2", 404, `{"error":"there is no turn of this message"}`},
		{"those of a message that cannot be read", "/api/v1/turns?message=m9", 500, `{"error":"the turns could not be read; try again"}`},
		{"the newest", "/api/v1/turns", 200, `{"turns":[["","","",20]]}`},
		{
			"those of a room in a state since then", "/api/v1/turns?room=web/lobby&state=acted&limit=5&since=2026-03-01T12:00:00.5Z", 200,
			`{"turns":[["web/lobby","acted","2026-03-01T12:00:00.5Z",5]]}`,
		},
		{"those of a room that has none", "/api/v1/turns?room=web/empty", 200, `{"turns":[]}`},
		{"those of a room that cannot be read", "/api/v1/turns?room=web/fire", 500, `{"error":"the turns could not be read; try again"}`},
		{"a room without its platform", "/api/v1/turns?room=lobby", 400, `{"error":"room is platform/id, such as web/lobby"}`},
		{"a state that does not exist", "/api/v1/turns?state=done", 400, `{"error":"state is one of waiting, generated, acted, settled"}`},
		{"a time that is none", "/api/v1/turns?since=yesterday", 400, `{"error":"since is a time such as 2026-03-01T12:00:00Z"}`},
		{"too many", "/api/v1/turns?limit=1001", 400, `{"error":"limit is a whole number from 1 to 1000"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if status, body := p.do("GET", test.path, ""); status != test.status || body != test.body+"\n" {
				t.Errorf("got %d %s, want %d %s", status, body, test.status, test.body)
			}
		})
	}
}

func TestTurnsThatNobodyLooksUp(t *testing.T) {
	p := newRunningPage(t, nil)
	for _, path := range []string{"/api/v1/turns/1", "/api/v1/turns?message=m1"} {
		status, body := p.do("GET", path, "")
		if why := errorOf(t, body); status != 503 || why != "turns cannot be looked up here" {
			t.Errorf("%s: got %d %q", path, status, why)
		}
	}
}

func TestOutcomesStandWithTheirMessage(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) { o.Turns = turns{} })
	p.post("lobby", `{"text":"Hi"}`)
	p.post("lobby", `{"text":"Hi again"}`)
	got := p.messages("lobby", "")
	if len(got[0].Outcomes) != 2 || string(got[0].Outcomes[1]) != `{"outcome":"failed","type":"recall"}` || len(got[1].Outcomes) != 0 {
		t.Errorf("got %s and %s", got[0].Outcomes, got[1].Outcomes)
	}
	for range 7 {
		p.post("lobby", `{"text":"Hi"}`) // up to m9
	}
	status, body := p.do("GET", "/api/v1/rooms/lobby/messages", "")
	if why := errorOf(t, body); status != 500 || why != "the outcomes of a message could not be read; try again" {
		t.Errorf("got %d %q", status, why)
	}
}

// stages has a turn in a state for each message.
type stages map[string][]string

func (s stages) Turn(context.Context, int64) (any, error)            { return nil, nil }
func (s stages) Turns(context.Context, web.TurnQuery) ([]any, error) { return nil, nil }

func (s stages) TurnsOf(_ context.Context, _, message string) ([]any, error) {
	var all []any
	for _, state := range s[message] {
		all = append(all, map[string]string{"state": state})
	}
	return all, nil
}

func TestAMessageIsSettledWhenAllItsTurnsAre(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) {
		o.Turns = stages{"m1": {"settled"}, "m2": {"settled", "waiting"}, "m3": {"acted"}}
	})
	for range 4 {
		p.post("lobby", hi)
	}
	p.Post(t.Context(), platform.Post{Key: "k", Room: lobby, Text: "yes"})
	_, body := p.do("GET", messages, "")
	var told struct{ Messages []struct{ Settled *bool } }
	if err := json.Unmarshal([]byte(body), &told); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, m := range told.Messages {
		switch {
		case m.Settled == nil:
			got += "?"
		case *m.Settled:
			got += "+"
		default:
			got += "-"
		}
	}
	if got != "+--+?" {
		t.Errorf("got %s in %s", got, body)
	}
}
