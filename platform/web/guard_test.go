package web_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/asidehq/aside/platform/web"
)

const (
	token    = "correct horse battery"
	messages = "/api/v1/rooms/lobby/messages"
	hi       = `{"text":"Hi"}`
)

func TestWhoIsLetIn(t *testing.T) {
	on := func(listen, token string) func(*web.Options) {
		return func(o *web.Options) { o.Listen, o.Token = listen, token }
	}
	pages := map[string]*page{
		"loopback":       newRunningPage(t, on("127.0.0.1:0", "")),
		"loopback+token": newRunningPage(t, on("127.0.0.1:0", token)),
		"localhost":      newRunningPage(t, on("LocalHost:0", token)),
		"127.0.0.2":      newRunningPage(t, on("127.0.0.2:0", "")),
		"8787":           newRunningPage(t, on("127.0.0.1:8787", "")),
		"80":             newRunningPage(t, on("127.0.0.1:80", "")),
		"::1":            newRunningPage(t, on("[::1]:0", "")),
		"everywhere":     newRunningPage(t, on("0.0.0.0:8787", token)),
		"open": newRunningPage(t, func(o *web.Options) {
			on("127.0.0.1:0", token)(o)
			show := func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte("shown")) }
			o.More = map[string]http.HandlerFunc{"/{$}": show, "/closed": show, "/hooks/{id}": show, "/hooks/{id}/{more}": show}
			o.Open = []string{"/", "/hooks/{id}"}
		}),
	}
	public := func(listen, url string) *page {
		return newRunningPage(t, func(o *web.Options) { o.Listen, o.Token, o.PublicURL = listen, token, url })
	}
	pages["public"] = public("127.0.0.1:0", "https://chat.example.com/")
	pages["public:8443"] = public("127.0.0.1:0", "https://chat.example.com:8443")
	cookie := logIn(t, pages["everywhere"], token)
	if other := logIn(t, pages["loopback+token"], token); other != cookie {
		t.Errorf("the cookie is %q or %q for the same token", cookie, other)
	}
	// PORT in a header is the port that the page is served at.
	tests := []struct {
		name, page, method, path string
		headers                  []string
		status                   int
	}{
		{"what is open under any id, without a token", "open", "POST", "/hooks/cron-001", nil, 200},
		{"and nothing below it", "open", "POST", "/hooks/cron-001/more", nil, 401},
		{"a program on this machine", "loopback", "POST", messages, nil, 202},
		{"by the name localhost", "loopback", "POST", messages, []string{"Host", "localhost:PORT"}, 202},
		{"by the name LOCALHOST", "loopback", "POST", messages, []string{"Host", "LOCALHOST:PORT"}, 202},
		{"by the IPv6 address", "loopback", "POST", messages, []string{"Host", "[::1]:PORT"}, 202},
		{"by the address it listens at", "127.0.0.2", "POST", messages, []string{"Host", "127.0.0.2:PORT"}, 202},
		{"by another address of loopback", "loopback", "POST", messages, []string{"Host", "127.0.0.2:PORT"}, 421},
		{"by a name that was made to mean this machine", "loopback", "POST", messages, []string{"Host", "evil.example:PORT"}, 421},
		{"by such a name, to read", "loopback", "GET", messages, []string{"Host", "evil.example:PORT"}, 421},
		{"by such a name, to ask how it is", "loopback", "GET", "/healthz", []string{"Host", "evil.example:PORT"}, 421},
		{"by such a name, for what is not there", "loopback", "GET", "/", []string{"Host", "evil.example:PORT"}, 421},
		{"by a name that begins like ours", "loopback", "POST", messages, []string{"Host", "localhost.evil.example:PORT"}, 421},
		{"by such a name with the origin to match", "loopback", "POST", messages, []string{"Host", "evil.example:PORT", "Origin", "http://evil.example:PORT"}, 421},
		{"at another port", "loopback", "POST", messages, []string{"Host", "localhost:1"}, 421},
		{"without the port", "loopback", "POST", messages, []string{"Host", "localhost"}, 421},
		{"without the port, if it is 80", "80", "POST", messages, []string{"Host", "localhost"}, 202},
		{"without the port, if it is 80, by the IPv6 address", "80", "POST", messages, []string{"Host", "[::1]"}, 202},
		{"at the port it was told", "8787", "POST", messages, []string{"Host", "localhost:8787"}, 202},
		{"at the port it is really served at", "8787", "POST", messages, []string{"Host", "localhost:PORT"}, 421},
		{"to IPv6, by the name localhost", "::1", "POST", messages, []string{"Host", "localhost:PORT"}, 202},
		{"by any name, if it listens everywhere", "everywhere", "POST", messages, []string{"Host", "aside.example", "Authorization", "Bearer " + token}, 202},

		{"our own page", "loopback", "POST", messages, []string{"Origin", "http://127.0.0.1:PORT", "Sec-Fetch-Site", "same-origin"}, 202},
		{"an address that was typed in", "loopback", "GET", messages, []string{"Sec-Fetch-Site", "none"}, 200},
		{"a page elsewhere", "loopback", "POST", messages, []string{"Origin", "https://evil.example"}, 403},
		{"a page elsewhere, to read", "loopback", "GET", messages, []string{"Origin", "https://evil.example"}, 403},
		{"a page elsewhere, to follow", "loopback", "GET", "/api/v1/rooms/lobby/events", []string{"Origin", "https://evil.example"}, 403},
		{"a page elsewhere, to ask how it is", "loopback", "GET", "/healthz", []string{"Origin", "https://evil.example"}, 403},
		{"a page elsewhere, to ask whether it may", "loopback", "OPTIONS", messages, []string{"Origin", "https://evil.example"}, 403},
		{"a page elsewhere with the token", "loopback+token", "POST", messages, []string{"Origin", "https://evil.example", "Authorization", "Bearer " + token}, 403},
		{"a page elsewhere, to log in", "loopback+token", "POST", "/login", []string{"Origin", "https://evil.example"}, 403},
		{"a page of no origin", "loopback", "POST", messages, []string{"Origin", "null"}, 403},
		{"a page at another port", "loopback", "POST", messages, []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"a page under another of our names", "loopback", "POST", messages, []string{"Origin", "http://localhost:PORT"}, 403},
		{"a page of another kind", "loopback", "POST", messages, []string{"Origin", "ftp://127.0.0.1:PORT"}, 403},
		{"a page behind a proxy with TLS", "everywhere", "POST", messages, []string{"Host", "aside.example", "Origin", "https://aside.example", "Authorization", "Bearer " + token}, 202},
		{"an image on a page elsewhere", "loopback", "GET", messages, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"an image on a page at another port", "loopback", "GET", messages, []string{"Sec-Fetch-Site", "same-site"}, 403},

		{"a proxy that keeps the public name", "public", "POST", messages, []string{"Host", "chat.example.com", "Authorization", "Bearer " + token}, 202},
		{"a proxy that keeps the public name, in capitals and with its port", "public", "GET", messages, []string{"Host", "Chat.Example.com:443", "Authorization", "Bearer " + token}, 200},
		{"our page behind it", "public", "POST", messages, []string{"Host", "chat.example.com", "Cookie", cookie, "Origin", "https://chat.example.com"}, 202},
		{"our page behind it, as the browser says", "public", "POST", messages, []string{"Host", "chat.example.com", "Cookie", cookie, "Sec-Fetch-Site", "same-origin"}, 202},
		{"our page behind a proxy that does not keep the name", "public", "POST", messages, []string{"Host", "localhost:PORT", "Cookie", cookie, "Origin", "https://chat.example.com"}, 202},
		{"our page behind it, at a port", "public:8443", "POST", messages, []string{"Host", "chat.example.com:8443", "Cookie", cookie, "Origin", "https://chat.example.com:8443"}, 202},
		{"the public name at another port", "public:8443", "POST", messages, []string{"Host", "chat.example.com", "Authorization", "Bearer " + token}, 421},
		{"the public name without TLS", "public", "POST", messages, []string{"Host", "chat.example.com", "Cookie", cookie, "Origin", "http://chat.example.com"}, 403},
		{"a page elsewhere, at a proxy", "public", "POST", messages, []string{"Host", "chat.example.com", "Cookie", cookie, "Origin", "https://evil.example"}, 403},
		{"a page whose name begins like the public one", "public", "POST", messages, []string{"Host", "chat.example.com", "Cookie", cookie, "Origin", "https://chat.example.com.evil.example"}, 403},
		{"another name where there is a public one", "public", "POST", messages, []string{"Host", "evil.example", "Authorization", "Bearer " + token}, 421},
		{"the public name, of a Web that has none", "loopback+token", "POST", messages, []string{"Host", "chat.example.com", "Authorization", "Bearer " + token}, 421},
		{"no token at a proxy", "public", "GET", messages, []string{"Host", "chat.example.com"}, 401},
		{"this machine, where there is a proxy", "public", "POST", messages, []string{"Authorization", "Bearer " + token}, 202},

		{"the token", "loopback+token", "POST", messages, []string{"Authorization", "Bearer " + token}, 202},
		{"the token, in small letters", "loopback+token", "POST", messages, []string{"Authorization", "bearer " + token}, 202},
		{"the token, at localhost", "localhost", "POST", messages, []string{"Host", "localhost:PORT", "Authorization", "Bearer " + token}, 202},
		{"no token", "loopback+token", "POST", messages, nil, 401},
		{"no token, to read", "everywhere", "GET", messages, nil, 401},
		{"no token, to follow", "everywhere", "GET", "/api/v1/rooms/lobby/events", nil, 401},
		{"no token, for a turn", "everywhere", "GET", "/api/v1/turns/1", nil, 401},
		{"no token, for what is not there", "everywhere", "GET", "/nothing", nil, 401},
		{"no token, for what begins like what is open", "everywhere", "GET", "/healthz/x", nil, 401},
		{"no token, to ask how it is", "everywhere", "GET", "/healthz", nil, 200},
		{"no token, to ask whether it is ready", "everywhere", "GET", "/readyz", nil, 200},
		{"no token, for what is open", "open", "GET", "/", nil, 200},
		{"no token, for what is not", "open", "GET", "/closed", nil, 401},
		{"no token, for what begins like what is open", "open", "GET", "/x", nil, 401},
		{"a link elsewhere to what is open", "open", "GET", "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		{"a link elsewhere to what is open, by another name", "open", "GET", "/", []string{"Host", "evil.example:PORT", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 421},
		{"a link elsewhere to what is not", "open", "GET", "/closed", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document", "Authorization", "Bearer " + token}, 403},
		{"a form elsewhere to what is open", "open", "POST", "/", []string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 403},
		{"a frame elsewhere with what is open", "open", "GET", "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, 403},
		{"a script elsewhere that fetches what is open", "open", "GET", "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "script"}, 403},
		{"an empty token", "everywhere", "POST", messages, []string{"Authorization", "Bearer "}, 401},
		{"half the token", "everywhere", "POST", messages, []string{"Authorization", "Bearer correct horse"}, 401},
		{"the token and more", "everywhere", "POST", messages, []string{"Authorization", "Bearer " + token + "!"}, 401},
		{"the token as a password", "everywhere", "POST", messages, []string{"Authorization", "Basic " + token}, 401},
		{"the token in the address", "everywhere", "GET", messages + "?token=correct+horse+battery", nil, 401},

		{"the cookie, to read", "everywhere", "GET", messages, []string{"Cookie", cookie}, 200},
		{"the cookie from our own page", "everywhere", "POST", messages, []string{"Cookie", cookie, "Origin", "http://127.0.0.1:PORT"}, 202},
		{"the cookie from our own page, as the browser says", "everywhere", "POST", messages, []string{"Cookie", cookie, "Sec-Fetch-Site", "same-origin"}, 202},
		{"the cookie and a proxy's password", "everywhere", "GET", messages, []string{"Cookie", cookie, "Authorization", "Basic eDp5"}, 200},
		{"the cookie from who knows where", "everywhere", "POST", messages, []string{"Cookie", cookie}, 403},
		{"the cookie from an address that was typed in", "everywhere", "POST", messages, []string{"Cookie", cookie, "Sec-Fetch-Site", "none"}, 403},
		{"the cookie from a page elsewhere", "everywhere", "POST", messages, []string{"Cookie", cookie, "Origin", "https://evil.example"}, 403},
		{"the cookie and the token from who knows where", "everywhere", "POST", messages, []string{"Cookie", cookie, "Authorization", "Bearer " + token}, 202},
		{"a cookie that was made up", "everywhere", "GET", messages, []string{"Cookie", "aside=x"}, 401},
		{"the token as a cookie", "everywhere", "GET", messages, []string{"Cookie", `aside="` + token + `"`}, 401},
		{"the cookie of another name", "everywhere", "GET", messages, []string{"Cookie", "b" + cookie}, 401},
		{"the cookie after one from another port", "everywhere", "GET", messages, []string{"Cookie", "aside=x; " + cookie}, 200},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := pages[test.page]
			_, port, _ := net.SplitHostPort(p.server.Listener.Addr().String())
			headers := append([]string(nil), test.headers...)
			for i, h := range headers {
				headers[i] = strings.ReplaceAll(h, "PORT", port)
			}
			if len(headers) == 0 || headers[0] != "Host" {
				headers = append(headers, "Host", "127.0.0.1:"+port)
			}
			a := p.answer(p.request(test.method, test.path, hi, headers...))
			if a.status != test.status {
				t.Errorf("got %d %s, want %d", a.status, a.body, test.status)
			}
			checkHeaders(t, a)
			if challenge := a.header.Get("WWW-Authenticate"); (a.status == 401) != (challenge == "Bearer") {
				t.Errorf("WWW-Authenticate is %q", challenge)
			}
			if a.status >= 400 {
				errorOf(t, a.body)
			}
		})
	}
	for name, p := range pages {
		if strings.Contains(p.logged.String(), token) {
			t.Errorf("%s has logged the token", name)
		}
	}
}

func checkHeaders(t *testing.T, a answer) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Security-Policy":      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Cache-Control":                "no-store",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for name, values := range a.header {
		if strings.Contains(strings.Join(values, ""), token) {
			t.Errorf("the token stands in %s", name)
		}
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("%s lets other pages in", name)
		}
	}
	if strings.Contains(a.body, token) {
		t.Error("the token stands in the answer")
	}
}

