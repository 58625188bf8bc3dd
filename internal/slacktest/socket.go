package slacktest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/coder/websocket"
)

// A connection is a client's websocket. What is sent goes through a queue, so that nobody
// waits for a slow client.
type connection struct {
	ws   *websocket.Conn
	sent []*envelope // guarded by the server's lock

	mu    sync.Mutex
	queue [][]byte
	more  chan struct{}
	done  bool // hang up when the queue is empty
}

// An envelope is an event on its way.
type envelope struct {
	id      string
	message string // channel and ts of the message it tells of, or ""
	acks    int
	acked   chan struct{}
	answer  json.RawMessage
	again   func() // sends it once more; nil where Slack does not
}

func (c *connection) push(data any) {
	packed, isBytes := data.([]byte)
	if !isBytes {
		packed, _ = json.Marshal(data)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(c.queue, packed)
	c.wake()
}

func (c *connection) wake() {
	select {
	case c.more <- struct{}{}:
	default:
	}
}

func (c *connection) write(ctx context.Context) {
	for {
		c.mu.Lock()
		queue, done := c.queue, c.done
		c.queue = nil
		c.mu.Unlock()
		for _, data := range queue {
			if c.ws.Write(ctx, websocket.MessageText, data) != nil {
				return
			}
		}
		if done && len(queue) == 0 {
			_ = c.ws.Close(websocket.StatusNormalClosure, "")
			return
		}
		select {
		case <-c.more:
		case <-ctx.Done():
			return
		}
	}
}

func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // clients name origins of their own
	if err != nil {
		return
	}
	c := &connection{ws: ws, more: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(r.Context())
	var writing sync.WaitGroup
	writing.Go(func() { c.write(ctx) })
	s.mu.Lock()
	s.opened++
	s.conns[c] = true
	c.push(map[string]any{
		"type": "hello", "num_connections": len(s.conns), "connection_info": map[string]any{"app_id": s.bot.AppID},
		"debug_info": map[string]any{"host": "applink-1", "build_number": 1, "approximate_connection_time": 18060},
	})
	s.Happened()
	s.mu.Unlock()
	for {
		_, data, err := ws.Read(ctx)
		if err != nil {
			break
		}
		s.mu.Lock()
		silent := s.silent
		s.mu.Unlock()
		if silent != nil {
			select {
			case <-silent:
			case <-ctx.Done():
			}
		}
		s.acknowledge(data)
	}
	s.mu.Lock()
	delete(s.conns, c)
	s.resend(c)
	s.Happened()
	s.mu.Unlock()
	cancel()
	writing.Wait()
	_ = ws.CloseNow()
}

// resend sends what nobody has acknowledged on a connection that has ended on another one,
// as Slack does when an acknowledgement does not come in time. Without another one it is
// lost: to find it is up to the client.
func (s *Server) resend(c *connection) {
	for _, e := range c.sent {
		if e.acks == 0 && e.again != nil {
			e.again()
		}
	}
}

func (s *Server) acknowledge(data []byte) {
	var ack struct {
		ID     string          `json:"envelope_id"`
		Answer json.RawMessage `json:"payload"`
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.Happened()
	if json.Unmarshal(data, &ack) != nil {
		s.t.Errorf("slacktest: this acknowledges nothing: %s", data)
		return
	}
	e := s.envelopes[ack.ID]
	if e == nil {
		s.t.Errorf("slacktest: there is no envelope %q", ack.ID)
		return
	}
	if e.acks++; e.acks == 1 {
		e.answer = ack.Answer
		close(e.acked)
	} else {
		s.t.Errorf("slacktest: the envelope %q was acknowledged %d times", ack.ID, e.acks)
	}
}

// send sends an envelope to one of the connections, or by HTTP. Where there is nobody, it
// is lost.
func (s *Server) send(kind, message string, payload map[string]any, retry int) *envelope {
	e := &envelope{id: fmt.Sprintf("env-%d-%d", len(s.envelopes), s.lastTS), message: message, acked: make(chan struct{})}
	s.envelopes[e.id] = e
	if s.muted {
		return e
	}
	if s.hook != nil {
		s.hook.add(s, kind, payload, retry, e)
		return e
	}
	s.push(e, kind, payload, retry)
	return e
}

// push sends an envelope on one of the connections, if there is one.
func (s *Server) push(e *envelope, kind string, payload map[string]any, retry int) {
	frame := map[string]any{"envelope_id": e.id, "type": kind, "payload": payload, "accepts_response_payload": kind != "events_api"}
	if kind == "events_api" {
		frame["retry_attempt"], frame["retry_reason"] = retry, ""
		if retry > 0 {
			frame["retry_reason"] = "timeout"
		}
		e.again = func() { s.push(e, kind, payload, retry+1) }
	}
	for c, live := range s.conns {
		if live {
			c.push(frame)
			c.sent = append(c.sent, e)
			return
		}
	}
}

// event sends an event that the app has subscribed to.
func (s *Server) event(event map[string]any, m *Message) { s.eventAgain(event, m, 0) }

func (s *Server) eventAgain(event map[string]any, m *Message, retry int) {
	message, id := "", s.id("Ev")
	if m != nil {
		message = m.Channel + "/" + m.TS
		id = "Ev" + m.TS + fmt.Sprint(event["type"])
	}
	s.send("events_api", message, map[string]any{
		"token": "verification", "team_id": "T0TEAM", "api_app_id": s.bot.AppID, "type": "event_callback", "event": event,
		"event_id": id, "event_time": s.now().Unix(), "is_ext_shared_channel": false,
	}, retry)
}

// announce tells the app of a message, twice if it is mentioned.
func (s *Server) announce(m *Message, again bool) {
	c := s.channel(m.Channel)
	if !contains(c.members, s.bot.ID) {
		return
	}
	retry := 0
	if again {
		retry = 1
	}
	event := s.json(m, true)
	event["channel"], event["channel_type"], event["event_ts"] = c.ID, c.kind(), m.TS
	s.eventAgain(event, m, retry)
	if mentions(m.Text, s.bot.ID) && !c.Direct && m.User != s.bot.ID {
		mention := s.json(m, false)
		mention["type"], mention["channel"], mention["event_ts"] = "app_mention", c.ID, m.TS
		delete(mention, "subtype")
		s.eventAgain(mention, m, retry)
	}
}

// Repeat sends the event of a message again, as Slack does when in doubt.
func (s *Server) Repeat(c *Channel, ts string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.announce(s.message(c.ID, ts), true)
}

// Dispatch sends an event, whatever it is.
func (s *Server) Dispatch(event map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.event(event, nil)
}

// Received is closed when the app has acknowledged a message: the first envelope that
// tells of it.
func (s *Server) Received(c *Channel, ts string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	var first *envelope
	for _, e := range s.envelopes {
		if e.message == c.ID+"/"+ts && (first == nil || e.acks > 0) {
			first = e
		}
	}
	if first == nil {
		return nil
	}
	return first.acked
}

// Unacknowledged is how many envelopes nobody has acknowledged.
func (s *Server) Unacknowledged() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, e := range s.envelopes {
		if e.acks == 0 {
			n++
		}
	}
	return n
}
