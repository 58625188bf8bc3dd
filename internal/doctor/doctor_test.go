package doctor

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/openai"
)

const secret = "sk-s3cret-0123456789"

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// newDoctor looks at the defaults in an empty data directory.
func newDoctor(t *testing.T, change func(*config.Config)) *Doctor {
	t.Helper()
	c := config.Default()
	c.Data, c.Listen = filepath.Join(t.TempDir(), "data"), "127.0.0.1:0"
	if change != nil {
		change(c)
	}
	return &Doctor{
		Config: c, Known: []string{"discord", "slack", "telegram", "web"}, Now: func() time.Time { return noon }, Client: &http.Client{Timeout: 10 * time.Second},
		Model: func(m config.Model) (model.Model, error) {
			if m.Provider != config.OpenAI {
				return nil, errors.New("this version cannot ask " + string(m.Provider))
			}
			return openai.New(openai.Config{BaseURL: m.BaseURL.Reveal(), Key: m.APIKey.Reveal(), Model: m.Model}), nil
		},
	}
}

// examine returns what is found about one thing, and looks for the secret in all.
func (d *Doctor) examine(t *testing.T, check string) []Finding {
	t.Helper()
	var found []Finding
	d.Examine(t.Context(), func(f Finding) {
		if strings.Contains(f.Text+f.Do, secret) {
			t.Errorf("a secret is in %+v", f)
		}
		if f.Level != Good && f.Do == "" {
			t.Errorf("nothing is said to do about %+v", f)
		}
		if f.Check == check {
			found = append(found, f)
		}
	})
	return found
}

// finds asks for one finding.
func finds(t *testing.T, d *Doctor, check string, level Level, texts ...string) {
	t.Helper()
	found := d.examine(t, check)
	if len(found) != 1 || found[0].Level != level {
		t.Fatalf("found %+v, want %s", found, level)
	}
	for _, text := range texts {
		if !strings.Contains(found[0].Text+" → "+found[0].Do, text) {
			t.Errorf("found %q → %q, which does not say %q", found[0].Text, found[0].Do, text)
		}
	}
}

