package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/modeltest"
	"github.com/asidehq/aside/model/openai"
)

func TestStreams(t *testing.T) {
	huge := strings.Repeat("a long way to go, ", 1<<20/18)
	euro := event("5 €") // 0xE2 0x82 0xAC
	at := strings.Index(euro, "€") + 1

	cases := []struct {
		name    string
		packets []string
		text    string
		end     model.End
		usage   model.Usage
	}{
		{"a reply in parts", []string{role, event("Hel"), event("lo"), finish("stop"), usage, bye}, "Hello", model.Done, model.Usage{Input: 11, Output: 7}},
		{"a reply in one packet", []string{role + event("Hel") + event("lo") + finish("stop") + usage + bye}, "Hello", model.Done, model.Usage{Input: 11, Output: 7}},
		{"the length is reached", []string{event("Hel"), finish("length"), bye}, "Hel", model.Length, model.Usage{}},
		{"Mistral's word for it", []string{event("Hel"), finish("model_length"), bye}, "Hel", model.Length, model.Usage{}},
		{"the provider cuts the reply", []string{event("Hel"), finish("content_filter"), bye}, "Hel", model.Filtered, model.Usage{}},
		{"a reason nobody has heard of", []string{event("Hi"), finish("eos_token"), bye}, "Hi", model.Done, model.Usage{}},
		{"an empty reply is a reply", []string{role, finish("stop"), bye}, "", model.Done, model.Usage{}},
		{"a refusal is an answer", []string{`data: {"choices":[{"index":0,"delta":{"refusal":"I cannot."}}]}` + "\n\n", finish("stop"), bye}, "I cannot.", model.Done, model.Usage{}},
		{"no [DONE] after a reason", []string{event("Hi"), finish("stop")}, "Hi", model.Done, model.Usage{}},
		{"no reason before [DONE]", []string{event("Hi"), bye}, "Hi", model.Done, model.Usage{}},
		{"usage beside the reason", []string{event("Hi"), `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}` + "\n\n", bye}, "Hi", model.Done, model.Usage{Input: 3, Output: 1}},
		{"text beside the reason", []string{`data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}` + "\n\n", bye}, "Hi", model.Done, model.Usage{}},
		{"keep-alive comments", []string{": PROCESSING\n\n", ": PROCESSING\n\n", event("Hi"), ":\n\n", finish("stop"), bye}, "Hi", model.Done, model.Usage{}},
		{"data: without a space", []string{strings.ReplaceAll(event("Hi")+finish("stop")+bye, "data: ", "data:")}, "Hi", model.Done, model.Usage{}},
		{"lines that end in CR LF", []string{strings.ReplaceAll(event("Hi")+finish("stop")+bye, "\n", "\r\n")}, "Hi", model.Done, model.Usage{}},
		{"events with a name and an id", []string{"event: message\nid: 1\n" + event("Hi") + finish("stop") + bye}, "Hi", model.Done, model.Usage{}},
		{"an empty event", []string{"data:\n\n", event("Hi"), finish("stop"), bye}, "Hi", model.Done, model.Usage{}},
		{"a first chunk without choices", []string{`data: {"choices":[],"prompt_filter_results":[]}` + "\n\n", event("Hi"), finish("stop"), bye}, "Hi", model.Done, model.Usage{}},
		{"an error that is null", []string{`data: {"error":null,"choices":[{"index":0,"delta":{"content":"Hi"}}]}` + "\n\n", finish("stop"), bye}, "Hi", model.Done, model.Usage{}},
		{"text that talks of an error", []string{event(`say "error" to the "error": handler`), finish("stop"), bye}, `say "error" to the "error": handler`, model.Done, model.Usage{}},
		{"a second choice is not ours", []string{`data: {"choices":[{"index":0,"delta":{"content":"Hi"}},{"index":1,"delta":{"content":"Ho"},"finish_reason":"length"}]}` + "\n\n", finish("stop"), bye}, "Hi", model.Done, model.Usage{}},
		{"reasoning beside the text is left out", []string{`data: {"choices":[{"index":0,"delta":{"reasoning_content":"Hm."}}]}` + "\n\n", event("Hi"), finish("stop"), bye}, "Hi", model.Done, model.Usage{}},
		{"a rune split between packets", []string{euro[:at], euro[at:], finish("stop"), bye}, "5 €", model.Done, model.Usage{}},
		{"a rune split between events", []string{event("5 \xe2\x82"), event("\xac"), finish("stop"), bye}, "5 €", model.Done, model.Usage{}},
		{"packets of one byte", strings.Split(event("Grüße 👋")+finish("stop")+bye, ""), "Grüße 👋", model.Done, model.Usage{}},
		{"a delta of a megabyte", []string{event(huge), finish("stop"), bye}, huge, model.Done, model.Usage{}},
		{"a quote, a newline and an escape", []string{event("\"a\"\n\\n"), finish("stop"), bye}, "\"a\"\n\\n", model.Done, model.Usage{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := serve(t, func(w http.ResponseWriter, _ *http.Request) { modeltest.Send(w, c.packets...) })
			a := modeltest.Read(t, m.Stream(t.Context(), hello))
			if a.Text != c.text || a.End != c.end || a.Usage != c.usage || a.Err != nil {
				t.Errorf("got %v", a)
			}
		})
	}
}

