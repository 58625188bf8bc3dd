package gemini_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/gemini"
)

// told is the text and the end of a stream, and the error.
func told(t *testing.T, m model.Model, r model.Request) (string, *model.Error) {
	t.Helper()
	var b strings.Builder
	var e *model.Error
	for d, err := range m.Stream(t.Context(), r) {
		b.WriteString(d.Text)
		if d.End != "" {
			b.WriteString("[" + string(d.End) + "]")
		}
		if errors.As(err, &e) {
			b.WriteString("[" + string(e.Kind) + "]")
		}
	}
	return b.String(), e
}

var hello = model.Request{Messages: []model.Message{{Role: model.User, Text: "Hello"}}}

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func TestRequests(t *testing.T) {
	cases := []struct {
		name   string
		config gemini.Config
		r      model.Request
		want   string
	}{
		{"one message", gemini.Config{}, hello, `{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}`},
		{
			"a conversation under a system prompt",
			gemini.Config{MaxTokens: 99},
			model.Request{System: "Be brief.", Messages: []model.Message{{Role: model.User, Text: "a"}, {Role: model.Assistant, Text: "b"}, {Role: model.User, Text: "c"}}},
			`{"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"}]},{"role":"user","parts":[{"text":"c"}]}],"generationConfig":{"maxOutputTokens":99}}`,
		},
		{
			"an image with a question",
			gemini.Config{},
			model.Request{Messages: []model.Message{{Role: model.User, Text: "What is it?", Images: []model.Image{{Type: "image/png", Data: []byte{1, 2, 3}}}}}},
			`{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"AQID"}},{"text":"What is it?"}]}]}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var body, path string
			address := serve(t, func(w http.ResponseWriter, r *http.Request) {
				data, _ := io.ReadAll(r.Body)
				body, path = string(data), r.Method+" "+r.URL.String()
				io.WriteString(w, end("STOP"))
			})
			// What Google writes behind its address and before the name does no harm.
			c.config.BaseURL, c.config.Model = address+"/v1beta/", "models/small-1"
			told(t, gemini.New(c.config), c.r)
			var got, want any
			if json.Unmarshal([]byte(body), &got) != nil || json.Unmarshal([]byte(c.want), &want) != nil || !reflect.DeepEqual(got, want) ||
				path != "POST /v1beta/models/small-1:streamGenerateContent?alt=sse" {
				t.Errorf("%s\n got %s\nwant %s", path, body, c.want)
			}
		})
	}
}

func TestStreams(t *testing.T) {
	cases := []struct{ name, stream, want string }{
		{"thoughts are left out", `data: {"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true},{"text":"Hi"}]}}]}` + "\n\n" + end("STOP"), "Hi[done]"},
		{"text beside the reason", `data: {"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}` + "\n\n", "Hi[done]"},
		{"a prompt that is not answered", `data: {"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":4}}` + "\n\n", "[filtered]"},
		{"a reply that repeats what is not free", text("Hi") + end("RECITATION"), "Hi[filtered]"},
		{"a reply that went wrong", text("Hi") + end("OTHER"), "Hi[broken]"},
		{"a reason nobody has heard of", text("Hi") + end("BORED"), "Hi[done]"},
		{"only the first candidate counts", `data: {"candidates":[{"content":{"parts":[{"text":"Hi"}]}},{"content":{"parts":[{"text":"Ho"}]},"finishReason":"SAFETY"}]}` + "\n\n" + end("STOP"), "Hi[done]"},
		{"a list with an error instead", `[{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}]`, "[broken]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			address := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, c.stream) })
			if got, e := told(t, gemini.New(gemini.Config{BaseURL: address, Model: "small-1"}), hello); got != c.want {
				t.Errorf("got %q (%v), want %q", got, e, c.want)
			}
		})
	}
}

// Google says how long to wait among the words and not in the header.
func TestHowLongToWaitIsReadFromTheWords(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTooManyRequests)
		io.WriteString(w, `{"error":{"code":429,"message":"You exceeded your current quota.\n* Please retry in 34.5s","status":"RESOURCE_EXHAUSTED","details":[
			{"@type":"type.googleapis.com/google.rpc.Help","links":[{"description":"more","url":"https://ai.google.dev"}]},
			{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}`)
	})
	if got, e := told(t, gemini.New(gemini.Config{BaseURL: address, Model: "small-1"}), hello); got != "[busy]" || e.Wait != 34*time.Second {
		t.Errorf("got %s, wait %v", got, e)
	}
}

func TestARedirectionIsFollowed(t *testing.T) {
	target := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text("Hi")+end("STOP")) })
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, target+r.URL.Path, http.StatusTemporaryRedirect)
	})
	if got, e := told(t, gemini.New(gemini.Config{BaseURL: address, Model: "small-1"}), hello); got != "Hi[done]" {
		t.Errorf("got %s (%v)", got, e)
	}
}
