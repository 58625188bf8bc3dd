package discord

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"

	"github.com/asidehq/aside/platform"
)

// call makes a request. Its error is a *platform.Problem, for errors.As.
func (d *Discord) call(ctx context.Context, to *rest.CompiledEndpoint, body, answer any, opts ...rest.RequestOpt) error {
	limit := patience
	if _, files := body.(*discord.MultipartBuffer); files {
		limit = filePatience
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := d.api.Do(to, body, answer, append(opts, within(ctx))...)
	if err == nil {
		return nil
	}
	p := &coded{Problem: problem(err)}
	var answered rest.Error
	if errors.As(err, &answered) {
		p.code = int(answered.Code)
		p.Gone = p.code == unknownChannel || p.code == unknownMessage
	}
	if p.Outcome == platform.Unknown && to.Endpoint.Method == http.MethodGet {
		p.Outcome = platform.Failed // nothing was to be done
	}
	return p
}

// within makes a request end with a context. disgo's own option only ends the waiting
// before it.
func within(ctx context.Context) rest.RequestOpt {
	return func(c *rest.RequestConfig) {
		c.Ctx = ctx
		c.Request = c.Request.WithContext(ctx)
	}
}

// receipt is what became of a request that writes.
func receipt(id string, err error) platform.Receipt {
	if err == nil {
		return platform.Receipt{Outcome: platform.Delivered, ID: id}
	}
	var p *platform.Problem
	if !errors.As(err, &p) {
		return platform.Receipt{Outcome: platform.Unknown, Reason: "Discord could not be asked"}
	}
	return platform.Receipt{Outcome: p.Outcome, Reason: p.Reason, RetryAfter: p.RetryAfter}
}

// coded is a problem with Discord's code, for whoever decides on it.
type coded struct {
	*platform.Problem
	code int
}

// Unwrap makes it a *platform.Problem for errors.As.
func (c *coded) Unwrap() error { return c.Problem }

// is tells whether an error is one of Discord's codes.
func is(err error, codes ...int) bool {
	var c *coded
	if !errors.As(err, &c) {
		return false
	}
	for _, code := range codes {
		if c.code == code {
			return true
		}
	}
	return false
}

// Discord's codes that are decided on.
const (
	unknownChannel    = 10003
	unknownMember     = 10007
	unknownMessage    = 10008
	unknownUser       = 10013
	unknownEmoji      = 10014
	unknownVoice      = 10065
	alreadyPublished  = 40033
	missingAccess     = 50001
	missingPermission = 50013
	threadArchived    = 50083
)

// What Discord's codes mean to a person.
var reasons = map[int]string{
	unknownChannel:    "there is no such room on Discord any more",
	10004:             "the bot is not on this Discord server",
	unknownMember:     "this person is not on the Discord server",
	unknownMessage:    "there is no such message on Discord any more",
	10011:             "there is no such role on Discord",
	unknownUser:       "there is no such person on Discord",
	unknownEmoji:      "Discord does not know this emoji",
	10026:             "there is no such ban on Discord",
	10070:             "there is no such event on Discord",
	20016:             "the room is in slow mode",
	30003:             "the room has as many pins as Discord allows",
	30010:             "the message has as many reactions as Discord allows",
	30013:             "the server has as many rooms as Discord allows",
	40005:             "this is too large for Discord",
	missingAccess:     "the bot cannot see this room: give its role the permission View Channel",
	50005:             "only messages of the bot itself can be edited",
	50006:             "Discord takes no empty messages",
	50007:             "this person does not take direct messages from the bot",
	missingPermission: "the bot lacks the permission for this on Discord: give its role more, or a higher place",
	50019:             "only messages of this room can be pinned",
	50021:             "Discord does not do this with system messages",
	50024:             "Discord does not do this in rooms of this kind",
	50034:             "Discord does not delete messages that are more than 14 days old together",
	threadArchived:    "the thread is archived",
	90001:             "this person has blocked the bot",
	160002:            "the bot cannot answer here: give its role the permission Read Message History",
	160004:            "the message has a thread already",
	160005:            "the thread is locked",
	200000:            "the server's rules for messages do not let this through",
}

// problem says what an error of disgo means.
func problem(err error) *platform.Problem {
	var (
		answered rest.Error
		known    *platform.Problem
		dialling *net.OpError
		syntax   *json.SyntaxError
		kind     *json.UnmarshalTypeError
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &answered):
		return answer(answered)
	case errors.As(err, &dialling) && dialling.Op == "dial":
		return &platform.Problem{Outcome: platform.Failed, Reason: "Discord cannot be reached"}
	case errors.As(err, &syntax), errors.As(err, &kind):
		return &platform.Problem{Outcome: platform.Unknown, Reason: "Discord's answer could not be read"}
	}
	return &platform.Problem{Outcome: platform.Unknown, Reason: "Discord did not answer"}
}

// answer says what an answer means that is no success.
func answer(e rest.Error) *platform.Problem {
	status := e.Response.StatusCode
	switch {
	case status == http.StatusTooManyRequests:
		return &platform.Problem{Outcome: platform.Limited, Reason: "Discord asks to wait", RetryAfter: retryAfter(e)}
	case status == http.StatusUnauthorized:
		return platform.Refuse("%s", wrongToken)
	case status >= 500:
		// It may have been done before something broke.
		return &platform.Problem{Outcome: platform.Unknown, Reason: "Discord has a problem at the moment"}
	case status < 400:
		return &platform.Problem{Outcome: platform.Unknown, Reason: "Discord's answer could not be read"}
	}
	if reason, ok := reasons[int(e.Code)]; ok {
		return platform.Refuse("%s", reason)
	}
	if detail := detail(e.Errors); detail != "" {
		return platform.Refuse("Discord refused: %s", detail)
	}
	return platform.Refuse("Discord refused: %s", short(e.Message))
}

const wrongToken = "Discord does not accept the bot's token: copy it anew from the developer portal into platforms.discord.token"

// retryAfter is how long an answer asks to wait. The body is more exact than the header.
func retryAfter(e rest.Error) time.Duration {
	var body struct {
		RetryAfter float64 `json:"retry_after"`
	}
	_ = json.Unmarshal(e.RsBody, &body)
	if body.RetryAfter > 0 {
		return seconds(body.RetryAfter)
	}
	return headerSeconds(e.Response.Header, "Retry-After")
}

func headerSeconds(h http.Header, field string) time.Duration {
	n, err := strconv.ParseFloat(h.Get(field), 64)
	if err != nil || !(n >= 0) {
		return time.Second
	}
	return seconds(n)
}

// seconds is a time that Discord has named. Nobody waits for more than an hour without
// asking again.
func seconds(n float64) time.Duration {
	return time.Duration(min(n, time.Hour.Seconds()) * float64(time.Second))
}

// detail is the first complaint about a request's fields: "content: Must be 2000 or
// fewer in length."
func detail(raw []byte) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return ""
	}
	var complaints []struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(fields["_errors"], &complaints) == nil && len(complaints) > 0 {
		return complaints[0].Message
	}
	for field, inner := range fields {
		if text := detail(inner); text != "" {
			return strings.ReplaceAll(field, "_", " ") + ": " + text
		}
	}
	return ""
}
