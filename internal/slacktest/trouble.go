package slacktest

import "context"

// Connected waits until a client is connected.
func (s *Server) Connected(ctx context.Context) error {
	return s.Until(ctx, func() bool { return s.Connections() > 0 })
}

// Connections is how many connections events may go to.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, live := range s.conns {
		if live {
			n++
		}
	}
	return n
}

// Opened is how many connections there have been.
func (s *Server) Opened() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened
}

// Drop cuts all connections without a word.
func (s *Server) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		delete(s.conns, c)
		_ = c.ws.CloseNow()
	}
	s.Happened()
}

// Disconnect tells clients that their connection is about to be closed. As Slack does, it
// goes on sending there until it is.
func (s *Server) Disconnect(reason string) {
	s.each(func(c *connection) {
		c.push(map[string]any{"type": "disconnect", "reason": reason, "debug_info": map[string]any{"host": "applink-1"}})
	})
}

// HangUp closes all connections that are older than the latest.
func (s *Server) HangUp() {
	s.each(func(c *connection) {
		s.conns[c] = false
		c.mu.Lock()
		defer c.mu.Unlock()
		c.done = true
		c.wake()
	})
}

// Garble sends bytes as they are.
func (s *Server) Garble(text string) { s.each(func(c *connection) { c.push([]byte(text)) }) }

func (s *Server) each(do func(*connection)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		do(c)
	}
	s.Happened()
}

// Silence stops reading, as a connection does that is dead without knowing it; the
// function ends that.
func (s *Server) Silence() (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	silent := make(chan struct{})
	s.silent = silent
	// Whoever reads is woken up by whatever comes next, and does not answer pings then.
	s.t.Cleanup(func() { closeOnce(silent) })
	return func() {
		s.mu.Lock()
		s.silent = nil
		s.mu.Unlock()
		closeOnce(silent)
	}
}

func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// CloseSocketMode switches Socket Mode off.
func (s *Server) CloseSocketMode() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.Disconnect("link_disabled")
}

// Mute lets things happen of which the app hears nothing.
func (s *Server) Mute(do func()) {
	s.mu.Lock()
	s.muted = true
	s.mu.Unlock()
	do()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.muted = false
}