func TestWhatAModelsServerSays(t *testing.T) {
	refuse := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	tests := []struct {
		name   string
		answer http.HandlerFunc
		level  Level
		want   []string
	}{
		{"it answers", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"ok"}}]}`+"\n\n")
		}, Good, []string{"openai test answers"}},
		{"the model's name is wrong", refuse(404, `{"error":{"message":"no `+secret+`","code":"model_not_found"}}`), Bad, []string{`has no model called "test"`, "set models.chat.model to a name that the provider has"}},
		{"the key is wrong", refuse(401, `{"error":{"message":"bad key `+secret+`"}}`), Bad, []string{"does not accept the key", "set models.chat.api_key"}},
		{"it is busy", refuse(429, `{"error":{"message":"slow down"}}`), Warn, []string{"busy", "try again later"}},
		{"it does not work", refuse(500, `{"error":{"message":"oh `+secret+`"}}`), Bad, []string{"does not work at the moment", "try again"}},
		{"it is a web page", refuse(200, `<html>`+secret), Bad, []string{"Check base_url"}},
		{"it says nothing", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, Bad, []string{"cannot be reached"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(test.answer)
			defer server.Close()
			server.Config.ErrorLog = nil
			d := newDoctor(t, func(c *config.Config) {
				c.Models.Chat = &config.Model{Source: config.Source{Provider: config.OpenAI, Model: "test", BaseURL: config.NewURL(server.URL), APIKey: config.NewSecret(secret)}}
			})
			finds(t, d, "model chat", test.level, test.want...)
		})
	}
	t.Run("a provider that this version does not know", func(t *testing.T) {
		d := newDoctor(t, func(c *config.Config) {
			c.Models.Chat = &config.Model{Source: config.Source{Provider: config.Command, Command: []string{"llm"}}}
		})
		finds(t, d, "model chat", Bad, "cannot ask command", "change models.chat")
	})
	t.Run("each model is asked once", func(t *testing.T) {
		d := newDoctor(t, func(c *config.Config) {
			c.Models.Chat = &config.Model{Source: config.Source{Provider: config.OpenAI, Model: "a", BaseURL: config.NewURL("http://127.0.0.1:1")}}
			c.Models.Fast = &config.Model{Source: config.Source{Model: "b"}}
		})
		d.Offline = true
		finds(t, d, "model chat", Good, "openai a", "--offline")
		finds(t, d, "model fast", Good, "openai b")
		if found := d.examine(t, "model summary"); len(found) != 0 {
			t.Errorf("found %v", found)
		}
	})
}

func TestTheClockIsComparedWithTheServers(t *testing.T) {
	for _, test := range []struct {
		name  string
		off   time.Duration
		level Level
	}{
		{"it agrees", 2 * time.Second, Good},
		{"it is a minute behind", time.Minute, Warn},
		{"it is a day ahead", -24 * time.Hour, Bad},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodHead && r.Header.Get("Authorization") != "" {
					t.Error("the key was sent")
				}
				w.Header().Set("Date", noon.Add(test.off).Format(http.TimeFormat))
				w.WriteHeader(http.StatusNotFound)
			}))
			defer server.Close()
			d := newDoctor(t, func(c *config.Config) {
				c.Models.Chat = &config.Model{Source: config.Source{Provider: config.OpenAI, Model: "test", BaseURL: config.NewURL(server.URL), APIKey: config.NewSecret(secret)}}
			})
			finds(t, d, "clock", test.level, "that of the model's server")
		})
	}
}

func TestWhoListensAtTheAddress(t *testing.T) {
	at := func(address string) *Doctor {
		return newDoctor(t, func(c *config.Config) { c.Listen = config.Address(address) })
	}
	t.Run("another Aside", func(t *testing.T) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") }))
		defer server.Close()
		finds(t, at(server.Listener.Addr().String()), "listen", Bad, "another Aside listens at", "stop it, or choose another address with listen in aside.yaml")
	})
	t.Run("another program", func(t *testing.T) {
		server := httptest.NewServer(http.NotFoundHandler())
		defer server.Close()
		finds(t, at(server.Listener.Addr().String()), "listen", Bad, "another program listens at")
	})
	t.Run("the Aside that holds the data", func(t *testing.T) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		d := at(listener.Addr().String())
		s, err := store.Open(t.Context(), "sqlite", d.Config.Data, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Announce(d.Config.Data, listener.Addr().String()); err != nil {
			t.Fatal(err)
		}
		finds(t, d, "listen", Good, "the running Aside listens at")
		finds(t, d, "lock", Good, "an Aside is running on it, at "+listener.Addr().String())
		finds(t, d, "store", Good, "is in order")
	})
	t.Run("nobody", func(t *testing.T) { finds(t, at("127.0.0.1:0"), "listen", Good, "is free") })
	t.Run("an address of another machine", func(t *testing.T) {
		finds(t, at("192.0.2.1:8787"), "listen", Bad, "cannot listen at 192.0.2.1:8787", "choose another address")
	})
}

func TestTheDataDirectory(t *testing.T) {
	t.Run("it is not there yet and is not made", func(t *testing.T) {
		d := newDoctor(t, nil)
		finds(t, d, "data", Good, "is not there yet; aside run makes it")
		finds(t, d, "store", Good, "nothing is stored yet")
		if _, err := os.Stat(d.Config.Data); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("it is there now: %v", err)
		}
	})
	t.Run("it is a file", func(t *testing.T) {
		d := newDoctor(t, nil)
		if err := os.WriteFile(d.Config.Data, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		finds(t, d, "data", Bad, "is not a directory", "move the file away")
	})
	t.Run("it is below a file", func(t *testing.T) {
		d := newDoctor(t, nil)
		if err := os.WriteFile(d.Config.Data, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		d.Config.Data = filepath.Join(d.Config.Data, "data")
		finds(t, d, "data", Bad, "cannot be")
	})
	t.Run("its database is damaged", func(t *testing.T) {
		d := newDoctor(t, nil)
		if err := os.MkdirAll(d.Config.Data, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d.Config.Data, "aside.db"), []byte(strings.Repeat("noise", 2000)), 0o600); err != nil {
			t.Fatal(err)
		}
		finds(t, d, "store", Bad, "the database is damaged", "aside restore --force FILE")
	})
	t.Run("PostgreSQL that does not answer", func(t *testing.T) {
		d := newDoctor(t, func(c *config.Config) {
			c.Database = config.NewURL("postgres://aside:" + secret + "@127.0.0.1:1/aside?connect_timeout=1")
		})
		finds(t, d, "store", Bad, "does not answer", "check database in aside.yaml")
		if found := d.examine(t, "data"); len(found) != 0 {
			t.Errorf("found %v", found)
		}
	})
	t.Run("nobody can talk to it", func(t *testing.T) {
		finds(t, newDoctor(t, func(c *config.Config) { c.Platforms = config.Platforms{} }), "platforms", Warn, "nobody can talk to the agent", "web: {}")
	})
	t.Run("its persona is a directory", func(t *testing.T) {
		finds(t, newDoctor(t, func(c *config.Config) { c.Persona.File = t.TempDir() }), "persona", Warn, "cannot be read")
	})
}

func TestSizesAsPeopleReadThem(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 B", 10<<10 - 1: "10239 B", 10 << 10: "10 KiB", 64 << 20: "64 MiB", 70 << 30: "70 GiB", 20 << 40: "20 TiB"} {
		if got := bytes(n); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
