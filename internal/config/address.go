package config

import (
	"net"
	"net/netip"
	"regexp"
	"strconv"
)

// An Address is a host and a port to listen at. No host is every address of the
// machine; port 0 is any that is free.
type Address string

var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$`)

func (a Address) valid() bool {
	host, port, err := net.SplitHostPort(string(a))
	if err != nil {
		return false
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return false
	}
	_, err = netip.ParseAddr(host)
	return err == nil || host == "" || hostName.MatchString(host)
}

// Loopback reports whether only this machine can reach the address. A name other
// than localhost may mean anything, so it does not count.
func (a Address) Loopback() bool {
	host, _, err := net.SplitHostPort(string(a))
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
