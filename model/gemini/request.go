package gemini

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/wire"
)

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
		b.GenerationConfig = &generated{m.config.MaxTokens}
	}
	if r.System != "" {
		b.SystemInstruction = &content{Parts: []part{{Text: r.System}}}
	}
	for _, message := range wire.Spoken(r.Messages) {
		b.Contents = append(b.Contents, said(message))
	}
	return b
}

// said writes a message as the API wants it: images before the text about them.
func said(message model.Message) content {
	if message.Role == model.Assistant {
		return content{Role: "model", Parts: []part{{Text: message.Text}}}
	}
	c := content{Role: "user"}
	for _, image := range message.Images {
		c.Parts = append(c.Parts, part{InlineData: &blob{image.Type, image.Data}})
	}
	if message.Text != "" {
		c.Parts = append(c.Parts, part{Text: message.Text})
	}
	return c
}
