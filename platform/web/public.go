package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// A public address is what browsers call Aside where a proxy stands in front of it. The
// zero one is none.
type public struct {
	scheme, name string // the name has no port where it is the usual one
}

func readPublic(text string) (public, error) {
	if text == "" {
		return public{}, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return public{}, fmt.Errorf("public_url is not the address of a host, such as https://chat.example.com")
	}
	return public{u.Scheme, withoutUsualPort(u.Scheme, u.Host)}, nil
}

func withoutUsualPort(scheme, host string) string {
	usual := map[string]string{"https": ":443", "http": ":80"}[scheme]
	return strings.ToLower(strings.TrimSuffix(host, usual))
}

func (p public) known() bool { return p.name != "" }

// host reports whether the request was made to the public name, which the proxy has kept.
func (p public) host(r *http.Request) bool {
	return p.known() && withoutUsualPort(p.scheme, r.Host) == p.name
}

// origin reports whether the browser says that the request is from a page at the public
// address.
func (p public) origin(r *http.Request) bool {
	scheme, host, ok := strings.Cut(r.Header.Get("Origin"), "://")
	return p.known() && ok && strings.EqualFold(scheme, p.scheme) && withoutUsualPort(p.scheme, host) == p.name
}

// secure reports whether the request came to the public address with TLS.
func (p public) secure(r *http.Request) bool {
	return p.scheme == "https" && (p.host(r) || p.origin(r))
}
