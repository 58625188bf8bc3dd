package speech

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/wire"
)

const openAI = "https://api.openai.com/v1"

// ServerConfig says which server speaks, and how.
type ServerConfig struct {
	BaseURL string // up to but without /audio/speech; empty is OpenAI's own
	Key     string // may be empty: local servers need none
	Model   string
	Voice   string
	Format  string // opus, mp3 or wav
	Limit   int64  // how many bytes the sound may have

	Client *http.Client     // nil is a new one
	Now    func() time.Time // nil is time.Now
}

// A Server is a server with OpenAI's interface for speech.
type Server struct {
	config ServerConfig
	speech sdk.AudioSpeechService
	wire   *wire.Server
}

// NewServer returns the server. No request is made.
func NewServer(c ServerConfig) *Server {
	if c.BaseURL == "" {
		c.BaseURL = openAI
	}
	s := &Server{config: c, wire: wire.NewServer(c.Model, c.Key, c.Now)}
	// Not sdk.NewClient, for the reasons that model/openai has: keys in the environment.
	s.speech.Options = []option.RequestOption{
		option.WithBaseURL(c.BaseURL),
		option.WithHTTPClient(wire.Client(c.Client)),
		option.WithMaxRetries(0),
	}
	if c.Key != "" {
		s.speech.Options = append(s.speech.Options, option.WithAPIKey(c.Key))
	}
	return s
}

// Sound implements Source.
func (s *Server) Sound(ctx context.Context, text string) ([]byte, error) {
	var response *http.Response
	_, err := s.speech.New(ctx, sdk.AudioSpeechNewParams{
		Input: text, Model: s.config.Model,
		Voice:          sdk.AudioSpeechNewParamsVoiceUnion{OfString: sdk.String(s.config.Voice)},
		ResponseFormat: sdk.AudioSpeechNewParamsResponseFormat(s.config.Format),
	}, option.WithResponseInto(&response))
	switch {
	case ctx.Err() != nil:
		return nil, model.Interrupted(ctx)
	case response == nil:
		return nil, s.wire.Unreachable(err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode >= 400:
		return nil, s.wire.Refused(response, wire.Words(response.Body))
	case err != nil:
		return nil, s.wire.Unreachable(err)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, s.config.Limit+1))
	switch {
	case ctx.Err() != nil:
		return nil, model.Interrupted(ctx)
	case err != nil:
		return nil, &model.Error{Kind: model.Broken, Message: "The speech broke off.", Cause: err}
	case int64(len(data)) > s.config.Limit:
		return nil, &model.Error{Kind: model.Broken, Message: "The speech is too large.", Cause: errors.New("it is larger than files.max_size")}
	}
	return data, nil
}
