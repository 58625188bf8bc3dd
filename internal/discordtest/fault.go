package discordtest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// A Fault is what becomes of a request.
type Fault struct {
	Method     string // that it is for, with Part of its path; "" is whatever writes something
	Part       string
	Status     int // 0 closes the connection without an answer
	Code       int // Discord's own
	Message    string
	RetryAfter time.Duration // with 429
	Global     bool          // with 429: all routes have to wait
	Done       bool          // what was asked is done, only the answer is not
}

// Fail makes the next request that writes something in a channel end with a fault.
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, f)
}

// fault is what is to become of a request that writes something, or nil.
func (s *Server) fault(r *http.Request) *Fault {
	i := slices.IndexFunc(s.faults, func(f Fault) bool {
		return (f.Method == "" || f.Method == r.Method) && strings.Contains(r.URL.Path, f.Part)
	})
	if i < 0 {
		return nil
	}
	f := s.faults[i]
	s.faults = slices.Delete(s.faults, i, i+1)
	return &f
}

// LimitPosts lets so many posts into a channel in a time. The answers say how many are
// left.
func (s *Server) LimitPosts(count int, per time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.postRate = rate{count, per}
}

// Connected waits until a client is connected, so that an event that happens now
// reaches it.
func (s *Server) Connected(ctx context.Context) error {
	return s.UntilLocked(ctx, &s.mu, func() bool {
		for _, x := range s.sessions {
			if x.conn != nil {
				return true
			}
		}
		return false
	})
}

// Identified waits until sessions have been begun so many times.
func (s *Server) Identified(ctx context.Context, times int) error {
	return s.UntilLocked(ctx, &s.mu, func() bool { return s.identifies >= times })
}

// Resumed waits until somebody has tried to resume so many times.
func (s *Server) Resumed(ctx context.Context, times int) error {
	return s.UntilLocked(ctx, &s.mu, func() bool { return s.resumes >= times })
}

// Starts are how many sessions were begun and resumed.
func (s *Server) Starts() (identified, resumed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.identifies, s.resumes
}

// Presences are what the bot has said about itself.
func (s *Server) Presences(ctx context.Context, count int) []map[string]any {
	_ = s.UntilLocked(ctx, &s.mu, func() bool { return len(s.presences) >= count })
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]map[string]any(nil), s.presences...)
}

// each does something to every connection.
func (s *Server) each(do func(x *session, c *connection)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.sessions {
		if x.conn != nil {
			do(x, x.conn)
		}
	}
	s.Happened()
}

// DropAll cuts all connections without a word.
func (s *Server) DropAll() {
	s.each(func(x *session, c *connection) {
		x.conn = nil
		_ = c.ws.CloseNow()
	})
}

// Reconnect asks the client to connect again.
func (s *Server) Reconnect() {
	s.each(func(x *session, c *connection) {
		x.conn = nil
		c.send(7, nil)
	})
}

// Invalidate tells the client that its session is invalid; resumable, that it may try.
func (s *Server) Invalidate(resumable bool) {
	s.each(func(x *session, c *connection) {
		x.conn = nil
		if !resumable {
			delete(s.sessions, x.id)
		}
		c.send(9, resumable)
	})
}

// CloseWith closes all connections with a code.
func (s *Server) CloseWith(code int) {
	s.each(func(x *session, c *connection) {
		x.conn = nil
		c.push(frame{code: websocket.StatusCode(code), data: []byte("Bye.")})
	})
}

// RefuseWith closes connections with a code when they identify; 0 lets them in.
func (s *Server) RefuseWith(code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = code
}

// LimitStarts says how many sessions may be begun today.
func (s *Server) LimitStarts(count int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.startsLeft = count
}

// Forget ends all sessions, so that none can be resumed.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.sessions)
}

// Garble sends bytes as they are to every client.
func (s *Server) Garble(text string) {
	s.each(func(_ *session, c *connection) {
		c.push(frame{kind: websocket.MessageText, data: []byte(text)})
	})
}

// GarbleBinary sends a binary frame that is no compressed one.
func (s *Server) GarbleBinary(data []byte) {
	s.each(func(_ *session, c *connection) {
		c.push(frame{kind: websocket.MessageBinary, data: data})
	})
}

// Dispatch sends an event with a sequence number, whatever it is.
func (s *Server) Dispatch(name string, data any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.sessions {
		x.event(name, data)
	}
}

// Heartbeat says how often clients that connect from now on are to send heartbeats.
func (s *Server) Heartbeat(every time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heartbeat = every
}

// Beat waits until a heartbeat says that this many events have been received.
func (s *Server) Beat(ctx context.Context, seq int) error {
	return s.UntilLocked(ctx, &s.mu, func() bool { return slices.ContainsFunc(s.beats, func(n int) bool { return n >= seq }) })
}

// Sent is how many events the longest session has had.
func (s *Server) Sent() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	most := 0
	for _, x := range s.sessions {
		most = max(most, len(x.log))
	}
	return most
}

// Silence stops answering heartbeats, as a connection does that is dead without
// knowing it.
func (s *Server) Silence(yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noACKs = yes
}

// Indexing says whether the search is not ready.
func (s *Server) Indexing(yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.indexing = yes
}

// Mute lets things happen of which the gateway says nothing.
func (s *Server) Mute(do func()) {
	s.mu.Lock()
	sessions := s.sessions
	s.sessions = map[string]*session{}
	s.mu.Unlock()
	do()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions = sessions
}

// Restore tells about a guild as at the end of an outage.
func (s *Server) Restore(g *Guild) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dispatch("GUILD_CREATE", g.ID, s.guildCreate(g))
}
