// Package client talks to a running Aside over its HTTP API, which docs/api.md
// describes. It hides what a network does: a message is written exactly once however
// often it has to be sent, and a room is followed without a gap across restarts of
// the server.
//
// It imports the standard library only. Before changing it, know that whoever answers
// is not trusted: answers are bounded in size, redirects are not followed (the token
// would go along), and text is passed on as it came, for the caller to make harmless.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options say where an Aside is and how patient a Client is with it.
type Options struct {
	URL   string // such as http://127.0.0.1:8787
	Token string // "" where none is needed

	// Patience is how long a Client goes on trying when Aside cannot be reached. Once
	// is always tried.
	Patience time.Duration

	// Silence is after how long a stream without a sign of life is taken for dead; 0
	// is three times what Aside leaves between them.
	Silence time.Duration

	Transport http.RoundTripper                                // nil is http.DefaultTransport
	Now       func() time.Time                                 // nil is time.Now
	Wait      func(ctx context.Context, d time.Duration) error // nil waits by a timer
}

// A Client can be used by several goroutines at once.
type Client struct {
	base     *url.URL
	token    string
	patience time.Duration
	silence  time.Duration
	http     *http.Client
	now      func() time.Time
	wait     func(context.Context, time.Duration) error
}

const (
	signsOfLife   = 15 * time.Second // as docs/api.md promises
	answerWithin  = 30 * time.Second // one request that is not a stream
	largestAnswer = 64 << 20
)

// New returns an error if the URL cannot be one of an Aside.
func New(o Options) (*Client, error) {
	base, err := url.Parse(o.URL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("that is not the address of an Aside, such as http://127.0.0.1:8787")
	}
	c := &Client{base: base, token: o.Token, patience: o.Patience, silence: o.Silence, now: o.Now, wait: o.Wait}
	c.http = &http.Client{
		Transport:     o.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if c.silence == 0 {
		c.silence = 3 * signsOfLife
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.wait == nil {
		c.wait = waitByTimer
	}
	return c, nil
}

func waitByTimer(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A request is one that can be sent again.
type request struct {
	method string
	path   string // escaped
	query  url.Values
	header map[string]string
	body   any
}

// send sends a request once and returns an answer of status 2xx. What may be
// different next time is an error that again knows.
func (c *Client) send(ctx context.Context, r request) (*http.Response, error) {
	address := strings.TrimSuffix(c.base.String(), "/") + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	var body io.Reader
	if r.body != nil {
		text, err := json.Marshal(r.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	q, err := http.NewRequestWithContext(ctx, r.method, address, body)
	if err != nil {
		return nil, err
	}
	if r.body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		q.Header.Set("Authorization", "Bearer "+c.token)
	}
	for name, value := range r.header {
		q.Header.Set(name, value)
	}
	answer, err := c.http.Do(q)
	if err != nil {
		return nil, classify(err)
	}
	if answer.StatusCode/100 == 2 {
		return answer, nil
	}
	defer answer.Body.Close()
	return nil, refusal(answer)
}

// ask sends a request, again while Aside cannot be reached, and reads the answer into
// a value.
func (c *Client) ask(ctx context.Context, r request, into any) error {
	return c.again(ctx, func() error { return c.askOnce(ctx, r, into) })
}

func (c *Client) askOnce(ctx context.Context, r request, into any) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	answer, err := c.send(ctx, r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, largestAnswer))
	if err != nil {
		return &passing{fmt.Errorf("the answer broke off: %w", err)}
	}
	if !isJSON(answer) || json.Unmarshal(body, into) != nil {
		return ErrNotAside
	}
	return nil
}

func isJSON(answer *http.Response) bool {
	return strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json")
}

// Ready asks once whether Aside takes messages. It needs no token.
func (c *Client) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	answer, err := c.send(ctx, request{method: http.MethodGet, path: "/readyz"})
	if err != nil {
		return err
	}
	return answer.Body.Close()
}
