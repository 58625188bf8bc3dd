package gemini

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/wire"
)

// Stream asks the model. A delta without text is a sign of life: the server has
// sent something that is not part of the reply, such as the model's thoughts.
func (m *Model) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	ask := func(ctx context.Context) (*http.Response, *model.Error) { return m.ask(ctx, r) }
	return m.server.Stream(ctx, ask, read)
}

// read reads a chunk.
func read(r *wire.Reply, data []byte) *model.Error {
	var c chunk
	if failure := r.Decode(data, &c); failure != nil {
		return failure
	}
	u := c.UsageMetadata
	r.Count(model.Usage{Input: u.PromptTokenCount, Output: u.CandidatesTokenCount + u.ThoughtsTokenCount})
	if c.PromptFeedback.BlockReason != "" {
		r.End(model.Filtered)
	}
	if len(c.Candidates) == 0 {
		r.Say("")
		return nil
	}
	var text strings.Builder
	for _, part := range c.Candidates[0].Content.Parts {
		if !part.Thought {
			text.WriteString(part.Text)
		}
	}
	r.Say(text.String())
	return finish(r, c.Candidates[0].FinishReason)
}

// finish takes note of why the reply ended.
func finish(r *wire.Reply, reason string) *model.Error {
	switch reason {
	case "", "FINISH_REASON_UNSPECIFIED":
	case "MAX_TOKENS":
		r.End(model.Length)
	case "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY":
		r.End(model.Filtered)
	case "OTHER", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL":
		return &model.Error{Kind: model.Broken, Message: wire.BrokeOff, Cause: errors.New("finishReason " + reason)}
	default:
		r.End(model.Done)
	}
	return nil
}
