package gemini_test

import (
	"encoding/json"
	"testing"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/gemini"
	"github.com/asidehq/aside/model/modeltest"
)

func text(s string) string {
	quoted, _ := json.Marshal(s)
	return `data: {"candidates":[{"content":{"parts":[{"text":` + string(quoted) + `}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":11,"totalTokenCount":11},"modelVersion":"small-1","responseId":"r1"}` + "\n\n"
}

func end(reason string) string {
	return `data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"` + reason + `","index":0}],"usageMetadata":{"promptTokenCount":11,"candidatesTokenCount":4,"thoughtsTokenCount":3,"totalTokenCount":18},"modelVersion":"small-1"}` + "\n\n"
}

func says(code, status, message string) string {
	return `{"error":{"code":` + code + `,"message":"Provider says ` + message + ` (` + modeltest.Key + `)","status":"` + status + `"}}`
}

func provider() modeltest.Provider {
	return modeltest.Provider{
		New: func(address, key string) model.Model {
			return gemini.New(gemini.Config{BaseURL: address, Key: key, Model: modeltest.Name})
		},
		Text: text,
		End:  map[model.End]string{model.Done: end("STOP"), model.Length: end("MAX_TOKENS"), model.Filtered: end("SAFETY")},
		Refusals: map[model.Kind]modeltest.Refusal{
			model.BadKey:       {Status: 400, Body: says("400", "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")},
			model.UnknownModel: {Status: 404, Body: says("404", "NOT_FOUND", "models/small-1 is not found for API version v1beta")},
			model.TooLong:      {Status: 400, Body: says("400", "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).")},
			model.BadRequest:   {Status: 400, Body: says("400", "INVALID_ARGUMENT", "Unable to submit request")},
			model.Busy:         {Status: 429, Body: says("429", "RESOURCE_EXHAUSTED", "You exceeded your current quota")},
			model.Unavailable:  {Status: 503, Body: says("503", "UNAVAILABLE", "The model is overloaded. Please try again later.")},
		},
		Midway:    modeltest.Refusal{Body: "data: " + says("503", "UNAVAILABLE", "The model is overloaded.") + "\n\n", Kind: model.Unavailable},
		KeyHeader: "X-Goog-Api-Key",
		Environment: map[string]string{
			"GOOGLE_API_KEY": "key-environment", "GEMINI_API_KEY": "gemini-environment",
			"GOOGLE_GEMINI_BASE_URL": "http://environment.invalid", "GOOGLE_GENAI_USE_VERTEXAI": "true",
		},
	}
}

func TestTheSuite(t *testing.T) { modeltest.Run(t, provider()) }

func TestWithTheEmulator(t *testing.T) { modeltest.RunEmulated(t, provider()) }
