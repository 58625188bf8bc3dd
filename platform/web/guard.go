package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// The guard stands before everything. It keeps out three kinds of requests:
//
//   - from a page elsewhere, in the browser of someone who can reach Aside. It would
//     otherwise need no more than the address: on loopback there may be no token.
//     The browser says where a request is from (Origin, Sec-Fetch-Site).
//   - from a page that got its own name to mean 127.0.0.1 (DNS rebinding), which the
//     browser takes for ours. It gives itself away by its name (Host).
//   - without the token, where there is one.
//
// A program that is no browser sends none of these headers and needs the token only.
type guard struct {
	host     string // what we listen at
	port     string // "0" is the one the connection came in at
	loopback bool
	token    string // "" lets everyone in
	cookie   string // what the cookie holds
	open     []string
	public   public // what a proxy in front is called
	tries    *tries
}

const (
	leastToken   = 16 // characters, where others can guess at it
	cookieName   = "aside"
	largestLogin = 4 << 10
)

func newGuard(o Options) (*guard, error) {
	host, port, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen is %q, which is not a host and a port, such as 127.0.0.1:8787", o.Listen)
	}
	ip, err := netip.ParseAddr(host)
	g := &guard{host: host, port: port, token: o.Token, open: o.Open, tries: newTries(o.Now)}
	g.loopback = host == "localhost" || err == nil && ip.Unmap().IsLoopback()
	if g.public, err = readPublic(o.PublicURL); err != nil {
		return nil, err
	}
	switch short := utf8.RuneCountInString(o.Token) < leastToken; {
	case short && !g.loopback:
		return nil, fmt.Errorf("other machines can reach %s, so it needs a token of at least %d characters; or listen at 127.0.0.1", o.Listen, leastToken)
	case short && g.public.known():
		return nil, fmt.Errorf("others can reach Aside at its public_url, so it needs a token of at least %d characters", leastToken)
	}
	// Not the token itself: browsers send a cookie to every port of a host, whoever
	// listens there.
	mac := hmac.New(sha256.New, []byte(o.Token))
	mac.Write([]byte("aside web cookie"))
	g.cookie = base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	return g, nil
}

// around lets through to next what may pass.
func (g *guard) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		header := rw.Header()
		header.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Cache-Control", "no-store")
		switch {
		case g.loopback && !g.ownHost(r) && !g.public.host(r):
			refuse(rw, http.StatusMisdirectedRequest, "this Aside is not called that; use the address it listens at, or localhost, or set public_url")
		case !g.fromHere(r) && !g.visit(r):
			refuse(rw, http.StatusForbidden, "pages elsewhere may not talk to Aside")
		case g.needsNoToken(r) || g.token == "" || g.bearer(r):
			next.ServeHTTP(rw, r)
		case !g.loggedIn(r):
			header.Set("WWW-Authenticate", "Bearer")
			refuse(rw, http.StatusUnauthorized, "the token is missing or wrong; send it as Authorization: Bearer TOKEN, or log in")
		case !safe(r) && !g.certainlyFromHere(r):
			refuse(rw, http.StatusForbidden, "with a cookie, this takes a request from Aside's own page; use Authorization: Bearer TOKEN")
		default:
			next.ServeHTTP(rw, r)
		}
	})
}

// needsNoToken reports whether a request is one that everyone may make.
func (g *guard) needsNoToken(r *http.Request) bool {
	return slices.Contains([]string{"/healthz", "/readyz", "/login"}, r.URL.Path) || g.isOpen(r)
}

// isOpen reports whether a path is one of those, or, where one ends with {id}, a path with
// anything in its place.
func (g *guard) isOpen(r *http.Request) bool {
	return slices.ContainsFunc(g.open, func(open string) bool {
		if before, ok := strings.CutSuffix(open, "{id}"); ok {
			id, ok := strings.CutPrefix(r.URL.Path, before)
			return ok && id != "" && !strings.Contains(id, "/")
		}
		return open == r.URL.Path
	})
}

// visit reports whether someone follows a link on a page elsewhere to one of ours.
// That page learns nothing from it and cannot put ours into a frame.
func (g *guard) visit(r *http.Request) bool {
	return g.isOpen(r) && safe(r) && r.Header.Get("Origin") == "" &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// safe reports whether a request changes nothing.
func safe(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// ownHost reports whether the request was made to a name that means this machine
// wherever it is looked up.
func (g *guard) ownHost(r *http.Request) bool {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		host, port = strings.TrimSuffix(strings.TrimPrefix(r.Host, "["), "]"), "80"
		if r.TLS != nil {
			port = "443"
		}
	}
	host = strings.ToLower(host)
	return port == g.ownPort(r) && slices.Contains([]string{strings.ToLower(g.host), "localhost", "127.0.0.1", "::1"}, host)
}

func (g *guard) ownPort(r *http.Request) string {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if g.port != "0" || !ok {
		return g.port
	}
	_, port, _ := net.SplitHostPort(local.String()) // no port is no one's
	return port
}

// fromHere reports whether nothing says that the request is from a page elsewhere.
// Another port is elsewhere, though browsers call it the same site.
func (g *guard) fromHere(r *http.Request) bool {
	if r.Header.Get("Origin") != "" && !g.ownOrigin(r) {
		return false
	}
	return slices.Contains([]string{"", "none", "same-origin"}, r.Header.Get("Sec-Fetch-Site"))
}

// certainlyFromHere reports whether the browser says that the request is from our
// own page.
func (g *guard) certainlyFromHere(r *http.Request) bool {
	return g.ownOrigin(r) || r.Header.Get("Sec-Fetch-Site") == "same-origin"
}

func (g *guard) ownOrigin(r *http.Request) bool {
	if g.public.origin(r) {
		return true // whatever name the proxy asks for
	}
	if g.public.host(r) {
		return false // it is ours, but not by way of TLS
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || !strings.EqualFold(origin.Host, r.Host) {
		return false
	}
	// Without TLS here it may still be https: a proxy can have undone it.
	return origin.Scheme == "https" || origin.Scheme == "http" && r.TLS == nil
}

// bearer reports whether the request carries the token.
func (g *guard) bearer(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && same(strings.TrimSpace(token), g.token)
}

// loggedIn reports whether the request carries the cookie.
func (g *guard) loggedIn(r *http.Request) bool {
	for _, c := range r.CookiesNamed(cookieName) {
		if same(c.Value, g.cookie) {
			return true
		}
	}
	return false
}

// same compares secrets in a time that tells nothing about them, not even how long
// they are.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return hmac.Equal(x[:], y[:])
}
