// Package otlp sends spans to a collector: OTLP over HTTP, as protobuf.
//
// It is what OpenTelemetry's own exporter for HTTP does, without the gRPC that comes
// with that one and makes the program 21 MB larger. Before changing it, know that
// nobody waits for a collector: what cannot be sent in time is dropped, and said once.
package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A Client sends spans. It implements otlptrace.Client.
type Client struct {
	target Target
	http   *http.Client
	wait   func(ctx context.Context, d time.Duration) error
	log    *slog.Logger

	open   context.Context // until Cancel
	Cancel func()          // gives up what is being sent

	mu      sync.Mutex
	failing bool // and it was said
}

// New makes a client. wait waits for a time, or returns the context's error.
func New(target Target, wait func(ctx context.Context, d time.Duration) error, log *slog.Logger) *Client {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: target.TLS, ForceAttemptHTTP2: true, IdleConnTimeout: time.Minute}
	c := &Client{
		target: target, wait: wait, log: log,
		http: &http.Client{
			Transport: transport,
			// The headers hold keys, which are for this collector.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	c.open, c.Cancel = context.WithCancel(context.Background())
	return c
}

// Start implements otlptrace.Client. A collector that is not there yet may come.
func (c *Client) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *Client) Stop(context.Context) error {
	c.Cancel()
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. It says itself what goes wrong: an error
// would be printed past the log.
func (c *Client) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	ctx, cancel := context.WithTimeout(ctx, c.target.Timeout)
	defer cancel()
	defer context.AfterFunc(c.open, cancel)()
	c.report(c.upload(ctx, spans))
	return nil
}

// report says that spans cannot be sent, and when they can be again, once each.
func (c *Client) report(err error) {
	c.mu.Lock()
	was := c.failing
	c.failing = err != nil
	c.mu.Unlock()
	switch {
	case err != nil && !was:
		c.log.Warn("traces cannot be sent; they are dropped", "error", err)
	case err == nil && was:
		c.log.Info("traces are sent again")
	}
}

const (
	firstWait   = time.Second
	longestWait = 5 * time.Second
)

// upload sends spans, again where the collector or the network may come to their
// senses.
func (c *Client) upload(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := c.encode(spans)
	if err != nil {
		return err
	}
	for wait := firstWait; ; wait = min(2*wait, longestWait) {
		err := c.post(ctx, body)
		var refused *refusal
		if err == nil || errors.As(err, &refused) && !refused.again {
			return err
		}
		if refused != nil && refused.after > 0 {
			wait = refused.after
		}
		if c.wait(ctx, wait) != nil {
			return err
		}
	}
}

// encode is the body of a request. A TracesData is on the wire what the collector's
// ExportTraceServiceRequest is.
func (c *Client) encode(spans []*tracepb.ResourceSpans) ([]byte, error) {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil || !c.target.Gzip {
		return body, err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(body)
	err = errors.Join(err, w.Close())
	return packed.Bytes(), err
}

// A refusal is an answer of the collector that is no success.
type refusal struct {
	status int
	again  bool
	after  time.Duration // what it asks to wait
}

func (r *refusal) Error() string {
	return fmt.Sprintf("the collector answered %d %s", r.status, http.StatusText(r.status))
}

func (c *Client) post(ctx context.Context, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.target.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	if c.target.Gzip {
		r.Header.Set("Content-Encoding", "gzip")
	}
	for name, value := range c.target.Headers {
		r.Header.Set(name, value)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be used again
	if answer.StatusCode >= 200 && answer.StatusCode < 300 {
		return nil
	}
	refused := &refusal{status: answer.StatusCode}
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		refused.again = true
	}
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil {
		refused.after = time.Duration(seconds) * time.Second
	}
	return refused
}
