package telegramtest

import (
	"slices"
	"strings"
	"time"
)

// A Fault is what becomes of a request.
type Fault struct {
	Method      string // that it is for; "" is whatever writes something
	Status      int    // 0 closes the connection without an answer
	Description string
	RetryAfter  time.Duration // with 429
	Body        string        // instead of an answer
	Done        bool          // what was asked is done, only the answer is not
}

// Fail makes the next such request end with a fault.
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, f)
}

// Chaos is asked for a fault at every request that writes something; nil ends it.
func (s *Server) Chaos(fault func(method string) *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chaos = fault
}

// writes tells whether a method writes something in a chat.
func writes(method string) bool {
	if method == "sendChatAction" {
		return false
	}
	for _, prefix := range []string{"send", "edit", "delete", "setMessage", "pin", "unpin", "ban", "restrict"} {
		if strings.HasPrefix(method, prefix) {
			return !strings.HasPrefix(method, "deleteWebhook")
		}
	}
	return false
}

// fault is what is to become of a request, or nil.
func (s *Server) fault(method string) *Fault {
	i := slices.IndexFunc(s.faults, func(f Fault) bool {
		return f.Method == method || f.Method == "" && writes(method)
	})
	if i >= 0 {
		f := s.faults[i]
		s.faults = slices.Delete(s.faults, i, i+1)
		return &f
	}
	if s.chaos != nil && writes(method) {
		return s.chaos(method)
	}
	return nil
}

// Hold leaves the next request of a method without an answer until its client goes away,
// and tells when it has arrived. With done, what was asked is done first.
func (s *Server) Hold(method string, done bool) (arrived <-chan struct{}) {
	return s.holds.Add(func(m string) bool { return m == method }, done)
}
