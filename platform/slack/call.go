package slack

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

const largestAnswer = 16 << 20

// reading are the methods that change nothing: when an answer is lost, nothing was done.
func reading(method string) bool {
	_, verb, _ := strings.Cut(method, ".")
	return slices.Contains([]string{"test", "info", "list", "history", "replies", "members", "conversations", "connections.open", "getUploadURLExternal"}, verb)
}

// call asks for a method of the Web API. Its error is a *platform.Problem, for errors.As.
func (s *Slack) call(ctx context.Context, method string, values url.Values, out any) error {
	key := method + " " + values.Get("channel")
	if err := s.limits.check(key); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := s.ask(ctx, method, values, out)
	var p *platform.Problem
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &p):
		p = &platform.Problem{Outcome: platform.Unknown, Reason: "Slack did not answer"}
		if dialling := (*net.OpError)(nil); errors.As(err, &dialling) && dialling.Op == "dial" {
			p = &platform.Problem{Outcome: platform.Failed, Reason: "Slack cannot be reached"}
		}
		err = p
	case p.Outcome == platform.Limited:
		s.limits.set(key, p.RetryAfter)
	}
	if p.Outcome == platform.Unknown && reading(method) {
		p.Outcome = platform.Failed
	}
	return err
}

func (s *Slack) ask(ctx context.Context, method string, values url.Values, out any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.api.JoinPath(method).String(), strings.NewReader(values.Encode()))
	if err != nil {
		return platform.Refuse("the address of Slack's API cannot be read")
	}
	token := s.options.BotToken
	if method == "apps.connections.open" {
		token = s.options.AppToken
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := s.http.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	switch status := response.StatusCode; {
	case status == http.StatusTooManyRequests:
		return &platform.Problem{Outcome: platform.Limited, Reason: "Slack asks to wait", RetryAfter: seconds(response.Header.Get("Retry-After"))}
	case status >= 500, status < 200:
		// It may have been done before something broke.
		return &platform.Problem{Outcome: platform.Unknown, Reason: "Slack has a problem at the moment"}
	case status >= 300:
		return platform.Refuse("Slack's API does not answer at this address (%d): look at platforms.slack.api_url", status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, largestAnswer))
	if err != nil {
		return err
	}
	return read(body, out)
}

// read reads an answer. One that does not say "ok" is no success.
func read(body []byte, out any) error {
	var said struct {
		OK     bool   `json:"ok"`
		Error  string `json:"error"`
		Needed string `json:"needed"`
	}
	if decode(body, &said) != nil || !said.OK && said.Error == "" {
		return &platform.Problem{Outcome: platform.Unknown, Reason: "Slack's answer could not be read"}
	}
	if !said.OK {
		return &named{problem(said.Error, said.Needed), said.Error}
	}
	if out != nil && decode(body, out) != nil {
		return &platform.Problem{Outcome: platform.Unknown, Reason: "Slack's answer could not be read"}
	}
	return nil
}

// decode reads JSON. A field of another kind than expected is left out, as long as the
// rest can be read.
func decode(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		return nil
	}
	return err
}

// seconds is a time that Slack has named. Nobody waits for more than an hour without
// asking again.
func seconds(text string) time.Duration {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0) {
		return time.Second
	}
	return time.Duration(min(n, time.Hour.Seconds()) * float64(time.Second))
}

// named is a problem with Slack's name for it, for whoever decides on it.
type named struct {
	*platform.Problem
	name string
}

// Unwrap makes it a *platform.Problem for errors.As.
func (n *named) Unwrap() error { return n.Problem }

// is tells whether an error is one of those that Slack calls so.
func is(err error, names ...string) bool {
	var n *named
	return errors.As(err, &n) && slices.Contains(names, n.name)
}

// receipt is what became of a request that writes.
func receipt(id string, err error) platform.Receipt {
	if err == nil {
		return platform.Receipt{Outcome: platform.Delivered, ID: id}
	}
	var p *platform.Problem
	if !errors.As(err, &p) {
		return platform.Receipt{Outcome: platform.Unknown, Reason: "Slack could not be asked"}
	}
	return platform.Receipt{Outcome: p.Outcome, Reason: p.Reason, RetryAfter: p.RetryAfter}
}

// outcome is what an error says about what was asked.
func outcome(err error) platform.Outcome { return receipt("", err).Outcome }
