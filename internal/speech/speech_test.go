package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
)

const (
	ogg  = "OggS\x00\x02 a page of sound"
	wave = "RIFF\x24\x00\x00\x00WAVEfmt and so on"
	mp3  = "\xff\xfb\x90\x44 frame after frame"
)

// speaker has a logger whose lines can be read.
func speaker(s Source) (*Speaker, *bytes.Buffer) {
	var log bytes.Buffer
	return &Speaker{Source: s, Timeout: time.Minute, Logger: slog.New(slog.NewTextHandler(&log, nil))}, &log
}

// serve is a server with OpenAI's interface, and what is asked there.
func serve(t *testing.T, answer http.HandlerFunc) *Server {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return NewServer(ServerConfig{BaseURL: s.URL + "/v1", Key: "sk-secret", Model: "tts", Voice: "alloy", Format: "opus", Limit: 1000})
}

// hang waits until whoever asks has given up, which is noticed once the request is read.
func hang(r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

func TestAServerIsAskedAsOpenAIIs(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "of-somebody-else")
	asked := map[string]any{}
	s, _ := speaker(serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked["method"], asked["path"], asked["authorization"] = r.Method, r.URL.Path, r.Header.Get("Authorization")
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "audio/ogg")
		w.Write([]byte(ogg))
	}))
	file, err := s.Speak(t.Context(), "Good morning!")
	if err != nil || file.Name != "voice.ogg" || string(file.Data) != ogg || file.Kind != platform.KindAudio || file.Type != "application/ogg" || file.Size != int64(len(ogg)) {
		t.Errorf("%+v, %v", file, err)
	}
	for key, want := range map[string]any{
		"method": "POST", "path": "/v1/audio/speech", "authorization": "Bearer sk-secret",
		"input": "Good morning!", "model": "tts", "voice": "alloy", "response_format": "opus",
	} {
		if asked[key] != want {
			t.Errorf("%s was %v, want %v", key, asked[key], want)
		}
	}
}

func TestAServerThatDoesNotSpeakSaysWhyAndNoSecret(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"a wrong key", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusUnauthorized)
			w.Write([]byte(`{"error":{"message":"Incorrect API key provided: sk-secret"}}`))
		}, "The model's provider does not accept the key. Check api_key."},
		{"a model that is not there", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			w.Write([]byte(`{"error":{"message":"model not found"}}`))
		}, `The provider has no model called "tts".`},
		{"an error in place of sound", func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte(`{"error":{"message":"nobody is at home"}}`))
		}, "what came is no sound (ogg, mp3, wav or flac)"},
		{"nothing", func(http.ResponseWriter, *http.Request) {}, "what came is no sound (ogg, mp3, wav or flac)"},
		{"more than may come", func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte(ogg + strings.Repeat("la", 600)))
		}, "The speech is too large."},
		{"half of it", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			w.Write([]byte(ogg))
		}, "The speech broke off."},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, log := speaker(serve(t, test.answer))
			_, err := s.Speak(t.Context(), "Hello")
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
			if log.Len() == 0 || strings.Contains(log.String(), "sk-secret") {
				t.Errorf("the log says %q", log)
			}
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		s, _ := speaker(NewServer(ServerConfig{BaseURL: closed.URL, Model: "tts", Limit: 10}))
		if _, err := s.Speak(t.Context(), "Hello"); err == nil || !strings.Contains(err.Error(), "nothing answers at its address") {
			t.Error(err)
		}
	})
}

func TestSpeechEndsInTime(t *testing.T) {
	s, _ := speaker(serve(t, func(_ http.ResponseWriter, r *http.Request) { hang(r) }))
	s.Timeout = time.Millisecond
	if _, err := s.Speak(t.Context(), "Hello"); err == nil || err.Error() != "it took longer than a moment" {
		t.Error(err)
	}
	s, _ = speaker(program(t, "hang"))
	s.Timeout = 50 * time.Millisecond
	if _, err := s.Speak(t.Context(), "Hello"); err == nil || err.Error() != "it took longer than a moment" {
		t.Error(err)
	}
}

