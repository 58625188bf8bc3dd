package anthropic_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/anthropic"
)

// told is the text and the end of a stream, or the error.
func told(t *testing.T, m model.Model, r model.Request) string {
	t.Helper()
	var b strings.Builder
	for d, err := range m.Stream(t.Context(), r) {
		if err != nil {
			return b.String() + "[" + err.Error() + "]"
		}
		b.WriteString(d.Text)
		if d.End != "" {
			b.WriteString("[" + string(d.End) + "]")
		}
	}
	return b.String()
}

var hello = model.Request{Messages: []model.Message{{Role: model.User, Text: "Hello"}}}

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func TestRequests(t *testing.T) {
	const limit = `"max_tokens":16000,"model":"small-1","stream":true}`
	cases := []struct {
		name string
		r    model.Request
		want string
	}{
		{"one message", hello, `{"messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}],` + limit},
		{
			"a conversation under a system prompt",
			model.Request{System: "Be brief.", Messages: []model.Message{{Role: model.User, Text: "a"}, {Role: model.Assistant, Text: "b"}, {Role: model.User, Text: "c"}}},
			`{"system":[{"type":"text","text":"Be brief."}],"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"assistant","content":[{"type":"text","text":"b"}]},{"role":"user","content":[{"type":"text","text":"c"}]}],` + limit,
		},
		{
			"an image with a question",
			model.Request{Messages: []model.Message{{Role: model.User, Text: "What is it?", Images: []model.Image{{Type: "image/png", Data: []byte{1, 2, 3}}}}}},
			`{"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AQID"}},{"type":"text","text":"What is it?"}]}],` + limit,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var body, path string
			address := serve(t, func(w http.ResponseWriter, r *http.Request) {
				data, _ := io.ReadAll(r.Body)
				body, path = string(data), r.Method+" "+r.URL.Path
				io.WriteString(w, begin+end("end_turn"))
			})
			// The /v1 that other addresses end in does no harm.
			told(t, anthropic.New(anthropic.Config{BaseURL: address + "/v1/", Model: "small-1"}), c.r)
			var got, want any
			if json.Unmarshal([]byte(body), &got) != nil || json.Unmarshal([]byte(c.want), &want) != nil || !reflect.DeepEqual(got, want) || path != "POST /v1/messages" {
				t.Errorf("%s\n got %s\nwant %s", path, body, c.want)
			}
		})
	}
}

func TestHowMuchTheModelCanWriteIsLearned(t *testing.T) {
	var asked []float64
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		json.NewDecoder(r.Body).Decode(&body)
		asked = append(asked, body["max_tokens"].(float64))
		if asked[len(asked)-1] > 4096 {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, says("invalid_request_error", "max_tokens: 16000 > 4096, which is the maximum allowed number of output tokens for small-1"))
			return
		}
		io.WriteString(w, begin+text("Hi")+end("end_turn"))
	})
	m := anthropic.New(anthropic.Config{BaseURL: address, Model: "small-1"})
	for range 2 {
		if got := told(t, m, hello); got != "Hi[done]" {
			t.Errorf("got %q", got)
		}
	}
	if want := []float64{16000, 4096, 4096}; !reflect.DeepEqual(asked, want) {
		t.Errorf("asked for %v, want %v", asked, want)
	}
}

func TestAServerThatRefusesEveryNumberIsNotAskedForEver(t *testing.T) {
	requests := 0
	address := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, says("invalid_request_error", "max_tokens: 9 > 5"))
	})
	told(t, anthropic.New(anthropic.Config{BaseURL: address, Model: "small-1"}), hello)
	if requests != 2 {
		t.Errorf("%d requests", requests)
	}
}

func TestStreams(t *testing.T) {
	const thinking = `data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}` + "\n\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}` + "\n\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}` + "\n\n" +
		`data: {"type":"content_block_stop","index":0}` + "\n\n"
	cases := []struct{ name, stream, want string }{
		{"thinking is left out", begin + thinking + text("Hi") + end("end_turn"), "Hi[done]"},
		{"an event nobody has heard of is passed over", begin + `data: {"type":"weather","delta":{"text":5}}` + "\n\n" + text("Hi") + end("end_turn"), "Hi[done]"},
		{"a stop sequence is an end", begin + text("Hi") + end("stop_sequence"), "Hi[done]"},
		{"the whole context is used up", begin + text("Hi") + end("model_context_window_exceeded"), "Hi[length]"},
		{"a reason is enough", begin + text("Hi") + strings.TrimSuffix(end("end_turn"), stop), "Hi[done]"},
		{"a stop without a reason is enough", begin + text("Hi") + stop, "Hi[done]"},
		{"a stop without anything is not", begin + stop, "[The model has answered nothing.]"},
		{"no credit", "event: error\ndata: " + says("billing_error", "Your credit balance is too low") + "\n\n", "[The account with the model's provider has no credit left.]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			address := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, c.stream) })
			if got := told(t, anthropic.New(anthropic.Config{BaseURL: address, Model: "small-1"}), hello); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