func TestStreamsThatAreNone(t *testing.T) {
	const midway = `data: {"error":{"message":"Provider says no to ` + key + `","code":`
	cases := []struct {
		name    string
		packets []string
		text    string
		kind    model.Kind
	}{
		{"it ends without a reason", []string{role, event("Hel")}, "Hel", model.Broken},
		{"it ends inside an event", []string{event("Hel"), event("lo")[:40]}, "Hel", model.Broken},
		{"it is empty", []string{""}, "", model.Broken},
		{"a chunk is no JSON", []string{event("Hel"), "data: {\"choices\":[{\"ind\n\n", event("lo"), bye}, "Hel", model.Broken},
		{"a chunk is garbage", []string{event("Hel"), "data: \x00\xff\xfe garbage\n\n", bye}, "Hel", model.Broken},
		{"choices are always empty", []string{`data: {"choices":[]}` + "\n\n", `data: {"choices":[]}` + "\n\n", bye}, "", model.Broken},
		{"only [DONE]", []string{bye}, "", model.Broken},
		{"the reason is an error", []string{event("Hel"), finish("error"), bye}, "Hel", model.Broken},
		{"the reason is lack of resources", []string{event("Hel"), finish("insufficient_system_resource"), bye}, "Hel", model.Unavailable},
		{"an error half-way", []string{event("Hel"), midway + "null}}\n\n"}, "Hel", model.Broken},
		{"an error half-way with a status", []string{event("Hel"), midway + "502}}\n\n"}, "Hel", model.Unavailable},
		{"a rate limit half-way", []string{event("Hel"), midway + "429}}\n\n"}, "Hel", model.Busy},
		{"a rate limit by name", []string{midway + "\"rate_limit_exceeded\"}}\n\n"}, "", model.Busy},
		{"a server error by type", []string{"event: error\n" + `data: {"error":{"message":"Oops","type":"server_error"}}` + "\n\n"}, "", model.Unavailable},
		{"too long by code", []string{midway + "\"context_length_exceeded\"}}\n\n"}, "", model.TooLong},
		{"an error that is a string", []string{`data: {"error":"model not found"}` + "\n\n"}, "", model.UnknownModel},
		{"an error that says nothing", []string{`data: {"error":{}}` + "\n\n"}, "", model.Broken},
		{"an object with an error instead", []string{`{"error":{"message":"slow down","code":429}}`}, "", model.Busy},
		{"an object instead", []string{`{"object":"chat.completion","choices":[{"message":{"content":"Hi"}}]}`}, "", model.Broken},
		{"a web page instead", []string{"\n<!doctype html><title>Welcome</title>"}, "", model.Broken},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := serve(t, func(w http.ResponseWriter, _ *http.Request) { modeltest.Send(w, c.packets...) })
			a := modeltest.Read(t, m.Stream(t.Context(), hello))
			if a.Err == nil || a.Err.Kind != c.kind || a.Text != c.text {
				t.Fatalf("got %v, want %q and %s", a, c.text, c.kind)
			}
			modeltest.ForAPerson(t, a.Err)
		})
	}
}

func TestAServerThatSaysNoMoreAfterTheReasonIsNotWaitedFor(t *testing.T) {
	closed := make(chan struct{})
	m := serve(t, modeltest.Hang(closed, event("Hello"), finish("stop")))
	openai.WaitAfterEnd(m, 10*time.Millisecond)
	if a := modeltest.Read(t, m.Stream(t.Context(), hello)); a.Err != nil || a.Text != "Hello" || a.End != model.Done {
		t.Errorf("got %v", a)
	}
	modeltest.Seen(t, closed)
}

