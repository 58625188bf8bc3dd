package openai_test

import (
	"testing"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/modeltest"
	"github.com/asidehq/aside/model/openai"
)

func provider() modeltest.Provider {
	says := func(message, code string) string {
		return `{"error":{"message":"Provider says ` + message + ` (` + modeltest.Key + `)","type":"invalid_request_error","param":null,"code":` + code + `}}`
	}
	end := func(reason string) string { return finish(reason) + usage + bye }
	return modeltest.Provider{
		New: func(address, key string) model.Model {
			return openai.New(openai.Config{BaseURL: address + "/v1", Key: key, Model: modeltest.Name})
		},
		Begin: role,
		Text:  event,
		End:   map[model.End]string{model.Done: end("stop"), model.Length: end("length"), model.Filtered: end("content_filter")},
		Refusals: map[model.Kind]modeltest.Refusal{
			model.BadKey:       {Status: 401, Body: says("Incorrect API key provided", `"invalid_api_key"`)},
			model.UnknownModel: {Status: 404, Body: says("The model `small-1` does not exist", `"model_not_found"`)},
			model.TooLong:      {Status: 400, Body: says("This model's maximum context length is 8192 tokens", `"context_length_exceeded"`)},
			model.BadRequest:   {Status: 400, Body: says("temperature must be a number", `null`)},
			model.Busy:         {Status: 429, Body: says("Rate limit reached", `"rate_limit_exceeded"`)},
			model.Unavailable:  {Status: 500, Body: says("The server had an error", `null`)},
		},
		Midway:      modeltest.Refusal{Body: "data: " + says("The server had an error", `"server_error"`) + "\n\n", Kind: model.Unavailable},
		KeyHeader:   "Authorization",
		Environment: map[string]string{"OPENAI_API_KEY": "sk-environment", "OPENAI_BASE_URL": "http://environment.invalid", "OPENAI_ORG_ID": "org-environment"},
	}
}

func TestTheSuite(t *testing.T) { modeltest.Run(t, provider()) }

func TestWithTheEmulator(t *testing.T) { modeltest.RunEmulated(t, provider()) }
