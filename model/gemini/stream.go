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

// ask sends the request and returns the response to it, which is a stream.
func (m *Model) ask(ctx context.Context, r model.Request) (*http.Response, *model.Error) {
	if m.err != nil {
		return nil, m.server.Unreachable(m.err)
	}
	ctx, kept := keep(ctx)
	contents, config := m.params(r)
	var failure error
	for _, err := range m.client.Models.GenerateContentStream(ctx, m.config.Model, contents, config) {
		failure = err
	}
	response := *kept
	switch {
	case response == nil && failure == nil:
		return nil, m.server.Unreachable(errors.New("the SDK has sent nothing"))
	case response == nil:
		return nil, m.server.Unreachable(failure)
	case response.StatusCode >= 400:
		defer response.Body.Close()
		return nil, m.server.Refused(response, wire.Words(response.Body))
	}
	return response, nil
}

// params writes a request as the SDK wants it.
func (m *Model) params(r model.Request) ([]*genai.Content, *genai.GenerateContentConfig) {
	config := &genai.GenerateContentConfig{MaxOutputTokens: int32(max(0, m.config.MaxTokens))}
	if r.System != "" {
		config.SystemInstruction = genai.NewContentFromText(r.System, genai.RoleUser)
	}
	var contents []*genai.Content
	for _, message := range wire.Spoken(r.Messages) {
		contents = append(contents, content(message))
	}
	return contents, config
}

func content(message model.Message) *genai.Content {
	if message.Role == model.Assistant {
		return genai.NewContentFromText(message.Text, genai.RoleModel)
	}
	var parts []*genai.Part
	for _, image := range message.Images {
		parts = append(parts, genai.NewPartFromBytes(image.Data, image.Type))
	}
	if message.Text != "" {
		parts = append(parts, genai.NewPartFromText(message.Text))
	}
	return genai.NewContentFromParts(parts, genai.RoleUser)
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
