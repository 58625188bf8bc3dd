package otlp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/asidehq/aside/internal/otlp"
)

func TestTheTargetIsReadFromTheEnvironment(t *testing.T) {
	at := func(url string) *otlp.Target {
		return &otlp.Target{URL: url, Timeout: 10 * time.Second, Headers: map[string]string{}}
	}
	tests := []struct {
		name  string
		env   map[string]string
		want  *otlp.Target
		wrong string
	}{
		{"nothing is set", nil, nil, ""},
		{"an endpoint for everything", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, at("http://c:4318/v1/traces"), ""},
		{"one with a path", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://c/otlp/"}, at("https://c/otlp/v1/traces"), ""},
		{"an endpoint for traces is taken as it is", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://d/in"}, at("http://d/in"), ""},
		{"an empty variable is none", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, nil, ""},
		{"everything is off", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_SDK_DISABLED": "True"}, nil, ""},
		{"traces are off", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_TRACES_EXPORTER": "none"}, nil, ""},
		{
			"headers, a timeout, compression",
			map[string]string{
				"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c", "OTEL_EXPORTER_OTLP_HEADERS": "api-key = a%20b, x=1=2,",
				"OTEL_EXPORTER_OTLP_TIMEOUT": "9", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT": "250", "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip",
			},
			&otlp.Target{URL: "http://c", Timeout: 250 * time.Millisecond, Gzip: true, Headers: map[string]string{"api-key": "a b", "x": "1=2"}},
			"",
		},
		{"no URL", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "c:4318"}, nil, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: this is not a URL such as http://127.0.0.1:4318"},
		{"gRPC", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, nil, "OTEL_EXPORTER_OTLP_PROTOCOL: Aside speaks http/protobuf only, which collectors listen for at port 4318"},
		{"another exporter", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_TRACES_EXPORTER": "zipkin"}, nil, "OTEL_TRACES_EXPORTER: Aside knows otlp and none only"},
		{"headers that are none", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_EXPORTER_OTLP_HEADERS": "s3cret"}, nil, "OTEL_EXPORTER_OTLP_HEADERS: this is not a list such as name=value,name=value"},
		{"a timeout with a unit", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_EXPORTER_OTLP_TIMEOUT": "10s"}, nil, `OTEL_EXPORTER_OTLP_TIMEOUT: "10s" is not a number of milliseconds`},
		{"a compression that is none", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_EXPORTER_OTLP_COMPRESSION": "zip"}, nil, `OTEL_EXPORTER_OTLP_COMPRESSION: "zip" is none of none, gzip`},
		{"a certificate that is not there", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_EXPORTER_OTLP_CERTIFICATE": "testdata/none.pem"}, nil, "OTEL_EXPORTER_OTLP_CERTIFICATE: open testdata/none.pem"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := otlp.FromEnv(func(name string) (string, bool) { value, ok := test.env[name]; return value, ok })
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("the target is %+v, want %+v", got, test.want)
			}
			if (err == nil) != (test.wrong == "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("it says %v, want %q", err, test.wrong)
			}
		})
	}
}

// spans are what is sent in these tests.
var spans = []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{{Name: "turn"}}}}}}

// A collector answers with one status after the other, the last one for ever, and
// counts.
type collector struct {
	statuses []int
	bodies   [][]byte
	headers  []http.Header
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.bodies, c.headers = append(c.bodies, body), append(c.headers, r.Header)
	status := c.statuses[min(len(c.bodies), len(c.statuses))-1]
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "7")
	}
	if status == http.StatusTemporaryRedirect {
		w.Header().Set("Location", "/elsewhere")
	}
	w.WriteHeader(status)
}

