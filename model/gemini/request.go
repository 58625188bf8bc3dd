package gemini

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"google.golang.org/genai"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/wire"
)

// A request is what the API is sent.
type request struct {
	SystemInstruction *genai.Content          `json:"systemInstruction,omitempty"`
	Contents          []*genai.Content        `json:"contents"`
	GenerationConfig  *genai.GenerationConfig `json:"generationConfig,omitempty"`
}

// ask sends the request and returns the response to it, which is a stream.
func (m *Model) ask(ctx context.Context, r model.Request) (*http.Response, *model.Error) {
	asked, err := m.request(ctx, r)
	if err != nil {
		return nil, m.server.Unreachable(err)
	}
	response, err := m.client.Do(asked)
	if err != nil {
		return nil, m.server.Unreachable(err)
	}
	if response.StatusCode >= 400 {
		defer response.Body.Close()
		return nil, m.server.Refused(response, wire.Words(response.Body))
	}
	return response, nil
}

func (m *Model) request(ctx context.Context, r model.Request) (*http.Request, error) {
	body, err := json.Marshal(m.body(r))
	if err != nil {
		return nil, err
	}
	address := m.config.BaseURL + "/v1beta/models/" + url.PathEscape(m.config.Model) + ":streamGenerateContent?alt=sse"
	asked, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	asked.Header.Set("Content-Type", "application/json")
	if m.config.Key != "" {
		asked.Header.Set("X-Goog-Api-Key", m.config.Key)
	}
	return asked, nil
}

func (m *Model) body(r model.Request) request {
	var b request
	if m.config.MaxTokens > 0 {
		b.GenerationConfig = &genai.GenerationConfig{MaxOutputTokens: int32(m.config.MaxTokens)}
	}
	if r.System != "" {
		b.SystemInstruction = genai.NewContentFromText(r.System, genai.RoleUser)
	}
	for _, message := range wire.Spoken(r.Messages) {
		b.Contents = append(b.Contents, content(message))
	}
	return b
}

// content writes a message as the API wants it: images before the text about them.
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
