package anthropic_test

import (
	"encoding/json"
	"testing"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/anthropic"
	"github.com/asidehq/aside/model/modeltest"
)

const (
	begin = "event: message_start\n" +
		`data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"small-1","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":6,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":1}}}` + "\n\n" +
		"event: content_block_start\n" +
		`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n" +
		"event: ping\n" + `data: {"type": "ping"}` + "\n\n"
	stop = "event: message_stop\n" + `data: {"type":"message_stop"}` + "\n\n"
)

func text(s string) string {
	quoted, _ := json.Marshal(s)
	return "event: content_block_delta\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + string(quoted) + `}}` + "\n\n"
}

func end(reason string) string {
	return "event: content_block_stop\n" + `data: {"type":"content_block_stop","index":0}` + "\n\n" +
		"event: message_delta\n" + `data: {"type":"message_delta","delta":{"stop_reason":"` + reason + `","stop_sequence":null},"usage":{"output_tokens":7}}` + "\n\n" + stop
}

func says(kind, message string) string {
	return `{"type":"error","error":{"type":"` + kind + `","message":"Provider says ` + message + ` (` + modeltest.Key + `)"},"request_id":"req_1"}`
}

func provider() modeltest.Provider {
	return modeltest.Provider{
		New: func(address, key string) model.Model {
			return anthropic.New(anthropic.Config{BaseURL: address, Key: key, Model: modeltest.Name})
		},
		Begin: begin,
		Text:  text,
		End:   map[model.End]string{model.Done: end("end_turn"), model.Length: end("max_tokens"), model.Filtered: end("refusal")},
		Refusals: map[model.Kind]modeltest.Refusal{
			model.BadKey:       {Status: 401, Body: says("authentication_error", "invalid x-api-key")},
			model.UnknownModel: {Status: 404, Body: says("not_found_error", "model: small-1")},
			model.TooLong:      {Status: 400, Body: says("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")},
			model.BadRequest:   {Status: 400, Body: says("invalid_request_error", "temperature: Input should be a valid number")},
			model.Busy:         {Status: 429, Body: says("rate_limit_error", "This request would exceed your organization's rate limit")},
			model.Unavailable:  {Status: 529, Body: says("overloaded_error", "Overloaded")},
		},
		Midway:    modeltest.Refusal{Body: "event: error\ndata: " + says("overloaded_error", "Overloaded") + "\n\n", Kind: model.Unavailable},
		KeyHeader: "X-Api-Key",
		Environment: map[string]string{
			"ANTHROPIC_API_KEY": "sk-environment", "ANTHROPIC_AUTH_TOKEN": "token-environment",
			"ANTHROPIC_BASE_URL": "http://environment.invalid", "ANTHROPIC_CUSTOM_HEADERS": "X-Custom: header-environment",
		},
	}
}

func TestTheSuite(t *testing.T) { modeltest.Run(t, provider()) }

func TestWithTheEmulator(t *testing.T) { modeltest.RunEmulated(t, provider()) }