func TestSpansAreSentAgainWhereThatHelps(t *testing.T) {
	tests := []struct {
		name     string
		statuses []int
		requests int
		waits    []time.Duration
		says     string
	}{
		{"they are taken", []int{200}, 1, nil, ""},
		{"they are taken the third time", []int{503, 502, 202}, 3, []time.Duration{time.Second, 2 * time.Second}, ""},
		{"as late as the collector asks", []int{429, 200}, 2, []time.Duration{7 * time.Second}, ""},
		{"they are refused", []int{400}, 1, nil, "the collector answered 400 Bad Request"},
		{"the key is wrong", []int{401}, 1, nil, "the collector answered 401 Unauthorized"},
		{"they are sent elsewhere, and the key is not", []int{307}, 1, nil, "the collector answered 307 Temporary Redirect"},
		{"they are never taken", []int{504}, 4, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Second}, "the collector answered 504 Gateway Timeout"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := &collector{statuses: test.statuses}
			server := httptest.NewServer(c)
			defer server.Close()
			var waits []time.Duration
			patience := func(_ context.Context, d time.Duration) error {
				if waits = append(waits, d); len(waits) == 4 {
					return errors.New("it took too long")
				}
				return nil
			}
			var said bytes.Buffer
			client := otlp.New(otlp.Target{URL: server.URL, Timeout: time.Minute}, patience, slog.New(slog.NewTextHandler(&said, nil)))
			if err := client.UploadTraces(t.Context(), spans); err != nil {
				t.Error(err)
			}
			if len(c.bodies) != test.requests || !slices.Equal(waits, test.waits) {
				t.Errorf("%d requests with %v between them, want %d with %v", len(c.bodies), waits, test.requests, test.waits)
			}
			if got := said.String(); (got == "") != (test.says == "") || !strings.Contains(got, test.says) {
				t.Errorf("it says %q, want %q", got, test.says)
			}
		})
	}
}

func TestWhatIsSentCanBeRead(t *testing.T) {
	c := &collector{statuses: []int{200}}
	server := httptest.NewServer(c)
	defer server.Close()
	for _, packed := range []bool{false, true} {
		client := otlp.New(otlp.Target{URL: server.URL, Timeout: time.Minute, Gzip: packed, Headers: map[string]string{"api-key": "k"}}, nil, slog.New(slog.DiscardHandler))
		if err := client.UploadTraces(t.Context(), spans); err != nil {
			t.Fatal(err)
		}
		last := len(c.bodies) - 1
		body, header := io.Reader(bytes.NewReader(c.bodies[last])), c.headers[last]
		if packed {
			var err error
			if body, err = gzip.NewReader(body); err != nil || header.Get("Content-Encoding") != "gzip" {
				t.Fatal(err, header)
			}
		}
		text, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		var got tracepb.TracesData
		if err := proto.Unmarshal(text, &got); err != nil || got.ResourceSpans[0].ScopeSpans[0].Spans[0].Name != "turn" || header.Get("Api-Key") != "k" {
			t.Errorf("%v, %v, %v", &got, header, err)
		}
	}
}

func TestFailuresAreSaidOnce(t *testing.T) {
	c := &collector{statuses: []int{400, 400, 200, 200, 400}}
	server := httptest.NewServer(c)
	defer server.Close()
	var said bytes.Buffer
	client := otlp.New(otlp.Target{URL: server.URL, Timeout: time.Minute}, nil, slog.New(slog.NewTextHandler(&said, nil)))
	for range c.statuses {
		if err := client.UploadTraces(t.Context(), spans); err != nil {
			t.Fatal(err)
		}
	}
	if got := said.String(); strings.Count(got, "cannot be sent") != 2 || strings.Count(got, "sent again") != 1 {
		t.Errorf("it says %s", got)
	}
}

func TestHeadersAreSecrets(t *testing.T) {
	target := &otlp.Target{Headers: map[string]string{"authorization": "Bearer abc"}}
	if got := target.Secrets(); !slices.Contains(got, "abc") || !slices.Contains(got, "Bearer abc") {
		t.Errorf("the secrets are %q", got)
	}
	if got := (*otlp.Target)(nil).Secrets(); got != nil {
		t.Errorf("without a target there are %q", got)
	}
}
