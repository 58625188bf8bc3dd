package wire

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/asidehq/aside/model"
)

// What a person reads where more than one place says it.
const (
	NotNow   = "The model does not work at the moment."
	BrokeOff = "The model's answer broke off."
	tooBusy  = "The model is busy at the moment."
)

// Servers say the same in many ways. These are matched in lower case; where a
// server has a code for it, the code is there.
var (
	saysTooLong = []string{
		"context_length", "context length", "context size", "context window", "exceed_context",
		"maximum model length", "maximum prompt length", "prompt is too long", "prompt too long",
		"input is too long", "request_too_large", "string_above_max_length", "input token count", "max_new_tokens` must be",
		"reduce the length of the messages", "maximum number of tokens allowed",
	}
	saysUnknownModel = []string{
		"model_not_found", "model not found", "invalid_model", "invalid model", "not a valid model",
		"model not exist", "model does not exist", "unknown model", "model_not_exist",
	}
	saysBadKey   = []string{"invalid_api_key", "api key not valid", "incorrect api key", "invalid api key", "api_key_invalid", "authentication_error"}
	saysNoCredit = []string{"insufficient_quota", "insufficient balance", "insufficient credits", "billing_hard_limit", "billing_error", "credit balance is too low"}
	saysBusy     = []string{"rate_limit", "rate limit", "too many requests", "resource_exhausted"}
	saysNotNow   = []string{"server_error", "api_error", "overloaded", "unavailable"}
)

func says(said string, any []string) bool {
	said = strings.ToLower(said)
	for _, phrase := range any {
		if strings.Contains(said, phrase) {
			return true
		}
	}
	return false
}

// Refused is the error of a response that is not a stream; said are its Words.
func (s *Server) Refused(response *http.Response, said string) *model.Error {
	e := s.classify(response.StatusCode, said)
	if e.Kind.Again() {
		e.Wait = wait(response.Header, said, s.Now())
	}
	cause := strings.TrimSpace(fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode)))
	if said != "" {
		cause += ": " + short(s.hide(said))
	}
	e.Cause = errors.New(cause)
	return e
}

// failed is the error that a server reports in the stream, or with a status that
// claims success. Its words may begin with or contain a status.
func (s *Server) failed(said string) *model.Error {
	status := 0
	for word := range strings.SplitSeq(said, "; ") {
		if n, err := strconv.Atoi(word); err == nil && n >= 400 && n < 600 {
			status = n
		}
	}
	e := s.classify(status, said)
	e.Cause = errors.New("the server reports: " + short(s.hide(said)))
	return e
}

// classify tells what an HTTP status, 0 if there is none, and the words with it
// mean. What the words say counts for more: servers choose the status freely.
func (s *Server) classify(status int, said string) *model.Error {
	kind := func(k model.Kind, message string) *model.Error {
		return &model.Error{Kind: k, Message: message}
	}
	switch {
	case status == http.StatusPaymentRequired || says(said, saysNoCredit):
		return kind(model.BadKey, "The account with the model's provider has no credit left.")
	case status == http.StatusTooManyRequests:
		return kind(model.Busy, tooBusy)
	case status == http.StatusRequestEntityTooLarge || says(said, saysTooLong):
		return kind(model.TooLong, "The conversation is too long for the model.")
	case says(said, saysUnknownModel) || strings.Contains(strings.ToLower(said), "model") && status == http.StatusNotFound:
		return kind(model.UnknownModel, fmt.Sprintf("The provider has no model called %q.", s.Model))
	case status == http.StatusNotFound:
		return kind(model.UnknownModel, fmt.Sprintf("There is no model called %q at this address. Check model and base_url.", s.Model))
	case status == http.StatusUnauthorized || says(said, saysBadKey):
		return kind(model.BadKey, "The model's provider does not accept the key. Check api_key.")
	case status == http.StatusForbidden:
		return kind(model.BadKey, "The model's provider does not allow this. Check api_key and what it may be used for.")
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly:
		return kind(model.Unavailable, NotNow)
	case status >= 400:
		return kind(model.BadRequest, "The model's provider does not understand the request. The log says why.")
	case says(said, saysBusy):
		return kind(model.Busy, tooBusy)
	case says(said, saysNotNow):
		return kind(model.Unavailable, NotNow)
	default:
		return kind(model.Broken, BrokeOff)
	}
}

// notAStream is the error of a body that is something else, with a status that
// claims success.
func (s *Server) notAStream(body io.Reader) *model.Error {
	data, _ := io.ReadAll(io.LimitReader(body, wordsLimit))
	if said := errorIn(data); said != "" {
		return s.failed(said)
	}
	return broken("The answer is not that of a model. Check base_url.", fmt.Errorf("not a stream: %q", short(s.hide(string(data)))))
}

// broken is the error of a reply that is incomplete or makes no sense.
func broken(message string, cause error) *model.Error {
	return &model.Error{Kind: model.Broken, Message: message, Cause: cause}
}