func TestRequests(t *testing.T) {
	type messages = []model.Message
	cases := []struct {
		name   string
		config openai.Config
		r      model.Request
		want   string
	}{
		{
			"one message",
			openai.Config{Model: "small-1"},
			hello,
			`{"messages":[{"content":"Hello","role":"user"}],"model":"small-1","stream_options":{"include_usage":true},"stream":true}`,
		},
		{
			"a conversation under a system prompt",
			openai.Config{Model: "small-1", MaxTokens: 99},
			model.Request{System: "Be brief.", Messages: messages{{Role: model.User, Text: "a<b"}, {Role: model.Assistant, Text: "b"}, {Role: model.User, Text: "c"}}},
			`{"messages":[{"content":"Be brief.","role":"system"},{"content":"a<b","role":"user"},{"content":"b","role":"assistant"},{"content":"c","role":"user"}],"model":"small-1","max_tokens":99,"stream_options":{"include_usage":true},"stream":true}`,
		},
		{
			"an image with a question",
			openai.Config{Model: "small-1"},
			model.Request{Messages: messages{{Role: model.User, Text: "What is it?", Images: []model.Image{{Type: "image/png", Data: []byte{1, 2, 3}}}}}},
			`{"messages":[{"content":[{"text":"What is it?","type":"text"},{"image_url":{"url":"data:image/png;base64,AQID"},"type":"image_url"}],"role":"user"}],"model":"small-1","stream_options":{"include_usage":true},"stream":true}`,
		},
		{
			"images alone",
			openai.Config{Model: "small-1"},
			model.Request{Messages: messages{{Role: model.User, Images: []model.Image{{Type: "image/png"}, {Type: "image/gif"}}}}},
			`{"messages":[{"content":[{"image_url":{"url":"data:image/png;base64,"},"type":"image_url"},{"image_url":{"url":"data:image/gif;base64,"},"type":"image_url"}],"role":"user"}],"model":"small-1","stream_options":{"include_usage":true},"stream":true}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var body, path string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				data, _ := io.ReadAll(r.Body)
				body, path = string(data), r.Method+" "+r.URL.Path
				modeltest.Send(w, event("Hi"), finish("stop"), bye)
			}))
			defer server.Close()
			c.config.BaseURL = server.URL + "/v1"
			modeltest.Read(t, openai.New(c.config).Stream(t.Context(), c.r))
			if path != "POST /v1/chat/completions" || !sameJSON(body, c.want) {
				t.Errorf("%s\n got %s\nwant %s", path, body, c.want)
			}
		})
	}
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	first, _ := json.Marshal(x)
	second, _ := json.Marshal(y)
	return string(first) == string(second)
}

func TestAParameterTheServerDoesNotKnowIsLeftOutFromThenOn(t *testing.T) {
	cases := []struct {
		name     string
		refuses  string // a request with this in it
		with     string
		requests int
	}{
		{"stream_options", `"stream_options"`, `{"error":{"message":"Unknown parameter: stream_options"}}`, 3},
		{"stream_options, the FastAPI way", `"stream_options"`, `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"include_usage":true}}]}`, 3},
		{"max_tokens", `"max_tokens"`, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","code":"unsupported_parameter"}}`, 3},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			requests := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests++
				if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), c.refuses) {
					w.WriteHeader(http.StatusBadRequest)
					io.WriteString(w, c.with)
					return
				}
				modeltest.Send(w, event("Hi"), finish("stop"), bye)
			}))
			defer server.Close()
			m := openai.New(openai.Config{BaseURL: server.URL, Model: "m", MaxTokens: 5})
			for range 2 {
				if a := modeltest.Read(t, m.Stream(t.Context(), hello)); a.Err != nil || a.Text != "Hi" {
					t.Errorf("got %v", a)
				}
			}
			if requests != c.requests {
				t.Errorf("%d requests, want %d", requests, c.requests)
			}
		})
	}
}

func TestAServerThatRefusesEverythingIsNotAskedForEver(t *testing.T) {
	requests := 0
	m := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"error":{"message":"unsupported: stream_options, max_completion_tokens"}}`)
	})
	if a := modeltest.Read(t, m.Stream(t.Context(), hello)); a.Err == nil || a.Err.Kind != model.BadRequest || requests > 3 {
		t.Errorf("got %v after %d requests", a, requests)
	}
}
