package wiretest

import (
	"net/http"
	"slices"
	"sync"
)

// Holds are requests that are to get no answer: for tests that kill the program meanwhile.
// R is what the server knows a request by. The zero Holds are none.
type Holds[R any] struct {
	mu  sync.Mutex
	all []*Hold[R]
}

// A Hold is for one request.
type Hold[R any] struct {
	Done    bool // what was asked is done first
	is      func(R) bool
	arrived chan struct{}
}

// Add leaves the next request that is of a kind without an answer until its client goes
// away, and tells when it has arrived. It is asked about each request, one at a time.
func (h *Holds[R]) Add(is func(R) bool, done bool) (arrived <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	added := &Hold[R]{Done: done, is: is, arrived: make(chan struct{})}
	h.all = append(h.all, added)
	return added.arrived
}

// Take takes the hold that is for a request, nil if there is none.
func (h *Holds[R]) Take(request R) *Hold[R] {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.all, func(one *Hold[R]) bool { return one.is(request) })
	if i < 0 {
		return nil
	}
	taken := h.all[i]
	h.all = slices.Delete(h.all, i, i+1)
	return taken
}

// Keep says that a request has arrived, waits until its client goes away and ends the
// handler. It must be called without the server's lock, and when the request's body has
// been read: before, nobody notices who goes away.
func (h *Hold[R]) Keep(r *http.Request) {
	close(h.arrived)
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}
