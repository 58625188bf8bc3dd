// Package gemini asks models over Google's Gemini API.
//
// It imports model and model/wire. Before changing it, know why the official SDK is
// not used: importing it for its types alone makes the program a third larger, and its
// client takes a comment in a stream for an error, does not notice that a stream was
// cut, and writes to the standard log.
package gemini

import (
	"net/http"
	"strings"
	"time"

	"github.com/asidehq/aside/model/wire"
)

const ownBaseURL = "https://generativelanguage.googleapis.com"

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
	client *http.Client
	server *wire.Server
}

// New returns the model. No request is made.
func New(c Config) *Model {
	if c.BaseURL == "" {
		c.BaseURL = ownBaseURL
	}
	// Google's own documents write the version behind the address, and models/ before
	// the name.
	c.BaseURL = strings.TrimSuffix(strings.TrimRight(c.BaseURL, "/"), "/v1beta")
	c.Model = strings.TrimPrefix(c.Model, "models/")
	return &Model{config: c, client: wire.Client(c.Client), server: wire.NewServer(c.Model, c.Key, c.Now)}
}
