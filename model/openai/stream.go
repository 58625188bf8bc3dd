package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/asidehq/aside/model"
)

// Stream asks the model. A delta without text is a sign of life: the server has
// sent something that is not part of the reply, such as the model's reasoning.
func (m *Model) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		request, cancel := context.WithCancel(ctx)
		defer cancel()
		response, failure := m.ask(request, r)
		if failure == nil {
			defer response.Body.Close()
			reply := reply{model: m, yield: yield, cancel: cancel}
			failure = reply.read(response)
			if reply.left {
				return
			}
		}
		if failure != nil && ctx.Err() != nil {
			failure = model.Interrupted(ctx)
		}
		if failure != nil {
			yield(model.Delta{}, failure)
		}
	}
}

// ask sends the request and returns the response to it, which is a stream. A
// request that was refused only for a parameter the server does not know is put
// differently and sent again.
func (m *Model) ask(ctx context.Context, r model.Request) (*http.Response, *model.Error) {
	known := m.manners.Load()
	as := *known
	for attempt := 1; ; attempt++ {
		var response *http.Response
		err := m.client.Post(ctx, "chat/completions", m.params(r, as), &response, option.WithJSONSet("stream", true))
		switch {
		case response == nil:
			return nil, m.unreachable(err)
		case response.StatusCode >= 400:
			said := words(response.Body)
			if other, ok := as.learn(response.StatusCode, said); ok && attempt <= 2 {
				as = other
				continue
			}
			return nil, m.refused(response, said)
		case err != nil:
			return nil, m.unreachable(err)
		}
		if as != *known {
			m.manners.Store(&as)
		}
		return response, nil
	}
}

// A reply is what has been read of a stream.
type reply struct {
	model  *Model
	yield  func(model.Delta, error) bool
	cancel func()

	left  bool // the caller does not want more
	text  bool // there was some
	end   model.End
	usage model.Usage
	limit *time.Timer // on what comes after the end
}

// read reads the stream to its end, which is yielded, or until something is wrong.
func (r *reply) read(response *http.Response) *model.Error {
	body := bufio.NewReader(response.Body)
	if !looksLikeEvents(body) {
		return r.model.notAStream(body)
	}
	defer func() {
		if r.limit != nil {
			r.limit.Stop()
		}
	}()
	response.Body = struct {
		io.Reader
		io.Closer
	}{body, response.Body}

	said := false // [DONE]
	events := ssestream.NewDecoder(response)
	for !said && events.Next() {
		data := bytes.TrimSpace(events.Event().Data)
		if said = bytes.HasPrefix(data, []byte("[DONE]")); said || len(data) == 0 {
			continue
		}
		if failure := r.chunk(data); failure != nil || r.left {
			return failure
		}
	}
	switch err := events.Err(); {
	case r.end != "": // the reply is complete, whatever happened then
	case err != nil:
		return r.model.broken("The model's answer broke off.", err)
	case !said:
		return r.model.broken("The model's answer broke off.", errors.New("the stream ended without a finish_reason and without [DONE]"))
	case !r.text:
		return r.model.broken("The model has answered nothing.", errors.New("the stream had no choices"))
	default:
		r.end = model.Done
	}
	r.left = !r.yield(model.Delta{End: r.end, Usage: r.usage}, nil)
	return nil
}

// looksLikeEvents tells events from a page or an object that came instead. The
// content type cannot be relied on.
func looksLikeEvents(body *bufio.Reader) bool {
	for {
		b, err := body.Peek(1)
		if err != nil {
			return true // nothing: the stream was cut, which is noticed on reading it
		}
		switch b[0] {
		case ' ', '\t', '\r', '\n':
			body.Discard(1)
		case '{', '[', '<':
			return false
		default:
			return true
		}
	}
}

// chunk reads the data of an event.
func (r *reply) chunk(data []byte) *model.Error {
	if said := errorIn(data); said != "" {
		return r.model.failed(said)
	}
	var chunk sdk.ChatCompletionChunk
	if err := json.Unmarshal(data, &chunk); err != nil {
		return r.model.broken("The model's answer made no sense.", fmt.Errorf("read %q: %w", short(r.model.hide(string(data))), err))
	}
	if u := chunk.Usage; u.PromptTokens > 0 || u.CompletionTokens > 0 {
		r.usage = model.Usage{Input: int(u.PromptTokens), Output: int(u.CompletionTokens)}
	}
	var text, reason string
	for _, choice := range chunk.Choices {
		if choice.Index == 0 {
			text += choice.Delta.Content + choice.Delta.Refusal
			reason = choice.FinishReason
		}
	}
	r.text = r.text || text != ""
	if text != "" || r.end == "" {
		if r.left = !r.yield(model.Delta{Text: text}, nil); r.left {
			return nil
		}
	}
	return r.finish(reason)
}

// finish takes note of why the reply ended. What may still come is the usage, and
// a server that does not send it must not hold up a reply that is complete.
func (r *reply) finish(reason string) *model.Error {
	switch reason {
	case "":
		return nil
	case "error":
		return r.model.broken("The model's answer broke off.", errors.New("finish_reason error"))
	case "insufficient_system_resource":
		return &model.Error{Kind: model.Unavailable, Message: notNow, Cause: errors.New("finish_reason " + reason)}
	case "length", "max_tokens", "model_length":
		r.end = model.Length
	case "content_filter", "safety", "SAFETY":
		r.end = model.Filtered
	default:
		r.end = model.Done
	}
	if r.limit == nil {
		r.limit = time.AfterFunc(r.model.afterEnd, r.cancel)
	}
	return nil
}