// logIn returns the cookie as it is sent back.
func logIn(t *testing.T, p *page, token string) string {
	t.Helper()
	a := p.answer(p.request("POST", "/login", `{"token":"`+token+`"}`))
	checkHeaders(t, a)
	cookie, attributes, _ := strings.Cut(a.header.Get("Set-Cookie"), "; ")
	if a.status != 204 || attributes != "Path=/; HttpOnly; SameSite=Strict" {
		t.Fatalf("got %d %s %q", a.status, a.body, attributes)
	}
	return cookie
}

func TestLogIn(t *testing.T) {
	tests := []struct {
		name, token, body string
		status            int
		why               string
	}{
		{"with the wrong token", token, `{"token":"wrong"}`, 401, "the token is wrong"},
		{"with an empty token", token, `{"token":""}`, 401, "the token is wrong"},
		{"with nothing", token, `{}`, 401, "the token is wrong"},
		{"with a number", token, `{"token":1}`, 400, "token is not a string"},
		{"with more than the token", token, `{"token":"x","user":"y"}`, 400, `there is no field "user"; there is token`},
		{"with a novel", token, `{"token":"` + strings.Repeat("x", 4<<10) + `"}`, 413, "the body is larger than 4 KiB"},
		{"where there is no token", "", `{"token":""}`, 404, "there is no token, so nobody has to log in"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newPage(t, func(o *web.Options) { o.Token = test.token })
			a := p.answer(p.request("POST", "/login", test.body))
			if why := errorOf(t, a.body); a.status != test.status || why != test.why || a.header.Get("Set-Cookie") != "" {
				t.Errorf("got %d %q with the cookie %q", a.status, why, a.header.Get("Set-Cookie"))
			}
		})
	}
}

