package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// printed is a value in every way in which it could get into a log.
func printed(t testing.TB, value any) string {
	t.Helper()
	var b bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&b, verb+"\n", value)
	}
	if err := json.NewEncoder(&b).Encode(value); err != nil {
		t.Fatal(err)
	}
	if err := yaml.NewEncoder(&b).Encode(value); err != nil {
		t.Fatal(err)
	}
	slog.New(slog.NewTextHandler(&b, nil)).Info("text", "value", value)
	slog.New(slog.NewJSONHandler(&b, nil)).Info("json", "value", value)
	return b.String()
}

func TestNobodyPrintsASecret(t *testing.T) {
	const secret = "s3cret-of-mine"
	tests := []struct {
		name  string
		value any
	}{
		{"a secret", NewSecret(secret)},
		{"a pointer to one", new(NewSecret(secret))},
		{"a secret in an exported field", struct{ S Secret }{NewSecret(secret)}},
		{"a secret in an unexported field", struct{ s Secret }{NewSecret(secret)}},
		{"a secret in a list", []Secret{NewSecret(secret)}},
		{"a database's password", NewURL("postgres://aside:" + secret + "@db/aside")},
		{"a URL in an unexported field", struct{ u URL }{NewURL("postgres://aside:" + secret + "@db/aside")}},
		{"a database's password among the parameters", NewURL("postgres://db/aside?sslmode=require&password=" + secret)},
		{"a key in a URL's place for a user", NewURL("https://" + secret + "@example.com/v1")},
		{"a key among a URL's parameters", NewURL("https://example.com/v1?key=" + secret)},
		{"a key that is the parameters", NewURL("https://example.com/v1?" + secret)},
		{"a key behind a URL", NewURL("https://example.com/v1#" + secret)},
		{"a URL that is none", NewURL("postgres://aside:%" + secret + "@db")},
		{"a password that is cut by a slash", NewURL("postgres://aside:12/" + secret + "@db")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out := printed(t, test.value)
			for _, leak := range []string{secret, fmt.Sprintf("%x", secret)} {
				if strings.Contains(out, leak) {
					t.Errorf("%s", out)
				}
			}
		})
	}
}

func TestSecret(t *testing.T) {
	if s := NewSecret("abc"); s.Reveal() != "abc" || s.String() != hidden || !s.Set() {
		t.Errorf("a secret is %q, prints %q, set: %v", s.Reveal(), s, s.Set())
	}
	if s := NewSecret(""); s != (Secret{}) || s.Reveal() != "" || s.String() != "" || s.Set() {
		t.Errorf("an empty secret is %q, prints %q, set: %v", s.Reveal(), s, s.Set())
	}
}

func TestURL(t *testing.T) {
	tests := []struct{ name, url, want string }{
		{"nothing", "", ""},
		{"a word", "sqlite", "sqlite"},
		{"a plain URL", "https://example.com:8443/v1", "https://example.com:8443/v1"},
		{"a user without password", "postgres://aside@db/aside", "postgres://aside@db/aside"},
		{"a password", "postgres://aside:pw@db/aside", "postgres://aside:•••@db/aside"},
		{"an empty password", "postgres://aside:@db/aside", "postgres://aside:•••@db/aside"},
		{"parameters", "postgres://db/a?sslmode=require&x=1", "postgres://db/a?sslmode=require&x=•••"},
		{"a login of a web server", "https://u:pw@example.com/", "https://•••@example.com/"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			u := NewURL(test.url)
			if u.String() != test.want || u.Reveal() != test.url || u.Set() != (test.url != "") {
				t.Errorf("%q prints %q, want %q", u.Reveal(), u, test.want)
			}
		})
	}
}

func TestLoopback(t *testing.T) {
	tests := []struct {
		address string
		want    bool
	}{
		{"127.0.0.1:8787", true},
		{"127.8.8.8:1", true},
		{"[::1]:8787", true},
		{"[::ffff:127.0.0.1]:8787", true},
		{"localhost:0", true},
		{":8787", false},
		{"0.0.0.0:8787", false},
		{"[::]:8787", false},
		{"192.168.1.2:8787", false},
		{"localhost.example.com:8787", false},
	}
	for _, test := range tests {
		t.Run(test.address, func(t *testing.T) {
			a := Address(test.address)
			if !a.valid() || a.Loopback() != test.want {
				t.Errorf("valid: %v, loopback: %v, want %v", a.valid(), a.Loopback(), test.want)
			}
		})
	}
}
