package console_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/console"
)

// servePage serves the page of an agent.
func servePage(t *testing.T, agent string) (*console.Page, *httptest.Server) {
	t.Helper()
	p, err := console.NewPage(console.Setting{Agent: agent, FileCount: 10, FileSize: 20 << 20})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for pattern, handle := range p.Routes() {
		mux.HandleFunc(pattern, handle)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return p, server
}

func get(t *testing.T, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

func TestThePageIsWholeAndItsOwn(t *testing.T) {
	p, server := servePage(t, "Aside")
	answer, shell := get(t, server.URL+"/")
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != "text/html; charset=utf-8" {
		t.Fatalf("the page: %s, %s", answer.Status, kind)
	}
	policy := answer.Header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; ") || !strings.Contains(policy, "; img-src 'self' blob:; ") || strings.Count(policy, "blob:") != 1 || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") || strings.Contains(policy, "http") {
		t.Errorf("the policy is %s", policy)
	}
	if inline := regexp.MustCompile(`(?i)<style|\sstyle=|\son[a-z]+=|<script(?:\s[^>]*)?>[^<]|javascript:`).FindString(shell); inline != "" {
		t.Errorf("the page has %q in it", inline)
	}
	// What it loads, and what that loads.
	wanted := regexp.MustCompile(`(?:href|src|from|import)[= ]["']([./][^"']*)["']`)
	needs := []string{}
	texts := []string{shell}
	for len(texts) > 0 {
		for _, found := range wanted.FindAllStringSubmatch(texts[0], -1) {
			path := strings.Replace(found[1], "./", "/page/", 1)
			if slices.Contains(needs, path) {
				continue
			}
			needs = append(needs, path)
			file, text := get(t, server.URL+path)
			if file.StatusCode != http.StatusOK {
				t.Errorf("%s: %s", path, file.Status)
			}
			if kind := file.Header.Get("Content-Type"); strings.HasSuffix(path, ".js") != strings.HasPrefix(kind, "text/javascript") {
				t.Errorf("%s is %s", path, kind)
			}
			texts = append(texts, text)
		}
		texts = texts[1:]
	}
	slices.Sort(needs)
	if have := p.Paths(); have[0] != "/" || !slices.Equal(have, needs) {
		t.Errorf("the page has %q and needs %q", have, needs)
	}
}

func TestTheNameOfTheAgentStaysText(t *testing.T) {
	_, server := servePage(t, `"><script>alert(1)</script>`)
	if _, shell := get(t, server.URL+"/"); strings.Contains(shell, "<script>") || strings.Contains(shell, "{{") || !strings.Contains(shell, "&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Errorf("the page is %s", shell)
	}
}

func TestAFileIsSentOnce(t *testing.T) {
	_, server := servePage(t, "Aside")
	first, body := get(t, server.URL+"/page/main.js")
	tag := first.Header.Get("ETag")
	if tag == "" || body == "" || first.Header.Get("Cache-Control") != "no-cache" {
		t.Fatalf("got %v", first.Header)
	}
	if again, _ := get(t, server.URL+"/page/main.js", "If-None-Match", tag); again.StatusCode != http.StatusNotModified {
		t.Errorf("asked again: %s", again.Status)
	}
	if other, _ := get(t, server.URL+"/page/index.html"); other.StatusCode != http.StatusNotFound {
		t.Errorf("the shell's source: %s", other.Status)
	}
}
