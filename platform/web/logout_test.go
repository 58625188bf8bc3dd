package web_test

import (
	"strings"
	"testing"

	"github.com/asidehq/aside/platform/web"
)

func TestLogOut(t *testing.T) {
	p := newRunningPage(t, func(o *web.Options) { o.Token = token })
	cookie := logIn(t, p, token)
	tests := []struct {
		name, method string
		headers      []string
		status       int
	}{
		{"from our own page", "POST", []string{"Cookie", cookie, "Origin", p.server.URL}, 204},
		{"from our own page, as the browser says", "POST", []string{"Cookie", cookie, "Sec-Fetch-Site", "same-origin"}, 204},
		{"with the token itself", "POST", []string{"Authorization", "Bearer " + token}, 204},
		{"from a page elsewhere", "POST", []string{"Cookie", cookie, "Origin", "http://evil.example"}, 403},
		{"from a page elsewhere that hides where it is", "POST", []string{"Cookie", cookie, "Sec-Fetch-Site", "cross-site"}, 403},
		{"from who knows where", "POST", []string{"Cookie", cookie}, 403},
		{"by a link", "GET", []string{"Cookie", cookie, "Sec-Fetch-Site", "same-origin"}, 405},
		{"by someone who is not logged in", "POST", []string{"Origin", p.server.URL}, 401},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := p.answer(p.request(test.method, "/logout", "", test.headers...))
			checkHeaders(t, a)
			set := a.header.Get("Set-Cookie")
			if a.status != test.status || (set != "") != (test.status == 204) {
				t.Errorf("got %d %s with the cookie %q", a.status, a.body, set)
			}
			if set != "" && (!strings.HasPrefix(set, "aside=; ") || !strings.Contains(set, "Max-Age=0") || !strings.Contains(set, "Path=/; ")) {
				t.Errorf("the cookie is not taken away: %q", set)
			}
		})
	}
	open := newRunningPage(t, func(o *web.Options) { o.Token = "" })
	if status, body := open.do("POST", "/logout", ""); status != 404 || errorOf(t, body) != "there is no token, so nobody is logged in" {
		t.Errorf("where there is no token: %d %s", status, body)
	}
}
