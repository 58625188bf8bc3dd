package discordtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
)

// A hold is a request that gets no answer.
type hold struct {
	is      func(method, path string) bool
	done    bool
	arrived chan struct{}
}

// Hold leaves the next request of a method whose path has a part in it without an answer
// until its client goes away, and tells when it has arrived. With done, what was asked is
// done first.
func (s *Server) Hold(method, part string, done bool) (arrived <-chan struct{}) {
	return s.HoldWhen(func(m, path string) bool { return m == method && strings.Contains(path, part) }, done)
}

// HoldWhen is Hold for the first request that is one of a kind. It is asked about each
// request, one at a time, with the path as in Request.
func (s *Server) HoldWhen(is func(method, path string) bool, done bool) (arrived <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := &hold{is, done, make(chan struct{})}
	s.holds = append(s.holds, h)
	return h.arrived
}

// holding takes the hold that is for a request, nil if there is none.
func (s *Server) holding(r *http.Request) *hold {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.holds, func(h *hold) bool { return h.is(r.Method, strings.TrimPrefix(r.URL.Path, "/api/v10")) })
	if i < 0 {
		return nil
	}
	h := s.holds[i]
	s.holds = slices.Delete(s.holds, i, i+1)
	return h
}

func (s *Server) serveHeld(r *http.Request, route string, do handler, h *hold) {
	if h.done {
		s.serve(httptest.NewRecorder(), r, route, do)
	} else {
		_, _ = io.Copy(io.Discard, r.Body) // or nobody notices who goes away
	}
	close(h.arrived)
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}
