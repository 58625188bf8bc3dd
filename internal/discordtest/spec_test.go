package discordtest

import (
	"net/http/httptest"
	"strings"
	"testing"
)

func TestRequestsAreCheckedAgainstDiscordsDescription(t *testing.T) {
	s := New(t)
	if !s.Checked() {
		t.Skip("discord_openapi.json, Discord's description of its API, was not found: no request of any test is checked against it. ASIDE_SPECS names the directory that has it.")
	}
	for _, test := range []struct {
		name, method, route, query string
		body                       map[string]any
		words                      string // "" if nothing is wrong
	}{
		{"a message", "POST", "/channels/{channel}/messages", "", map[string]any{"content": "hello", "nonce": "n", "enforce_nonce": true}, ""},
		{"a field that is not described", "POST", "/channels/{channel}/messages", "", map[string]any{"contents": "hello"}, "contents"},
		{"a field of another kind", "POST", "/channels/{channel}/messages", "", map[string]any{"content": 7.0}, "content"},
		{"a text that is too long", "POST", "/channels/{channel}/messages", "", map[string]any{"content": strings.Repeat("x", 4001)}, "at most"},
		{"a field that is missing", "POST", "/guilds/{guild}/channels", "", map[string]any{"type": 0.0}, "name"},
		{"a page", "GET", "/channels/{channel}/messages", "limit=100&before=1", nil, ""},
		{"a page that is too long", "GET", "/channels/{channel}/messages", "limit=101", nil, "at most"},
		{"a question that is not described", "GET", "/channels/{channel}/messages", "most=100", nil, "most"},
		{"a request that is not described", "PUT", "/channels/{channel}/messages", "", nil, "no such request"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := s.spec.check(test.route, newCall(test.method, "/?"+test.query, test.body))
			if test.words == "" && err != nil || test.words != "" && (err == nil || !strings.Contains(err.Error(), test.words)) {
				t.Errorf("it is %v, want %q", err, test.words)
			}
		})
	}
}

func newCall(method, target string, body map[string]any) *call {
	return &call{r: httptest.NewRequest(method, target, nil), body: body}
}