func TestTheCookieIsSecureWithTLS(t *testing.T) {
	p := newPage(t, func(o *web.Options) { o.Token = token })
	a := p.answer(p.request("POST", "/login", `{"token":"`+token+`"}`, "X-Forwarded-Proto", "https"))
	if !strings.HasSuffix(a.header.Get("Set-Cookie"), "; Path=/; HttpOnly; Secure; SameSite=Strict") {
		t.Errorf("behind a proxy the cookie is %q", a.header.Get("Set-Cookie"))
	}
	p.server.Close()
	p.server = httptest.NewTLSServer(p.Handler())
	a = p.answer(p.request("POST", "/login", `{"token":"`+token+`"}`, "Origin", p.server.URL))
	if a.status != 204 || !strings.HasSuffix(a.header.Get("Set-Cookie"), "; Path=/; HttpOnly; Secure; SameSite=Strict") {
		t.Errorf("with TLS it is %d %s, the cookie %q", a.status, a.body, a.header.Get("Set-Cookie"))
	}
	insecure := strings.Replace(p.server.URL, "https:", "http:", 1)
	if status, _ := p.do("POST", "/login", `{"token":"`+token+`"}`, "Origin", insecure); status != http.StatusForbidden {
		t.Errorf("our own name without TLS is let in: %d", status)
	}
}

