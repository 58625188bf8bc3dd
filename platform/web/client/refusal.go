package client

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

var (
	// ErrUnreachable says that Aside could not be reached for as long as the Client
	// has patience.
	ErrUnreachable = errors.New("it cannot be reached")

	// ErrNotAside says that what answers does not speak Aside's API.
	ErrNotAside = errors.New("what answers there is not an Aside")
)

// A Refusal is an answer that does not change by asking again.
type Refusal struct {
	Status  int
	Message string // Aside's sentence for a person
}

func (r *Refusal) Error() string { return r.Message }

// Refused reports whether an error is a refusal with a status.
func Refused(err error, status int) bool {
	var r *Refusal
	return errors.As(err, &r) && r.Status == status
}

// NobodyListens reports whether an error is that no connection could be made at all.
func NobodyListens(err error) bool {
	var at *net.OpError
	return errors.As(err, &at) && at.Op == "dial"
}

// A passing error may be gone the next time.
type passing struct{ error }

func (p *passing) Unwrap() error { return p.error }

// classify tells errors of the network, which pass, from those of talking to
// something else.
func classify(err error) error {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &certificate):
		return fmt.Errorf("its certificate is not valid here: %w", certificate.Err)
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return fmt.Errorf("%w with TLS; begin the address with http://", ErrNotAside)
	case strings.Contains(err.Error(), "malformed HTTP"): // net/http has no name for it
		return ErrNotAside
	}
	return &passing{err}
}

// refusal is what an answer without success means.
func refusal(answer *http.Response) error {
	var said struct {
		Error string `json:"error"`
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	understood := err == nil && isJSON(answer) && json.Unmarshal(body, &said) == nil && said.Error != ""
	switch {
	case answer.StatusCode >= 500, answer.StatusCode == http.StatusTooManyRequests:
		if !understood {
			said.Error = "it answers " + answer.Status
		}
		return &passing{errors.New(said.Error)}
	case understood:
		return &Refusal{answer.StatusCode, said.Error}
	}
	return ErrNotAside
}

const (
	firstWait   = 50 * time.Millisecond
	longestWait = 2 * time.Second
)

// again tries until it works, cannot work, or patience is over.
func (c *Client) again(ctx context.Context, try func() error) error {
	since := c.now()
	for wait := firstWait; ; wait = min(2*wait, longestWait) {
		err := try()
		var p *passing
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !errors.As(err, &p):
			return err
		case c.now().Sub(since)+wait > c.patience:
			return fmt.Errorf("%w: %w", ErrUnreachable, p.error)
		}
		if err := c.wait(ctx, wait); err != nil {
			return err
		}
	}
}
