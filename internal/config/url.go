package config

import (
	"encoding/json"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
)

// A URL may carry a password, so it prints without it; Reveal is the whole URL.
// The zero URL is not set, and prints as nothing.
type URL struct {
	value *string // a pointer for the reason that Secret has
}

// NewURL is the URL of that text.
func NewURL(value string) URL {
	if value == "" {
		return URL{}
	}
	return URL{&value}
}

// Reveal is the URL itself, for the one place that needs it.
func (u URL) Reveal() string {
	if u.value == nil {
		return ""
	}
	return *u.value
}

// Set reports whether there is a URL.
func (u URL) Set() bool { return u.value != nil }

// plainParameters are what may be seen of a query; anything else could be a key.
var plainParameters = map[string]bool{
	"application_name": true, "connect_timeout": true, "pool_max_conns": true,
	"pool_min_conns": true, "search_path": true, "sslmode": true,
}

// String is the URL without password, without the values of unknown parameters and
// without fragment.
func (u URL) String() string {
	if u.value == nil {
		return ""
	}
	parsed, err := url.Parse(*u.value)
	if err != nil || parsed.Opaque != "" || misread(parsed) {
		return hidden
	}
	var b strings.Builder
	if parsed.Scheme != "" {
		b.WriteString(parsed.Scheme + "://")
	}
	if parsed.User != nil {
		// For PostgreSQL it is a name; elsewhere a lone user may be a key.
		if _, ok := parsed.User.Password(); !ok && postgres(parsed.Scheme) {
			b.WriteString(parsed.User.String() + "@")
		} else if postgres(parsed.Scheme) {
			b.WriteString(url.User(parsed.User.Username()).String() + ":" + hidden + "@")
		} else {
			b.WriteString(hidden + "@")
		}
	}
	b.WriteString(parsed.Host + parsed.EscapedPath())
	if parsed.RawQuery != "" {
		b.WriteString("?" + hideParameters(parsed.RawQuery))
	}
	return b.String()
}

// misread reports whether the host ended at a slash in an unescaped password: what
// follows is then the rest of it.
func misread(u *url.URL) bool { return strings.Contains(u.Path, "@") }

func postgres(scheme string) bool { return scheme == "postgres" || scheme == "postgresql" }

func hideParameters(query string) string {
	parameters := strings.Split(query, "&")
	for i, p := range parameters {
		if name, _, ok := strings.Cut(p, "="); !plainParameters[name] {
			parameters[i] = hidden
			if ok && plainWord.MatchString(name) {
				parameters[i] = name + "=" + hidden
			}
		}
	}
	return strings.Join(parameters, "&")
}

func (u URL) GoString() string             { return strconv.Quote(u.String()) }
func (u URL) LogValue() slog.Value         { return slog.StringValue(u.String()) }
func (u URL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }
func (u URL) MarshalJSON() ([]byte, error) { return json.Marshal(u.String()) }
func (u URL) MarshalYAML() (any, error)    { return u.String(), nil }

// hasScheme reports whether text is a URL with a host and one of the schemes.
func hasScheme(text string, schemes []string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Opaque != "" || misread(u) {
		return false
	}
	// PostgreSQL's host may be in a parameter: a socket's directory.
	if u.Host == "" && !postgres(u.Scheme) {
		return false
	}
	for _, scheme := range schemes {
		if u.Scheme == scheme {
			return true
		}
	}
	return false
}
