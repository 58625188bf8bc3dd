package openai

import (
	"encoding/base64"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"github.com/asidehq/aside/model"
)

// A manner is what a server accepts. It is tried and learned, because no server
// says it beforehand.
type manner struct {
	usage     bool // it knows stream_options
	newTokens bool // the limit is called max_completion_tokens, not max_tokens
}

// learn looks whether the server has refused a parameter that can be done without
// or written differently, and returns the manner to ask again with.
func (m manner) learn(status int, said string) (manner, bool) {
	said = strings.ToLower(said)
	switch {
	case status != 400 && status != 422:
		return m, false
	case m.usage && strings.Contains(said, "stream_options"):
		m.usage = false
	case m.newTokens && strings.Contains(said, "max_completion_tokens"):
		m.newTokens = false
	case !m.newTokens && strings.Contains(said, "max_completion_tokens") && strings.Contains(said, "unsupported"):
		m.newTokens = true // "'max_tokens' is not supported, use 'max_completion_tokens'"
	default:
		return m, false
	}
	return m, true
}

func (m *Model) params(r model.Request, as manner) sdk.ChatCompletionNewParams {
	p := sdk.ChatCompletionNewParams{Model: m.config.Model}
	if r.System != "" {
		p.Messages = append(p.Messages, sdk.SystemMessage(r.System))
	}
	for _, message := range r.Messages {
		p.Messages = append(p.Messages, param(message))
	}
	if as.usage {
		p.StreamOptions.IncludeUsage = sdk.Bool(true)
	}
	switch n := int64(m.config.MaxTokens); {
	case n <= 0:
	case as.newTokens:
		p.MaxCompletionTokens = sdk.Int(n)
	default:
		p.MaxTokens = sdk.Int(n)
	}
	return p
}

// param writes a message as the API wants it. Text alone is a string, not a list
// of parts: some servers know nothing else. An assistant's images cannot be said.
func param(message model.Message) sdk.ChatCompletionMessageParamUnion {
	if message.Role == model.Assistant {
		return sdk.AssistantMessage(message.Text)
	}
	if len(message.Images) == 0 {
		return sdk.UserMessage(message.Text)
	}
	var parts []sdk.ChatCompletionContentPartUnionParam
	if message.Text != "" {
		parts = append(parts, sdk.TextContentPart(message.Text))
	}
	for _, image := range message.Images {
		url := "data:" + image.Type + ";base64," + base64.StdEncoding.EncodeToString(image.Data)
		parts = append(parts, sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{URL: url}))
	}
	return sdk.UserMessage(parts)
}
