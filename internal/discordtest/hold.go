package discordtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/asidehq/aside/internal/wiretest"
)

// Hold leaves the next request of a method whose path has a part in it without an answer
// until its client goes away, and tells when it has arrived. With done, what was asked is
// done first.
func (s *Server) Hold(method, part string, done bool) (arrived <-chan struct{}) {
	return s.HoldWhen(func(m, path string) bool { return m == method && strings.Contains(path, part) }, done)
}

// HoldWhen is Hold for the first request that is one of a kind. It is asked about each
// request, one at a time, with the path as in Request.
func (s *Server) HoldWhen(is func(method, path string) bool, done bool) (arrived <-chan struct{}) {
	return s.holds.Add(func(r *http.Request) bool { return is(r.Method, strings.TrimPrefix(r.URL.Path, "/api/v10")) }, done)
}

func (s *Server) serveHeld(r *http.Request, route string, do handler, h *wiretest.Hold[*http.Request]) {
	if h.Done {
		s.serve(httptest.NewRecorder(), r, route, do)
	} else {
		_, _ = io.Copy(io.Discard, r.Body) // or nobody notices who goes away
	}
	h.Keep(r)
}
