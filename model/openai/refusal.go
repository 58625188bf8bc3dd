package openai

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/asidehq/aside/model"
)

const (
	notNow  = "The model does not work at the moment."
	tooBusy = "The model is busy at the moment."
)

// Servers say the same in many ways. These are matched in lower case; where a
// server has a code for it, the code is there.
var (
	saysTooLong = []string{
		"context_length", "context length", "context size", "context window", "exceed_context",
		"maximum model length", "maximum prompt length", "prompt is too long", "prompt too long",
		"input is too long", "string_above_max_length", "input token count", "max_new_tokens` must be",
		"reduce the length of the messages", "maximum number of tokens allowed",
	}
	saysUnknownModel = []string{
		"model_not_found", "model not found", "invalid_model", "invalid model", "not a valid model",
		"model not exist", "model does not exist", "unknown model", "model_not_exist",
	}
	saysBadKey   = []string{"invalid_api_key", "api key not valid", "incorrect api key", "invalid api key"}
	saysNoCredit = []string{"insufficient_quota", "insufficient balance", "insufficient credits", "billing_hard_limit"}
	saysBusy     = []string{"rate_limit", "rate limit", "too many requests"}
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

// refused is the error of a response that is not a stream.
func (m *Model) refused(response *http.Response, said string) *model.Error {
	e := m.classify(response.StatusCode, said)
	if e.Kind.Again() {
		e.Wait = wait(response.Header, m.config.Now())
	}
	cause := strings.TrimSpace(fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode)))
	if said != "" {
		cause += ": " + short(m.hide(said))
	}
	e.Cause = errors.New(cause)
	return e
}

// failed is the error that a server reports in the stream, or with a status that
// claims success. Its words may begin with or contain a status.
func (m *Model) failed(said string) *model.Error {
	status := 0
	for word := range strings.SplitSeq(said, "; ") {
		if n, err := strconv.Atoi(word); err == nil && n >= 400 && n < 600 {
			status = n
		}
	}
	e := m.classify(status, said)
	e.Cause = errors.New("the server reports: " + short(m.hide(said)))
	return e
}

// classify tells what an HTTP status, 0 if there is none, and the words with it
// mean. What the words say counts for more: servers choose the status freely.
func (m *Model) classify(status int, said string) *model.Error {
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
		return kind(model.UnknownModel, fmt.Sprintf("The provider has no model called %q.", m.config.Model))
	case status == http.StatusNotFound:
		return kind(model.UnknownModel, fmt.Sprintf("There is no model called %q at this address. Check model and base_url.", m.config.Model))
	case status == http.StatusUnauthorized || says(said, saysBadKey):
		return kind(model.BadKey, "The model's provider does not accept the key. Check api_key.")
	case status == http.StatusForbidden:
		return kind(model.BadKey, "The model's provider does not allow this. Check api_key and what it may be used for.")
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly:
		return kind(model.Unavailable, notNow)
	case status >= 400:
		return kind(model.BadRequest, "The model's provider does not understand the request. The log says why.")
	case says(said, saysBusy):
		return kind(model.Busy, tooBusy)
	case says(said, []string{"server_error", "overloaded", "unavailable"}):
		return kind(model.Unavailable, notNow)
	default:
		return kind(model.Broken, "The model's answer broke off.")
	}
}

// notAStream is the error of a body that is something else, with a status that
// claims success.
func (m *Model) notAStream(body io.Reader) *model.Error {
	data, _ := io.ReadAll(io.LimitReader(body, wordsLimit))
	if said := errorIn(data); said != "" {
		return m.failed(said)
	}
	return m.broken("The answer is not that of a model. Check base_url.", fmt.Errorf("not a stream: %q", short(m.hide(string(data)))))
}

func (m *Model) broken(message string, cause error) *model.Error {
	return &model.Error{Kind: model.Broken, Message: message, Cause: cause}
}
