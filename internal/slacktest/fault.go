package slacktest

import (
	"slices"
	"time"
)

// A Fault is what becomes of a request that writes something.
type Fault struct {
	Method     string        // that it is for; "" is whatever writes something
	Status     int           // of the answer; 0 closes the connection without one
	Error      string        // Slack's own, with 200
	RetryAfter time.Duration // with 429
	Done       bool          // what was asked is done, only the answer is not
}

// Fail makes the next request that writes something end with a fault.
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, f)
}

// writing are the methods that leave something behind that people see.
var writing = []string{
	"chat.postMessage", "chat.update", "chat.delete", "reactions.add", "reactions.remove", "files.completeUploadExternal",
	"pins.add", "pins.remove", "conversations.create", "conversations.rename", "conversations.setTopic", "conversations.archive",
}

func (s *Server) fault(method string) *Fault {
	if !slices.Contains(writing, method) {
		return nil
	}
	i := slices.IndexFunc(s.faults, func(f Fault) bool { return f.Method == "" || f.Method == method })
	if i < 0 {
		return nil
	}
	f := s.faults[i]
	s.faults = slices.Delete(s.faults, i, i+1)
	return &f
}

// Hold leaves the next request of a method without an answer until its client goes away,
// and tells when it has arrived. With done, what was asked is done first.
func (s *Server) Hold(method string, done bool) (arrived <-chan struct{}) {
	return s.holds.Add(func(m string) bool { return m == method }, done)
}
