package telegram_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A hook is where a webhook leads to.
type hook struct {
	t      *testing.T
	server *httptest.Server

	mu      sync.Mutex
	handler http.Handler
}

func newHook(t *testing.T) *hook {
	h := &hook{t: t}
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		handler := h.handler
		h.mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(h.server.Close)
	return h
}

func (h *hook) url() string { return h.server.URL + "/hooks/telegram" }

func (h *hook) set(handler http.Handler) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.handler = handler
}

// ask asks as Telegram does, or somebody who says so, and gives the status.
func (h *hook) ask(method, secret, body string) int {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.url(), strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	if secret != "" {
		r.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}
