package otlp

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// A Target is where spans are sent, and how.
type Target struct {
	URL     string
	Headers map[string]string
	Timeout time.Duration // for a batch, all tries together
	Gzip    bool
	TLS     *tls.Config // nil is the system's
}

// defaultTimeout is what OpenTelemetry's specification says.
const defaultTimeout = 10 * time.Second

// FromEnv reads OpenTelemetry's environment variables, of which one that is empty is
// not set. Without an endpoint, or where traces are switched off, there is no target.
func FromEnv(env func(string) (string, bool)) (*Target, error) {
	v := variables{env}
	if strings.EqualFold(v.get("OTEL_SDK_DISABLED"), "true") || v.get("OTEL_TRACES_EXPORTER") == "none" {
		return nil, nil
	}
	address, name, err := v.endpoint()
	if err != nil || address == "" {
		return nil, err
	}
	if exporter := v.get("OTEL_TRACES_EXPORTER"); exporter != "" && exporter != "otlp" {
		return nil, errors.New("OTEL_TRACES_EXPORTER: Aside knows otlp and none only")
	}
	if protocol, name := v.either("PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		return nil, fmt.Errorf("%s: Aside speaks http/protobuf only, which collectors listen for at port 4318", name)
	}
	t := &Target{URL: address, Timeout: defaultTimeout}
	if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s: this is not a URL such as http://127.0.0.1:4318", name) // it may carry a password
	}
	if err := errors.Join(v.headers(t), v.timeout(t), v.compression(t), v.certificates(t)); err != nil {
		return nil, err
	}
	return t, nil
}

// variables are looked up with what is for traces only before what is for everything.
type variables struct {
	lookup func(string) (string, bool)
}

func (v variables) get(name string) string {
	value, _ := v.lookup(name)
	return strings.TrimSpace(value)
}

func (v variables) either(what string) (value, name string) {
	name = "OTEL_EXPORTER_OTLP_TRACES_" + what
	if value = v.get(name); value == "" {
		name = "OTEL_EXPORTER_OTLP_" + what
		value = v.get(name)
	}
	return value, name
}

// endpoint is the whole address: that for traces is taken as it is, that for everything
// is where the paths begin.
func (v variables) endpoint() (address, name string, err error) {
	address, name = v.either("ENDPOINT")
	if address == "" || name != "OTEL_EXPORTER_OTLP_ENDPOINT" {
		return address, name, nil
	}
	joined, err := url.JoinPath(address, "v1/traces")
	if err != nil {
		return "", name, fmt.Errorf("%s: this is not a URL such as http://127.0.0.1:4318", name)
	}
	return joined, name, nil
}

// headers reads name=value,name=value, in which values are escaped as in a URL.
func (v variables) headers(t *Target) error {
	list, name := v.either("HEADERS")
	t.Headers = map[string]string{}
	for pair := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		key, escaped, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(escaped))
		if key = strings.TrimSpace(key); !ok || key == "" || err != nil {
			return fmt.Errorf("%s: this is not a list such as name=value,name=value", name)
		}
		t.Headers[key] = value
	}
	return nil
}

func (v variables) timeout(t *Target) error {
	text, name := v.either("TIMEOUT")
	if text == "" {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 {
		return fmt.Errorf("%s: %q is not a number of milliseconds", name, text)
	}
	t.Timeout = time.Duration(n) * time.Millisecond
	return nil
}

func (v variables) compression(t *Target) error {
	text, name := v.either("COMPRESSION")
	t.Gzip = text == "gzip"
	if text != "" && text != "none" && text != "gzip" {
		return fmt.Errorf("%s: %q is none of none, gzip", name, text)
	}
	return nil
}

func (v variables) certificates(t *Target) error {
	authority, name := v.either("CERTIFICATE")
	certificate, certificateName := v.either("CLIENT_CERTIFICATE")
	key, _ := v.either("CLIENT_KEY")
	if authority == "" && certificate == "" {
		return nil
	}
	t.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	if authority != "" {
		text, err := os.ReadFile(authority)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		t.TLS.RootCAs = x509.NewCertPool()
		if !t.TLS.RootCAs.AppendCertsFromPEM(text) {
			return fmt.Errorf("%s: there is no certificate in %s", name, authority)
		}
	}
	if certificate != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return fmt.Errorf("%s: %w", certificateName, err)
		}
		t.TLS.Certificates = []tls.Certificate{pair}
	}
	return nil
}

// Secrets are what must not be seen: a header mostly is a key.
func (t *Target) Secrets() []string {
	if t == nil {
		return nil
	}
	var all []string
	for _, value := range t.Headers {
		all = append(all, value)
		all = append(all, strings.Fields(value)...)
	}
	return all
}
