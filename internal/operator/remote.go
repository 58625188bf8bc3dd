package operator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"time"
)

// Remote asks the HTTP API of a running Aside.
type Remote struct {
	Address string // host:port, as the process says it
	Token   string // "" where there is none
	Client  *http.Client
}

// Turn returns a turn, or ErrNoSuchTurn.
func (r Remote) Turn(ctx context.Context, id int64) (*Turn, error) {
	var t Turn
	if err := r.ask(ctx, http.MethodGet, "/api/v1/turns/"+strconv.FormatInt(id, 10), ErrNoSuchTurn, &t); err != nil {
		return nil, err
	}
	return &t, nil
}

// Turns returns turns, newest first.
func (r Remote) Turns(ctx context.Context, q Query) ([]*Turn, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	values := url.Values{"limit": {strconv.Itoa(q.Limit)}}
	if q.Room != "" {
		values.Set("room", q.Room)
	}
	if q.State != "" {
		values.Set("state", q.State)
	}
	if !q.Since.IsZero() {
		values.Set("since", q.Since.UTC().Format(time.RFC3339Nano))
	}
	var page struct{ Turns []*Turn }
	err := r.ask(ctx, http.MethodGet, "/api/v1/turns?"+values.Encode(), nil, &page)
	return page.Turns, err
}

// Dead returns the dead letters, oldest first.
func (r Remote) Dead(ctx context.Context) ([]Letter, error) {
	page := struct{ Dead []Letter }{Dead: []Letter{}}
	err := r.ask(ctx, http.MethodGet, "/api/v1/dead", nil, &page)
	return page.Dead, err
}

// Resend puts a dead letter back into the outbox, as if it were new.
func (r Remote) Resend(ctx context.Context, key string) error {
	return r.ask(ctx, http.MethodPost, "/api/v1/dead/"+url.PathEscape(key)+"/resend", ErrNoSuchLetter, nil)
}

// Drop gives a dead letter up.
func (r Remote) Drop(ctx context.Context, key string) error {
	return r.ask(ctx, http.MethodDelete, "/api/v1/dead/"+url.PathEscape(key), ErrNoSuchLetter, nil)
}

// Close has nothing to do.
func (r Remote) Close() error { return nil }

// longestAnswer is how much of an answer is read: a thousand turns with long replies.
const longestAnswer = 256 << 20

// ask makes a request. 404 is the error missing, if there is one.
func (r Remote) ask(ctx context.Context, method, path string, missing error, into any) error {
	return r.send(ctx, method, path, nil, missing, into)
}

// send is ask with a body.
func (r Remote) send(ctx context.Context, method, path string, what io.Reader, missing error, into any) error {
	host := Dial(r.Address)
	request, err := http.NewRequestWithContext(ctx, method, "http://"+host+path, what)
	if err != nil {
		return fmt.Errorf("ask the running Aside at %s: %w", host, err)
	}
	if r.Token != "" {
		request.Header.Set("Authorization", "Bearer "+r.Token)
	}
	answer, err := r.Client.Do(request)
	if err != nil {
		return fmt.Errorf("the running Aside does not answer at %s: %w; is it starting or stopping? Try again", host, reason(err))
	}
	defer answer.Body.Close()
	body := io.LimitReader(answer.Body, longestAnswer)
	switch {
	case answer.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("the running Aside at %s does not accept the token; give the configuration that it was started with (--config)", host)
	case answer.StatusCode == http.StatusNotFound && missing != nil:
		return missing
	case answer.StatusCode >= 300:
		var said struct{ Error string }
		if json.NewDecoder(body).Decode(&said) != nil || said.Error == "" {
			said.Error = answer.Status
		}
		return fmt.Errorf("the running Aside at %s says: %s", host, said.Error)
	case into == nil:
		return nil
	}
	if err := json.NewDecoder(body).Decode(into); err != nil {
		return fmt.Errorf("the answer of the running Aside at %s cannot be read: %w", host, err)
	}
	return nil
}

// reason leaves out the method and the URL, which help no one.
func reason(err error) error {
	var asked *url.Error
	if errors.As(err, &asked) {
		return asked.Err
	}
	return err
}

// Dial is where a process that listens at an address is reached from this machine:
// all addresses of a machine are none to ask at.
func Dial(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return listen
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		return net.JoinHostPort("localhost", port)
	}
	return listen
}
