// Package anthropic asks models over Anthropic's Messages API.
//
// It imports the official SDK, model and model/wire. Before changing it, know that the
// API wants to be told how much the model may write, and refuses a number above what
// the model can: that is learned from the refusal.
package anthropic

import (
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/asidehq/aside/model/wire"
)

const (
	ownBaseURL = "https://api.anthropic.com"

	// usualTokens is long for a chat; a model that can write less says so.
	usualTokens = 16_000
)

// Config says which model is asked, and where.
type Config struct {
	BaseURL   string // up to but without /v1/messages; empty is Anthropic's own
	Key       string // may be empty: a proxy may need none
	Model     string
	MaxTokens int // how much the model may write; 0 is what is usual

	Client *http.Client     // nil is a new one
	Now    func() time.Time // nil is time.Now; used where a server says until when to wait
}

// Sees are the types of images that the models can be shown.
func Sees() []string { return []string{"image/jpeg", "image/png", "image/gif", "image/webp"} }

// A Model is one model of one server. It may be used by several goroutines.
type Model struct {
	config   Config
	messages sdk.MessageService
	server   *wire.Server
	tokens   atomic.Int64 // how much the model may write
}

// New returns the model. No request is made.
func New(c Config) *Model {
	if c.BaseURL == "" {
		c.BaseURL = ownBaseURL
	}
	// Most other addresses end in /v1, so people write it here as well.
	c.BaseURL = strings.TrimSuffix(strings.TrimRight(c.BaseURL, "/"), "/v1")
	if c.MaxTokens <= 0 {
		c.MaxTokens = usualTokens
	}
	m := &Model{config: c, server: wire.NewServer(c.Model, c.Key, c.Now)}
	m.tokens.Store(int64(c.MaxTokens))
	// Not sdk.NewClient: it reads the environment and files below the home directory,
	// and a key found there would be sent to whichever server is configured here. And
	// it drags in every service that there is, which is megabytes.
	m.messages.Options = []option.RequestOption{
		option.WithBaseURL(c.BaseURL),
		option.WithHTTPClient(wire.Client(c.Client)),
		option.WithMaxRetries(0),
	}
	if c.Key != "" {
		m.messages.Options = append(m.messages.Options, option.WithAPIKey(c.Key))
	}
	return m
}
