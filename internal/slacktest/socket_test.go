package slacktest_test

import (
	"context"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"github.com/asidehq/aside/internal/slacktest"
)

// A received is as much of a frame as these tests look at.
type received struct {
	Type    string `json:"type"`
	ID      string `json:"envelope_id"`
	Retry   int    `json:"retry_attempt"`
	Payload struct {
		Event struct {
			TS string `json:"ts"`
		} `json:"event"`
	} `json:"payload"`
}

// connect opens a connection and takes its hello.
func connect(ctx context.Context, t *testing.T, s *slacktest.Server) *websocket.Conn {
	t.Helper()
	_, address, err := client(s).StartSocketModeContext(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ws, _, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.CloseNow() })
	if f := take(ctx, t, ws); f.Type != "hello" {
		t.Fatalf("it begins with %+v", f)
	}
	return ws
}

func take(ctx context.Context, t *testing.T, ws *websocket.Conn) received {
	t.Helper()
	var f received
	if err := wsjson.Read(ctx, ws, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWhatWasNotAcknowledgedOnAConnectionThatEndsComesOnAnother(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	s := slacktest.New(t)
	first := connect(ctx, t, s)
	var ids []string
	for _, text := range []string{"acknowledged", "one", "two"} {
		ids = append(ids, s.Write(s.Ada, s.General, text))
	}
	known := take(ctx, t, first)
	if err := wsjson.Write(ctx, first, map[string]string{"envelope_id": known.ID}); err != nil {
		t.Fatal(err)
	}
	if err := s.Until(ctx, func() bool { return s.Unacknowledged() == 2 }); err != nil {
		t.Fatal(err)
	}
	second := connect(ctx, t, s)
	_ = first.CloseNow()
	for _, id := range ids[1:] {
		f := take(ctx, t, second)
		if f.Payload.Event.TS != id || f.Retry != 1 {
			t.Errorf("it sends %+v in place of %s", f, id)
		}
		if err := wsjson.Write(ctx, second, map[string]string{"envelope_id": f.ID}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Until(ctx, func() bool { return s.Unacknowledged() == 0 }); err != nil {
		t.Errorf("%d are not acknowledged", s.Unacknowledged())
	}
}
