package wiretest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/asidehq/aside/internal/wiretest"
)

func TestAHeldRequestGetsNoAnswerAndTheNextOneDoes(t *testing.T) {
	var holds wiretest.Holds[string]
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if held := holds.Take(r.URL.Path); held != nil {
			held.Keep(r)
		}
	}))
	defer server.Close()
	arrived := holds.Add(func(path string) bool { return path == "/held" }, false)
	get := func(ctx context.Context, path string) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
		if err != nil {
			return err
		}
		answer, err := server.Client().Do(r)
		if err == nil {
			answer.Body.Close()
		}
		return err
	}
	if err := get(t.Context(), "/other"); err != nil {
		t.Errorf("another request fails: %v", err)
	}
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- get(ctx, "/held") }()
	<-arrived
	leave()
	if err := <-ended; err == nil {
		t.Error("the held request is answered")
	}
	if err := get(t.Context(), "/held"); err != nil {
		t.Errorf("the next request fails: %v", err)
	}
}
