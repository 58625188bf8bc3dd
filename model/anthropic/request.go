package anthropic

import (
	"encoding/base64"
	"regexp"
	"strconv"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/wire"
)

// tooManyTokens is how the API says that the model cannot write as much.
var tooManyTokens = regexp.MustCompile(`max_tokens: \d+ > (\d+)`)

// learn looks whether the request was refused only for how much the model may write,
// and returns how much it can.
func learn(status int, said string) (int64, bool) {
	found := tooManyTokens.FindStringSubmatch(said)
	if status != 400 || found == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(found[1], 10, 64)
	return n, err == nil && n > 0
}

func (m *Model) params(r model.Request, tokens int64) sdk.MessageNewParams {
	p := sdk.MessageNewParams{Model: m.config.Model, MaxTokens: tokens}
	if r.System != "" {
		p.System = []sdk.TextBlockParam{{Text: r.System}}
	}
	for _, message := range wire.Spoken(r.Messages) {
		p.Messages = append(p.Messages, param(message))
	}
	return p
}

// param writes a message as the API wants it: images before the text about them.
func param(message model.Message) sdk.MessageParam {
	if message.Role == model.Assistant {
		return sdk.NewAssistantMessage(sdk.NewTextBlock(message.Text))
	}
	var blocks []sdk.ContentBlockParamUnion
	for _, image := range message.Images {
		blocks = append(blocks, sdk.NewImageBlockBase64(image.Type, base64.StdEncoding.EncodeToString(image.Data)))
	}
	if message.Text != "" {
		blocks = append(blocks, sdk.NewTextBlock(message.Text))
	}
	return sdk.NewUserMessage(blocks...)
}
