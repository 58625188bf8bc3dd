package web

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// login gives a browser the cookie in exchange for the token.
func (g *guard) login(rw http.ResponseWriter, r *http.Request) {
	fields, err := readFields(rw, r, largestLogin, "token")
	if err != nil {
		refuseRequest(rw, err)
		return
	}
	if g.token == "" {
		refuse(rw, http.StatusNotFound, "there is no token, so nobody has to log in")
		return
	}
	from := g.visitor(r)
	if wait := g.tries.begin(from); wait > 0 {
		refuseTry(rw, wait)
		return
	}
	if !same(fields["token"], g.token) {
		refuse(rw, http.StatusUnauthorized, "the token is wrong")
		return
	}
	g.tries.right(from)
	http.SetCookie(rw, g.newCookie(r))
	rw.WriteHeader(http.StatusNoContent)
}

// refuseTry is the answer to whoever has guessed too often, right or wrong.
func refuseTry(rw http.ResponseWriter, wait time.Duration) {
	seconds := int(math.Ceil(wait.Seconds()))
	rw.Header().Set("Retry-After", strconv.Itoa(seconds))
	refuse(rw, http.StatusTooManyRequests, fmt.Sprintf("the token was wrong too often; try again in %d seconds", seconds))
}

// visitor is where a request is from, as far as tries are counted: an address, or the
// network that one machine has all of with IPv6.
func (g *guard) visitor(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if g.public.known() {
		// The proxy adds at the end for whom it asks; what stands before that anybody can
		// have written.
		said := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		if last := strings.TrimSpace(said[len(said)-1]); last != "" {
			host = last
		}
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return "somewhere"
	}
	if ip = ip.Unmap().WithZone(""); ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.String()
		}
	}
	return ip.String()
}

// logout takes the cookie away. Who may ask is what around sees to: a page elsewhere
// could otherwise throw people out.
func (g *guard) logout(rw http.ResponseWriter, r *http.Request) {
	if g.token == "" {
		refuse(rw, http.StatusNotFound, "there is no token, so nobody is logged in")
		return
	}
	gone := g.newCookie(r)
	gone.Value, gone.MaxAge = "", -1
	http.SetCookie(rw, gone)
	rw.WriteHeader(http.StatusNoContent)
}

func (g *guard) newCookie(r *http.Request) *http.Cookie {
	return &http.Cookie{
		Name: cookieName, Value: g.cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		// A proxy that has undone TLS says so. Whoever lies gets a cookie that does
		// not come back.
		Secure: r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") || g.public.secure(r),
	}
}
