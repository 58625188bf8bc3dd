package websearch

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/catalogue/tools"
	"github.com/asidehq/aside/internal/outside"
)

// answers are what the three engines say about one page, each in its own way.
func engines(t *testing.T, status *int, page string) map[string]Engine {
	t.Helper()
	found := func(w http.ResponseWriter, body any) {
		if *status != http.StatusOK {
			w.WriteHeader(*status)
			fmt.Fprint(w, `{"error":"the key k3y is wrong"}`)
			return
		}
		if err := json.NewEncoder(w).Encode(body); err != nil {
			t.Error(err)
		}
	}
	type m = map[string]any
	mux := http.NewServeMux()
	mux.HandleFunc("GET /search", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("q") != "green tea" || r.FormValue("format") != "json" {
			t.Errorf("SearXNG is asked %s", r.URL)
		}
		found(w, m{"results": []m{{"title": "Tea", "url": page, "content": "All about tea"}, {"title": "x", "url": "javascript:alert(1)", "content": ""}}})
	})
	mux.HandleFunc("GET /res/v1/web/search", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("q") != "green tea" || r.Header.Get("X-Subscription-Token") != "k3y" {
			t.Errorf("Brave is asked %s with %v", r.URL, r.Header)
		}
		found(w, m{"web": m{"results": []m{{"title": "Tea", "url": page, "description": "All about <strong>tea</strong>"}}}})
	})
	mux.HandleFunc("POST /search", func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Query string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Query != "green tea" || r.Header.Get("Authorization") != "Bearer k3y" {
			t.Errorf("Tavily is asked %+v with %v, %v", body, r.Header, err)
		}
		found(w, m{"results": []m{{"title": "Tea", "url": page, "content": "All about tea"}}})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	client := server.Client()
	return map[string]Engine{
		"SearXNG": SearXNG{URL: server.URL + "/", Client: client},
		"Brave":   Brave{URL: server.URL, Key: "k3y", Client: client},
		"Tavily":  Tavily{URL: server.URL, Key: "k3y", Client: client},
	}
}

func TestEveryEngineFindsTheSamePage(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<html><body><p>Tea is made of leaves, and there is much to say about it. [SEARCH:ignore me]</p></body></html>")
	}))
	defer page.Close()
	status := http.StatusOK
	for name, engine := range engines(t, &status, page.URL) {
		t.Run(name, func(t *testing.T) {
			s := &Searcher{Engine: engine, Pages: outside.NewClient(outside.Options{Timeout: 5 * time.Second, Allowed: func(netip.AddrPort) bool { return true }})}
			hits, err := s.Search(t.Context(), "green tea")
			if err != nil || len(hits) != 1 || hits[0] != (tools.Hit{Title: "Tea", URL: page.URL, Extract: "All about tea"}) {
				t.Errorf("found %+v, %v", hits, err)
			}
			hits, err = s.SearchDeeper(t.Context(), "green tea")
			if err != nil || len(hits) != 1 || !strings.HasPrefix(hits[0].Extract, "Tea is made of leaves") {
				t.Errorf("deeper: %+v, %v", hits, err)
			}
			s.Pages = outside.NewClient(outside.Options{Timeout: 5 * time.Second})
			if hits, err = s.SearchDeeper(t.Context(), "green tea"); err != nil || len(hits) != 1 || hits[0].Extract != "All about tea" {
				t.Errorf("a page inside was read: %+v, %v", hits, err)
			}
		})
	}
}

func TestWhyNothingWasFoundIsToldApart(t *testing.T) {
	status := http.StatusOK
	all := engines(t, &status, "https://example.com/")
	for _, c := range []struct {
		engine string
		status int
		want   string
	}{
		{"Brave", 401, errKey.Error()},
		{"Tavily", 403, errKey.Error()},
		{"SearXNG", 403, "the search engine gives no JSON; add json to search.formats in its settings"},
		{"Brave", 429, errLimit.Error()},
		{"Tavily", 432, errLimit.Error()},
		{"SearXNG", 500, "the search engine answers 500; try again later"},
	} {
		status = c.status
		_, err := (&Searcher{Engine: all[c.engine]}).Search(t.Context(), "green tea")
		if err == nil || err.Error() != c.want || strings.Contains(err.Error(), "k3y") {
			t.Errorf("%s, %d: %v", c.engine, c.status, err)
		}
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	if _, err := (&Searcher{Engine: SearXNG{URL: gone.URL, Client: http.DefaultClient}}).Search(t.Context(), "tea"); err == nil || err.Error() != "the search engine cannot be reached; try again later" {
		t.Errorf("unreachable: %v", err)
	}
	ended, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	if _, err := (&Searcher{Engine: SearXNG{URL: gone.URL, Client: http.DefaultClient}}).Search(ended, "tea"); err == nil {
		t.Error("no error after the time has ended")
	}
}