func TestTheCookieIsSecureAtAPublicAddressWithTLS(t *testing.T) {
	for _, test := range []struct {
		name, url string
		headers   []string
		secure    bool
	}{
		{"by its name", "https://chat.example.com", []string{"Host", "chat.example.com"}, true},
		{"by another name, from our page", "https://chat.example.com", []string{"Origin", "https://chat.example.com"}, true},
		{"not on this machine", "https://chat.example.com", nil, false},
		{"not without TLS", "http://chat.example.com", []string{"Host", "chat.example.com"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPage(t, func(o *web.Options) { o.Token, o.PublicURL = token, test.url })
			a := p.answer(p.request("POST", "/login", `{"token":"`+token+`"}`, test.headers...))
			if got := strings.Contains(a.header.Get("Set-Cookie"), "; Secure;"); a.status != 204 || got != test.secure {
				t.Errorf("got %d %s, the cookie %q", a.status, a.body, a.header.Get("Set-Cookie"))
			}
		})
	}
}

func TestAPublicAddressIsThatOfAHostAndNeedsAToken(t *testing.T) {
	for _, test := range []struct{ name, url, token, why string }{
		{"a host", "https://chat.example.com", token, ""},
		{"without a token", "https://chat.example.com", "", "others can reach Aside at its public_url, so it needs a token of at least 16 characters"},
		{"with a short token", "https://chat.example.com", "short", "others can reach Aside at its public_url, so it needs a token of at least 16 characters"},
		{"a path", "https://example.com/chat", token, "public_url is not the address of a host, such as https://chat.example.com"},
		{"a name alone", "chat.example.com", token, "public_url is not the address of a host, such as https://chat.example.com"},
		{"another kind", "ftp://chat.example.com", token, "public_url is not the address of a host, such as https://chat.example.com"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := web.New(web.Options{Listen: "127.0.0.1:0", Token: test.token, PublicURL: test.url})
			if got := errorText(err); got != test.why {
				t.Errorf("got %q, want %q", got, test.why)
			}
		})
	}
}

