package websearch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/asidehq/aside/catalogue/tools"
)

// SearXNG is a search engine that somebody runs themselves.
type SearXNG struct {
	URL    string // of its first page
	Client *http.Client
}

// Find implements Engine.
func (s SearXNG) Find(ctx context.Context, query string, _ int) ([]tools.Hit, error) {
	var found struct {
		Results []struct{ Title, URL, Content string }
	}
	address := strings.TrimSuffix(s.URL, "/") + "/search?" + url.Values{"q": {query}, "format": {"json"}}.Encode()
	err := ask(ctx, s.Client, http.MethodGet, address, nil, nil, &found)
	var status statusError
	if errors.As(err, &status) && status == http.StatusForbidden {
		return nil, errors.New("the search engine gives no JSON; add json to search.formats in its settings")
	}
	if err != nil {
		return nil, err
	}
	var hits []tools.Hit
	for _, r := range found.Results {
		hits = append(hits, tools.Hit{Title: r.Title, URL: r.URL, Extract: r.Content})
	}
	return hits, nil
}

// Brave is the search engine of that name.
type Brave struct {
	URL    string // "" is its own
	Key    string
	Client *http.Client
}

// Find implements Engine.
func (b Brave) Find(ctx context.Context, query string, most int) ([]tools.Hit, error) {
	var found struct {
		Web struct {
			Results []struct {
				Title, URL, Description string
				Extra                   []string `json:"extra_snippets"`
			}
		}
	}
	at := b.URL
	if at == "" {
		at = "https://api.search.brave.com"
	}
	address := strings.TrimSuffix(at, "/") + "/res/v1/web/search?" + url.Values{"q": {query}, "count": {strconv.Itoa(min(most, 20))}}.Encode()
	if err := ask(ctx, b.Client, http.MethodGet, address, http.Header{"X-Subscription-Token": {b.Key}}, nil, &found); err != nil {
		return nil, err
	}
	var hits []tools.Hit
	for _, r := range found.Web.Results {
		hits = append(hits, tools.Hit{Title: r.Title, URL: r.URL, Extract: strings.Join(append([]string{r.Description}, r.Extra...), " ")})
	}
	return hits, nil
}

// Tavily is the search engine of that name.
type Tavily struct {
	URL    string // "" is its own
	Key    string
	Client *http.Client
}

// Find implements Engine.
func (t Tavily) Find(ctx context.Context, query string, most int) ([]tools.Hit, error) {
	var found struct {
		Results []struct{ Title, URL, Content string }
	}
	at := t.URL
	if at == "" {
		at = "https://api.tavily.com"
	}
	question := map[string]any{"query": query, "max_results": min(most, 20), "search_depth": "basic"}
	if err := ask(ctx, t.Client, http.MethodPost, strings.TrimSuffix(at, "/")+"/search", http.Header{"Authorization": {"Bearer " + t.Key}}, question, &found); err != nil {
		return nil, err
	}
	var hits []tools.Hit
	for _, r := range found.Results {
		hits = append(hits, tools.Hit{Title: r.Title, URL: r.URL, Extract: r.Content})
	}
	return hits, nil
}

// A statusError is an answer that says no.
type statusError int

func (s statusError) Error() string {
	return fmt.Sprintf("the search engine answers %d; try again later", int(s))
}

const largestAnswer = 4 << 20

// ask asks a search engine. What it says about a mistake is not handed on: it may repeat
// the key.
func ask(ctx context.Context, client *http.Client, method, address string, header http.Header, question, found any) error {
	var body io.Reader
	if question != nil {
		b, err := json.Marshal(question)
		if err != nil {
			return err
		}
		body = bytes.NewReader(b)
	}
	request, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return errors.New("the address of the search engine is none; check search in the configuration")
	}
	request.Header.Set("Accept", "application/json")
	if question != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := client.Do(request)
	if err != nil {
		return errors.New("the search engine cannot be reached; try again later")
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusUnauthorized, response.StatusCode == http.StatusForbidden && header != nil:
		return errKey
	case response.StatusCode == http.StatusTooManyRequests, response.StatusCode == 432, response.StatusCode == 433: // Tavily's own
		return errLimit
	case response.StatusCode != http.StatusOK:
		return statusError(response.StatusCode)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, largestAnswer)).Decode(found); err != nil {
		return errors.New("the search engine's answer cannot be read; try again later")
	}
	return nil
}
