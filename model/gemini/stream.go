package gemini

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"

	"google.golang.org/genai"

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
	var chunk genai.GenerateContentResponse
	if failure := r.Decode(data, &chunk); failure != nil {
		return failure
	}
	if u := chunk.UsageMetadata; u != nil {
		r.Count(model.Usage{Input: int(u.PromptTokenCount), Output: int(u.CandidatesTokenCount + u.ThoughtsTokenCount)})
	}
	if f := chunk.PromptFeedback; f != nil && f.BlockReason != "" && f.BlockReason != genai.BlockedReasonUnspecified {
		r.End(model.Filtered)
	}
	var text string
	var reason genai.FinishReason
	// A stream may hold null wherever there is a pointer.
	if len(chunk.Candidates) > 0 && chunk.Candidates[0] != nil {
		candidate := chunk.Candidates[0]
		reason = candidate.FinishReason
		if candidate.Content != nil {
			text = said(candidate.Content.Parts)
		}
	}
	r.Say(text)
	return finish(r, reason)
}

// said is the text of the parts that is not the model's thought.
func said(parts []*genai.Part) string {
	var text strings.Builder
	for _, part := range parts {
		if part != nil && !part.Thought {
			text.WriteString(part.Text)
		}
	}
	return text.String()
}

// finish takes note of why the reply ended.
func finish(r *wire.Reply, reason genai.FinishReason) *model.Error {
	switch reason {
	case "", genai.FinishReasonUnspecified:
	case genai.FinishReasonMaxTokens:
		r.End(model.Length)
	case genai.FinishReasonSafety, genai.FinishReasonRecitation, genai.FinishReasonLanguage, genai.FinishReasonBlocklist,
		genai.FinishReasonProhibitedContent, genai.FinishReasonSPII, genai.FinishReasonImageSafety:
		r.End(model.Filtered)
	case genai.FinishReasonOther, genai.FinishReasonMalformedFunctionCall, genai.FinishReasonUnexpectedToolCall:
		return &model.Error{Kind: model.Broken, Message: wire.BrokeOff, Cause: errors.New("finishReason " + string(reason))}
	default:
		r.End(model.Done)
	}
	return nil
}
