package web

import (
	"encoding/json"
	"net/http"
)

// Handler serves the HTTP API, which docs/api.md describes. Everything goes through
// the guard.
func (w *Web) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/rooms", w.whileRunning(w.getRooms))
	mux.HandleFunc("/api/v1/rooms", otherMethod("GET, HEAD"))
	mux.HandleFunc("POST /api/v1/rooms/{room}/messages", w.postMessage)
	mux.HandleFunc("GET /api/v1/rooms/{room}/messages", w.whileRunning(w.getMessages))
	mux.HandleFunc("/api/v1/rooms/{room}/messages", otherMethod("GET, HEAD, POST"))
	mux.HandleFunc("GET /api/v1/rooms/{room}/events", w.getEvents)
	mux.HandleFunc("/api/v1/rooms/{room}/events", otherMethod("GET, HEAD"))
	mux.HandleFunc("GET /api/v1/files/{id}", w.whileRunning(w.getFile))
	mux.HandleFunc("/api/v1/files/{id}", otherMethod("GET, HEAD"))
	mux.HandleFunc("GET /api/v1/turns", w.whileRunning(w.getTurns))
	mux.HandleFunc("/api/v1/turns", otherMethod("GET, HEAD"))
	mux.HandleFunc("GET /api/v1/turns/{id}", w.whileRunning(w.getTurn))
	mux.HandleFunc("/api/v1/turns/{id}", otherMethod("GET, HEAD"))
	mux.HandleFunc("POST /login", w.guard.login)
	mux.HandleFunc("/login", otherMethod("POST"))
	mux.HandleFunc("GET /healthz", w.getHealth)
	mux.HandleFunc("/healthz", otherMethod("GET, HEAD"))
	mux.HandleFunc("GET /readyz", w.whileRunning(w.getHealth))
	mux.HandleFunc("/readyz", otherMethod("GET, HEAD"))
	for pattern, handle := range w.more {
		mux.HandleFunc(pattern, handle)
	}
	mux.HandleFunc("/", func(rw http.ResponseWriter, _ *http.Request) {
		refuse(rw, http.StatusNotFound, "there is nothing here")
	})
	return w.guard.around(mux)
}

func otherMethod(allowed string) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Allow", allowed)
		refuse(rw, http.StatusMethodNotAllowed, "this address takes "+allowed)
	}
}

func (w *Web) getHealth(rw http.ResponseWriter, _ *http.Request) {
	rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = rw.Write([]byte("ok\n"))
}

func (w *Web) whileRunning(do http.HandlerFunc) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		if w.running() == nil {
			refuseForNow(rw)
			return
		}
		do(rw, r)
	}
}

// answer sends a value as JSON. encoding/json writes < and > as \u003c and \u003e,
// so not even a browser that guesses takes it for a page.
func (w *Web) answer(rw http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		w.broken(rw, "the answer could not be written", err)
		return
	}
	write(rw, status, body)
}

// broken answers that something failed here. The reason is for the log, not for
// whoever asked.
func (w *Web) broken(rw http.ResponseWriter, what string, err error) {
	w.logger.Error(what, "error", err)
	refuse(rw, http.StatusInternalServerError, what+"; try again")
}

// refuse answers with an error for a person.
func refuse(rw http.ResponseWriter, status int, why string) {
	body, _ := json.Marshal(map[string]string{"error": why}) // cannot fail
	write(rw, status, body)
}

func refuseForNow(rw http.ResponseWriter) {
	rw.Header().Set("Retry-After", "1")
	refuse(rw, http.StatusServiceUnavailable, "Aside is starting or stopping; try again in a moment")
}

func write(rw http.ResponseWriter, status int, body []byte) {
	rw.Header().Set("Content-Type", "application/json; charset=utf-8")
	rw.WriteHeader(status)
	_, _ = rw.Write(append(body, '\n')) // whoever is gone needs no answer
}
