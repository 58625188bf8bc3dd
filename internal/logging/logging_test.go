package logging

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestTextHidesSecrets(t *testing.T) {
	hider := NewHider([]string{"correct horse", "12345678", "none", `quo"ted\secret`, "tök", "hidden", ""})
	tests := []struct{ name, text, want string }{
		{"nothing is hidden where there is nothing", "a plain line", "a plain line"},
		{"a long secret alone", "correct horse", "[hidden]"},
		{"a long secret inside of a word", "xcorrect horsex", "x[hidden]x"},
		{"a long secret twice", "correct horse,correct horse", "[hidden],[hidden]"},
		{"a secret of digits", "id 123456789", "id [hidden]9"},
		{"escaped for a query", "?k=correct+horse&x", "?k=[hidden]&x"},
		{"escaped for a path", "/correct%20horse/", "/[hidden]/"},
		{"quoted by Go or JSON", `the key "quo\"ted\\secret" is wrong`, `the key "[hidden]" is wrong`},
		{"a short secret alone", "none", "[hidden]"},
		{"a short secret among signs", "key=none, none.", "key=[hidden], [hidden]."},
		{"a short secret as part of a word stays", "nonesuch, xnone and none1", "nonesuch, xnone and none1"},
		{"a short secret in letters beyond ASCII", "tök, Stök, (tök)", "[hidden], Stök, ([hidden])"},
		{"what stands in its place is left alone", "hidden", "hidden"},
		{"a password in a URL", "dial postgres://ada:pw@db/aside: refused", "dial postgres://[hidden]@db/aside: refused"},
		{"a password with an @ in a URL", "https://ada:p@w@example.com/", "https://[hidden]@example.com/"},
		{"a key in a URL's place for a user", `Get "https://key@example.com/v1"`, `Get "https://[hidden]@example.com/v1"`},
		{"a URL with an @ in its path stays", "https://example.com/@ada", "https://example.com/@ada"},
		{"an address for mail stays", "ada@example.com", "ada@example.com"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := hider.Text(test.text); got != test.want {
				t.Errorf("%q became %q, want %q", test.text, got, test.want)
			}
		})
	}
}

// A named value prints as its name.
type named string

func (n named) String() string { return "named " + string(n) }

// A value that is resolved when it is logged.
type lazy string

func (l lazy) LogValue() slog.Value { return slog.GroupValue(slog.String("lazy", string(l))) }

func TestALineIsWrittenWithoutSecrets(t *testing.T) {
	const secret = "correct horse"
	tests := []struct {
		name  string
		value any
		want  string // of the attribute, as JSON
	}{
		{"text", "a " + secret, `"a [hidden]"`},
		{"an error", fmt.Errorf("outer: %w", errors.New(secret)), `"outer: [hidden]"`},
		{"bytes", []byte(secret), `"[hidden]"`},
		{"a Stringer", named(secret), `"named [hidden]"`},
		{"a LogValuer", lazy(secret), `{"lazy":"[hidden]"}`},
		{"JSON", json.RawMessage(`{"key":"` + secret + `"}`), `{"key":"[hidden]"}`},
		{"JSON that is none", json.RawMessage(`{"key":"` + secret), `"{\"key\":\"[hidden]"`},
		{"a group in a group", slog.GroupValue(slog.Group("g", slog.String("k", secret))), `{"g":{"k":"[hidden]"}}`},
		{"a struct", struct{ Key string }{secret}, `"{Key:[hidden]}"`},
		{"a list", []string{secret, "b"}, `"[[hidden] b]"`},
		{"a number that is a key", 12345678, `"[hidden]"`},
		{"any other number", 42, `42`},
		{"a truth", true, `true`},
		{"nothing", nil, `null`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			New(&b, JSON, slog.LevelInfo, NewHider([]string{secret, "12345678"})).Info("line", "value", test.value)
			var line struct{ Value json.RawMessage }
			if err := json.Unmarshal(b.Bytes(), &line); err != nil || string(line.Value) != test.want {
				t.Errorf("wrote %s, want %s", line.Value, test.want)
			}
		})
	}
}

func TestALineSaysWhatItIsAbout(t *testing.T) {
	var b bytes.Buffer
	log := New(&b, Text, slog.LevelDebug, NewHider(nil)).With("platform", "web")
	ctx := With(With(context.Background(), slog.Int64("turn", 42)), slog.String("session", "web/a"))
	log.DebugContext(ctx, "put off", "error", "busy")
	log.Debug("ready")
	want := []string{
		`level=DEBUG msg="put off" platform=web turn=42 session=web/a error=busy`,
		`level=DEBUG msg=ready platform=web`,
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != len(want) {
		t.Fatalf("wrote %q", lines)
	}
	for i, line := range lines {
		if _, rest, _ := strings.Cut(line, " "); rest != want[i] {
			t.Errorf("wrote %q, want %q", rest, want[i])
		}
	}
}

func TestTheLevelCounts(t *testing.T) {
	var b bytes.Buffer
	log := New(&b, Text, slog.LevelWarn, NewHider(nil))
	log.Info("not this")
	log.With("a", 1).WithGroup("g").Warn("this")
	if got := b.String(); strings.Contains(got, "not this") || !strings.Contains(got, "msg=this a=1") {
		t.Errorf("wrote %q", got)
	}
}
