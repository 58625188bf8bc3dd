// Package openai asks models over OpenAI's chat completions, which most other
// servers speak as well: Ollama, vLLM, llama.cpp, LM Studio, OpenRouter, Mistral.
//
// It imports the official SDK, model and model/wire. Before changing it, know that the
// servers agree on the words of a request and on little else: how they say that a
// conversation is too long, which parameters they refuse and how they end a stream
// differs, and every difference that is handled here has a test that speaks it.
package openai

import (
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/asidehq/aside/model/wire"
)

const ownBaseURL = "https://api.openai.com/v1"

// Config says which model is asked, and where.
type Config struct {
	BaseURL   string // up to but without /chat/completions; empty is OpenAI's own
	Key       string // may be empty: local servers need none
	Model     string
	MaxTokens int // how much the model may write; 0 leaves it to the server

	Client *http.Client     // nil is a new one
	Now    func() time.Time // nil is time.Now; used where a server says until when to wait
}

// Sees are the types of images that the models can be shown.
func Sees() []string { return []string{"image/jpeg", "image/png", "image/gif", "image/webp"} }

// A Model is one model of one server. It may be used by several goroutines.
type Model struct {
	config  Config
	chat    sdk.ChatCompletionService
	server  *wire.Server
	manners atomic.Pointer[manner] // what was learned about the server
}

// New returns the model. No request is made.
func New(c Config) *Model {
	if c.BaseURL == "" {
		c.BaseURL = ownBaseURL
	}
	m := &Model{config: c, server: wire.NewServer(c.Model, c.Key, c.Now)}
	// Not sdk.NewClient: it reads the environment, and a key found there would be
	// sent to whichever server is configured here. And it drags in every service
	// that there is, which is megabytes.
	m.chat.Options = []option.RequestOption{
		option.WithBaseURL(c.BaseURL),
		option.WithHTTPClient(wire.Client(c.Client)),
		option.WithMaxRetries(0),
	}
	if c.Key != "" {
		m.chat.Options = append(m.chat.Options, option.WithAPIKey(c.Key))
	}
	m.manners.Store(&manner{usage: true, newTokens: strings.Contains(c.BaseURL, "//api.openai.com")})
	return m
}