func TestSomebodyWhoStopsIsNotToldThatItTookLong(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, _ := speaker(serve(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		hang(r)
	}))
	if _, err := s.Speak(ctx, "Hello"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestATextThatIsTooLongIsNotSaid(t *testing.T) {
	s, _ := speaker(program(t, "wave"))
	if _, err := s.Speak(t.Context(), strings.Repeat("ä", MostText+1)); err == nil || err.Error() != "the text has 4097 characters, and at most 4096 are said at a time" {
		t.Error(err)
	}
	if _, err := s.Speak(t.Context(), strings.Repeat("ä", MostText)); err != nil {
		t.Error(err)
	}
}

// asProgram makes this test a program that speaks.
const asProgram = "SPEECH_TEST_PROGRAM"

func program(t *testing.T, how string) *Program {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &Program{Command: []string{self}, Environment: append(os.Environ(), asProgram+"="+how), Limit: 10_000}
}

func TestMain(m *testing.M) {
	var text bytes.Buffer
	switch os.Getenv(asProgram) {
	case "":
		os.Exit(m.Run())
	case "wave":
		text.ReadFrom(os.Stdin)
		os.Stdout.WriteString(wave + text.String())
	case "words":
		os.Stdout.WriteString("usage: speak [text]")
	case "fail":
		os.Stderr.WriteString("no voice\n")
		os.Exit(3)
	case "endless":
		for range 1000 {
			os.Stdout.WriteString(strings.Repeat("la", 1000))
		}
	case "hang":
		never, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		<-never.Done()
	}
}

func TestAProgramReadsTheTextAndWritesTheSound(t *testing.T) {
	s, _ := speaker(program(t, "wave"))
	file, err := s.Speak(t.Context(), "-rf; $(reboot)")
	if err != nil || file.Name != "voice.wav" || string(file.Data) != wave+"-rf; $(reboot)\n" || file.Type != "audio/wave" {
		t.Errorf("%+v, %v", file, err)
	}
}

func TestAProgramThatDoesNotSpeakSaysWhy(t *testing.T) {
	for _, test := range []struct{ name, how, want, logged string }{
		{"an error", "fail", "The model's program has failed. The log says why.", "no voice"},
		{"words in place of sound", "words", "what came is no sound (ogg, mp3, wav or flac)", "19 bytes"},
		{"sound without end", "endless", "The model's program writes without end.", "without end"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, log := speaker(program(t, test.how))
			if _, err := s.Speak(t.Context(), "Hello"); err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
			if !strings.Contains(log.String(), test.logged) {
				t.Errorf("the log says %q", log)
			}
		})
	}
	for _, missing := range [][]string{{"there-is-no-such-program"}, nil} {
		s, _ := speaker(&Program{Command: missing, Limit: 10})
		if _, err := s.Speak(t.Context(), "Hello"); err == nil || !strings.Contains(err.Error(), "Check command.") {
			t.Error(err)
		}
	}
}

func TestSoundIsKnownByItsBytes(t *testing.T) {
	for _, test := range []struct{ name, data, want string }{
		{"Ogg", ogg, "ogg"},
		{"WAV", wave, "wav"},
		{"FLAC", "fLaC\x00\x00\x00\x22 and so on", "flac"},
		{"MP3 with a title", "ID3\x04\x00 and so on", "mp3"},
		{"MP3 without", mp3, "mp3"},
		{"a text in UTF-16", "\xff\xfeH\x00e\x00l\x00l\x00o\x00", ""},
		{"a picture", "\xff\xd8\xff\xe0 and so on", ""},
		{"a list of RIFF that is no sound", "RIFF\x24\x00\x00\x00WEBPVP8 ", ""},
		{"words", "usage: speak [text]", ""},
		{"next to nothing", "OggS", ""},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := soundOf([]byte(test.data)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// The program that docs/speech.md names, where it is installed.
func TestEspeakSpeaks(t *testing.T) {
	if _, err := exec.LookPath("espeak-ng"); err != nil {
		t.Skip("espeak-ng is not installed, so what docs/speech.md says about it is not tried: apt-get install espeak-ng")
	}
	s, _ := speaker(&Program{Command: []string{"espeak-ng", "--stdout"}, Limit: 10 << 20})
	file, err := s.Speak(t.Context(), "Good morning!")
	if err != nil || file.Name != "voice.wav" || file.Size < 10_000 {
		t.Errorf("%s with %d bytes, %v", file.Name, file.Size, err)
	}
}
