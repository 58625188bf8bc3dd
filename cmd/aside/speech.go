package main

import (
	"log/slog"
	"os"
	"time"

	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/speech"
)

// newSpeaker is who says aloud what replies want to be heard, nil if nobody does.
func newSpeaker(c *config.Config, log *slog.Logger) messaging.Speaker {
	s := c.Speech
	if s == nil {
		return nil
	}
	var source speech.Source
	switch most := int64(c.Files.MaxSize); s.Provider {
	case config.SpeechCommand:
		source = &speech.Program{Command: s.Command, Environment: environment(c, os.Environ()), Limit: int(most)}
	default:
		source = speech.NewServer(speech.ServerConfig{
			BaseURL: s.BaseURL.Reveal(), Key: s.APIKey.Reveal(), Model: s.Model, Voice: s.Voice, Format: string(s.Format),
			Limit: most, Now: time.Now,
		})
	}
	return &speech.Speaker{Source: source, Timeout: s.Timeout, Logger: log}
}
