// Package outside makes requests to addresses that a model or a web page can choose. It
// imports nothing of Aside.
//
// Before changing it, know what it is for: whoever can write something that the model reads
// must not reach what only this machine reaches. The address is looked at when the connection
// is made, after names are resolved and redirects followed, so no name can point inside
// later.
package outside

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// ErrInside says that an address is not one of the public internet.
var ErrInside = errors.New("the address is not a public one")

// inside are networks that netip has no word for: shared and reserved ones, and those that
// stand for IPv4 addresses.
var inside = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
)

func prefixes(all ...string) (nets []netip.Prefix) {
	for _, one := range all {
		nets = append(nets, netip.MustParsePrefix(one))
	}
	return nets
}

// Public tells whether an address belongs to the public internet.
func Public(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
		return false
	}
	for _, net := range inside {
		if net.Contains(ip) {
			return false
		}
	}
	return true
}

// Options of a client.
type Options struct {
	Timeout time.Duration // for a whole request

	// Allowed tells whether a connection may be made; nil is Public, and the ports of web
	// pages.
	Allowed func(netip.AddrPort) bool
}

const mostRedirects = 5

// NewClient returns a client that reaches the public internet only. It uses no proxy: one
// would look names up on its own.
func NewClient(o Options) *http.Client {
	if o.Allowed == nil {
		o.Allowed = func(at netip.AddrPort) bool { return Public(at.Addr()) && (at.Port() == 80 || at.Port() == 443) }
	}
	dialer := &net.Dialer{Timeout: o.Timeout, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !o.Allowed(at) {
			return ErrInside
		}
		return nil
	}}
	return &http.Client{
		Timeout: o.Timeout,
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, address)
			},
			TLSHandshakeTimeout: o.Timeout, ResponseHeaderTimeout: o.Timeout,
			MaxResponseHeaderBytes: 64 << 10, DisableKeepAlives: true,
		},
		CheckRedirect: func(next *http.Request, before []*http.Request) error {
			switch {
			case len(before) >= mostRedirects:
				return fmt.Errorf("it redirects more than %d times", mostRedirects)
			case next.URL.Scheme != "http" && next.URL.Scheme != "https":
				return errors.New("it redirects to what is no web page")
			}
			return nil
		},
	}
}
