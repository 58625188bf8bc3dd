package openai

import (
	"context"
	"errors"
	"iter"
	"net/http"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/wire"
)

// Stream asks the model. A delta without text is a sign of life: the server has
// sent something that is not part of the reply, such as the model's reasoning.
func (m *Model) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	ask := func(ctx context.Context) (*http.Response, *model.Error) { return m.ask(ctx, r) }
	return m.server.Stream(ctx, ask, read)
}

// ask sends the request and returns the response to it, which is a stream. A
// request that was refused only for a parameter the server does not know is put
// differently and sent again.
func (m *Model) ask(ctx context.Context, r model.Request) (*http.Response, *model.Error) {
	known := m.manners.Load()
	as := *known
	for attempt := 1; ; attempt++ {
		var response *http.Response
		// Its reader is not used: it cannot tell a complete stream from one that was cut.
		err := m.chat.NewStreaming(ctx, m.params(r, as), option.WithResponseInto(&response)).Err()
		switch {
		case response == nil:
			return nil, m.server.Unreachable(err)
		case response.StatusCode >= 400:
			said := wire.Words(response.Body)
			if other, ok := as.learn(response.StatusCode, said); ok && attempt <= 2 {
				as = other
				continue
			}
			return nil, m.server.Refused(response, said)
		case err != nil:
			return nil, m.server.Unreachable(err)
		}
		if as != *known {
			m.manners.Store(&as)
		}
		return response, nil
	}
}

// read reads a chunk.
func read(r *wire.Reply, data []byte) *model.Error {
	var chunk sdk.ChatCompletionChunk
	if failure := r.Decode(data, &chunk); failure != nil {
		return failure
	}
	r.Count(model.Usage{Input: int(chunk.Usage.PromptTokens), Output: int(chunk.Usage.CompletionTokens)})
	var text, reason string
	for _, choice := range chunk.Choices {
		if choice.Index == 0 {
			text += choice.Delta.Content + choice.Delta.Refusal
			reason = choice.FinishReason
		}
	}
	r.Say(text)
	return finish(r, reason)
}

// finish takes note of why the reply ended.
func finish(r *wire.Reply, reason string) *model.Error {
	switch reason {
	case "":
	case "error":
		return &model.Error{Kind: model.Broken, Message: wire.BrokeOff, Cause: errors.New("finish_reason error")}
	case "insufficient_system_resource":
		return &model.Error{Kind: model.Unavailable, Message: wire.NotNow, Cause: errors.New("finish_reason " + reason)}
	case "length", "max_tokens", "model_length":
		r.End(model.Length)
	case "content_filter", "safety", "SAFETY":
		r.End(model.Filtered)
	default:
		r.End(model.Done)
	}
	return nil
}
