package gemini

import (
	"context"
	"net/http"
)

// A sender is between the SDK and the network. It keeps the response for us and shows
// the SDK an empty one, because the SDK does not tell how long the server asks to
// wait, takes a comment in a stream for an error, cannot tell a complete stream from
// one that was cut, and writes to the standard log.
type sender struct {
	network http.RoundTripper
	keyless bool
}

// sending is a copy of c whose responses are kept.
func sending(c *http.Client, keyless bool) *http.Client {
	kept := *c
	network := c.Transport
	if network == nil {
		network = http.DefaultTransport
	}
	kept.Transport = sender{network, keyless}
	return &kept
}

type responseKey struct{}

// keep returns a context for a request, and where its response will be.
func keep(ctx context.Context) (context.Context, **http.Response) {
	response := new(*http.Response)
	return context.WithValue(ctx, responseKey{}, response), response
}

func (s sender) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.keyless {
		r = r.Clone(r.Context())
		r.Header.Del("X-Goog-Api-Key")
	}
	response, err := s.network.RoundTrip(r)
	into, ok := r.Context().Value(responseKey{}).(**http.Response)
	if err != nil || !ok || response.StatusCode >= 300 && response.StatusCode < 400 {
		return response, err // a redirection is followed by the client
	}
	*into = response
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK,
		Proto: response.Proto, ProtoMajor: response.ProtoMajor, ProtoMinor: response.ProtoMinor,
		Header: http.Header{}, Body: http.NoBody, Request: r,
	}, nil
}
