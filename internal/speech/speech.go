// Package speech says texts aloud: a server with OpenAI's interface or a program makes the
// sound, and a Speaker makes a file of it that platforms play.
//
// It imports model's providers, for how they ask, and platform, for the file. Before
// changing it, know that a reply waits for its speech: whatever goes wrong has to end
// within the time that the Speaker was given, with an error that a person can read.
package speech

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
	"unicode/utf8"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// MostText is how many characters are said at a time: as many as OpenAI takes.
const MostText = 4096

// A Source makes the sound of a text. Its errors are of type *model.Error.
type Source interface {
	Sound(ctx context.Context, text string) ([]byte, error)
}

// A Speaker makes files of texts. It may be used by several goroutines.
type Speaker struct {
	Source  Source
	Timeout time.Duration
	Logger  *slog.Logger
}

// Speak implements messaging.Speaker. A text that fails is not tried again: it is sent in
// writing, which is better than late.
func (s *Speaker) Speak(ctx context.Context, text string) (platform.File, error) {
	if n := utf8.RuneCountInString(text); n > MostText {
		return platform.File{}, fmt.Errorf("the text has %d characters, and at most %d are said at a time", n, MostText)
	}
	limited, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	data, err := s.Source.Sound(limited, text)
	if err != nil {
		s.Logger.Warn("a text was not said aloud", "error", cause(err))
		if ctx.Err() == nil && limited.Err() != nil {
			return platform.File{}, fmt.Errorf("it took longer than %s", platform.DurationText(s.Timeout))
		}
		return platform.File{}, err
	}
	suffix := soundOf(data)
	if suffix == "" {
		s.Logger.Warn("a text was not said aloud", "error", fmt.Sprintf("the %d bytes that came are no Ogg, MP3, WAV or FLAC", len(data)))
		return platform.File{}, errors.New("what came is no sound (ogg, mp3, wav or flac)")
	}
	file := platform.NewFile("voice."+suffix, "", data)
	file.Kind = platform.KindAudio
	return file, nil
}

// cause is what the log says: the words behind the message for a person.
func cause(err error) error {
	var e *model.Error
	if errors.As(err, &e) && e.Cause != nil {
		return fmt.Errorf("%s %w", e.Message, e.Cause)
	}
	return err
}
