// Package gemini asks models over Google's Gemini API.
//
// It imports the official SDK, model and model/wire. Before changing it, know that the
// SDK makes and sends requests, but never sees the responses: see sender.
package gemini

import (
	"context"
	"net/http"
	"strings"
	"time"

	"google.golang.org/genai"

	"github.com/asidehq/aside/model/wire"
)

const ownBaseURL = "https://generativelanguage.googleapis.com"

// noKey stands in for a key where none is needed. The SDK insists on one and would
// take one from the environment; it is taken out again before anything is sent.
const noKey = "none"

// Config says which model is asked, and where.
type Config struct {
	BaseURL   string // up to but without /v1beta; empty is Google's own
	Key       string // may be empty: a proxy may need none
	Model     string
	MaxTokens int // how much the model may write; 0 leaves it to the server

	Client *http.Client     // nil is a new one
	Now    func() time.Time // nil is time.Now; used where a server says until when to wait
}

// Sees are the types of images that the models can be shown.
func Sees() []string {
	return []string{"image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"}
}

// A Model is one model of one server. It may be used by several goroutines.
type Model struct {
	config Config
	client *genai.Client
	err    error // why there is no client
	server *wire.Server
}

// New returns the model. No request is made.
func New(c Config) *Model {
	if c.BaseURL == "" {
		c.BaseURL = ownBaseURL
	}
	// Google's own documents write the version behind the address.
	c.BaseURL = strings.TrimSuffix(strings.TrimRight(c.BaseURL, "/"), "/v1beta")
	m := &Model{config: c, server: wire.NewServer(c.Model, c.Key, c.Now)}
	key := c.Key
	if key == "" {
		key = noKey
	}
	m.client, m.err = genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey:      key,
		Backend:     genai.BackendGeminiAPI,
		HTTPClient:  sending(wire.Client(c.Client), c.Key == ""),
		HTTPOptions: genai.HTTPOptions{BaseURL: c.BaseURL, APIVersion: "v1beta"},
	})
	return m
}