func TestAnAddressThatOthersCanReachNeedsAToken(t *testing.T) {
	tests := []struct {
		name, listen, token string
		why                 string
	}{
		{"loopback needs none", "127.0.0.1:8787", "", ""},
		{"nor does localhost", "localhost:8787", "", ""},
		{"nor does the IPv6 loopback", "[::1]:8787", "", ""},
		{"nor does loopback in IPv6 clothes", "[::ffff:127.0.0.1]:8787", "", ""},
		{"loopback may have a short one", "127.0.0.1:8787", "x", ""},
		{"16 characters do", "0.0.0.0:8787", "ääääääääääääääää", ""},
		{"all addresses", "0.0.0.0:8787", "", "other machines can reach 0.0.0.0:8787, so it needs a token of at least 16 characters; or listen at 127.0.0.1"},
		{"all addresses, for short", ":8787", "", "other machines can reach :8787, so it needs a token of at least 16 characters; or listen at 127.0.0.1"},
		{"15 characters", "192.0.2.1:8787", "123456789012345", "other machines can reach 192.0.2.1:8787, so it needs a token of at least 16 characters; or listen at 127.0.0.1"},
		{"a name", "aside.example:8787", "", "other machines can reach aside.example:8787, so it needs a token of at least 16 characters; or listen at 127.0.0.1"},
		{"no address", "", "", `listen is "", which is not a host and a port, such as 127.0.0.1:8787`},
		{"no port", "127.0.0.1", "", `listen is "127.0.0.1", which is not a host and a port, such as 127.0.0.1:8787`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := web.New(web.Options{Listen: test.listen, Token: test.token})
			if got := errorText(err); got != test.why {
				t.Errorf("got %q, want %q", got, test.why)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
