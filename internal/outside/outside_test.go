package outside

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestOnlyPublicAddressesAreReached(t *testing.T) {
	for address, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true, "1.1.1.1": true,
		"127.0.0.1": false, "127.8.8.8": false, "10.0.0.1": false, "172.16.5.4": false, "172.32.0.1": true, "192.168.1.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "100.128.0.1": true, "0.0.0.0": false, "0.1.2.3": false, "255.255.255.255": false, "224.0.0.1": false,
		"198.18.0.1": false, "192.0.2.1": false, "240.0.0.1": false,
		"::1": false, "::": false, "fe80::1": false, "fc00::1": false, "fd12::1": false, "ff02::1": false, "fec0::1": false,
		"::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "64:ff9b::7f00:1": false, "2002:7f00:1::": false, "2001:db8::1": false, "fe80::1%eth0": false,
	} {
		if got := Public(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is public: %v", address, got)
		}
	}
}

func TestNoNameNoRedirectAndNoPortLeadsInside(t *testing.T) {
	secret := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "the secret") }))
	defer secret.Close()
	at := netip.MustParseAddrPort(secret.Listener.Addr().String())
	port := fmt.Sprint(at.Port())
	client := NewClient(Options{Timeout: 5 * time.Second})
	for _, address := range []string{
		secret.URL, "http://localhost:" + port, "http://[::ffff:127.0.0.1]:" + port, "http://2130706433:" + port, "http://0x7f.1:" + port,
		"http://127.1:" + port, "http://0:" + port, "http://[::1]:" + port,
	} {
		if said, err := Read(t.Context(), client, address, 100); err == nil {
			t.Errorf("%s says %q", address, said)
		}
	}
	_, err := Read(t.Context(), client, secret.URL, 100)
	if !errors.Is(err, ErrInside) {
		t.Errorf("the reason is %v", err)
	}
	for _, address := range []string{"file:///etc/passwd", "ftp://example.com/", "http://user:word@example.com/", "gopher://x", "//example.com", "http://"} {
		if _, err := Read(t.Context(), client, address, 100); err == nil || err.Error() != "it is not the address of a web page" {
			t.Errorf("%s: %v", address, err)
		}
	}

	// A page outside, for which this test's own address passes, that sends its readers inside.
	outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, secret.URL, http.StatusFound)
	}))
	defer outer.Close()
	door := netip.MustParseAddrPort(outer.Listener.Addr().String())
	client = NewClient(Options{Timeout: 5 * time.Second, Allowed: func(a netip.AddrPort) bool { return a == door || Public(a.Addr()) }})
	if _, err := Read(t.Context(), client, outer.URL, 100); !errors.Is(err, ErrInside) {
		t.Errorf("a redirect leads inside: %v", err)
	}
}

func TestAPageIsReadWithoutItsFrame(t *testing.T) {
	pages := map[string]struct{ kind, body, want string }{
		"/html": {
			"text/html; charset=utf-8",
			`<html><head><title>No</title><script>alert(1)</script></head><body><nav>Menu</nav><h1>Tea</h1><p>Tea is <b>green</b> &amp; good.</p><style>p{}</style><footer>©</footer></body></html>`,
			"Tea\nTea is green & good.",
		},
		"/latin": {"text/html; charset=iso-8859-1", "<p>Gr\xfcner Tee</p>", "Grüner Tee"},
		"/plain": {"text/plain", "just  words\n\n\nhere", "just words\nhere"},
		"/long":  {"text/html", "<p>" + strings.Repeat("word ", 1000) + "</p>", strings.Repeat("word ", 20)[:100] + "…"},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", pages[r.URL.Path].kind)
		fmt.Fprint(w, pages[r.URL.Path].body)
	}))
	defer server.Close()
	client := NewClient(Options{Timeout: 5 * time.Second, Allowed: func(netip.AddrPort) bool { return true }})
	for path, page := range pages {
		if got, err := Read(t.Context(), client, server.URL+path, 100); err != nil || got != page.want {
			t.Errorf("%s says %q, %v", path, got, err)
		}
	}
}

func TestWhatIsNoPageIsNotRead(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/picture":
			w.Header().Set("Content-Type", "image/png")
		case "/gone":
			w.WriteHeader(http.StatusGone)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		}
	}))
	defer server.Close()
	client := NewClient(Options{Timeout: 5 * time.Second, Allowed: func(netip.AddrPort) bool { return true }})
	for path, want := range map[string]string{"/picture": "it is image/png, not a text", "/gone": "it answers 410", "/round": "it redirects more than 5 times"} {
		if _, err := Read(t.Context(), client, server.URL+path, 100); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
