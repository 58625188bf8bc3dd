package anthropic

import (
	"context"
	"iter"
	"net/http"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/wire"
)

// Stream asks the model. A delta without text is a sign of life: the server has
// sent something that is not part of the reply, such as the model's thinking.
func (m *Model) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	ask := func(ctx context.Context) (*http.Response, *model.Error) { return m.ask(ctx, r) }
	return m.server.Stream(ctx, ask, read)
}

// ask sends the request and returns the response to it, which is a stream. A request
// for more than the model can write is put differently and sent again.
func (m *Model) ask(ctx context.Context, r model.Request) (*http.Response, *model.Error) {
	tokens := m.tokens.Load()
	for attempt := 1; ; attempt++ {
		var response *http.Response
		// Its reader is not used: it cannot tell a complete stream from one that was cut.
		err := m.messages.NewStreaming(ctx, m.params(r, tokens), option.WithResponseInto(&response)).Err()
		switch {
		case response == nil:
			return nil, m.server.Unreachable(err)
		case response.StatusCode >= 400:
			said := wire.Words(response.Body)
			if most, ok := learn(response.StatusCode, said); ok && attempt == 1 {
				tokens = most
				continue
			}
			return nil, m.server.Refused(response, said)
		case err != nil:
			return nil, m.server.Unreachable(err)
		}
		m.tokens.Store(tokens)
		return response, nil
	}
}

// read reads an event. Its name stands in its data as well.
func read(r *wire.Reply, data []byte) *model.Error {
	var event sdk.MessageStreamEventUnion
	if failure := r.Decode(data, &event); failure != nil {
		return failure
	}
	switch event.Type {
	case "message_start":
		u := event.Message.Usage
		r.Count(model.Usage{Input: int(u.InputTokens + u.CacheCreationInputTokens + u.CacheReadInputTokens)})
		r.Say("")
	case "content_block_start":
		r.Say(event.ContentBlock.Text)
	case "content_block_delta":
		r.Say(event.Delta.Text)
	case "message_delta":
		r.Count(model.Usage{Output: int(event.Usage.OutputTokens)})
		finish(r, event.Delta.StopReason)
	case "message_stop":
		r.Close()
	default:
		r.Say("") // ping, and what is added in future
	}
	return nil
}

// finish takes note of why the reply ended.
func finish(r *wire.Reply, reason sdk.StopReason) {
	switch reason {
	case "":
	case sdk.StopReasonMaxTokens, sdk.StopReasonModelContextWindowExceeded:
		r.End(model.Length)
	case sdk.StopReasonRefusal, "content_filter": // OpenAI's word, which gateways pass on
		r.End(model.Filtered)
	default:
		r.End(model.Done)
	}
}
