package openai_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/modeltest"
	"github.com/asidehq/aside/model/openai"
)

func TestRefusals(t *testing.T) {
	says := func(message, code string) string {
		return `{"error":{"message":"Provider says ` + message + ` (` + key + `)","type":"invalid_request_error","param":null,"code":` + code + `}}`
	}
	cases := []struct {
		name   string
		status int
		body   string
		kind   model.Kind
	}{
		{"a bad key", 401, says("Incorrect API key provided: "+key, `"invalid_api_key"`), model.BadKey},
		{"a bad key without a word", 401, "", model.BadKey},
		{"a key that may not", 403, says("You are not allowed", `null`), model.BadKey},
		{"a bad key as a bad request", 400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`, model.BadKey},
		{"no credit", 429, says("You exceeded your current quota", `"insufficient_quota"`), model.BadKey},
		{"no balance", 402, says("Insufficient Balance", `"invalid_request_error"`), model.BadKey},

		{"an unknown model", 404, says("The model `x` does not exist", `"model_not_found"`), model.UnknownModel},
		{"an unknown model at Ollama", 404, `{"error":"model \"small-1\" not found, try pulling it first"}`, model.UnknownModel},
		{"an unknown model that may not be used", 403, says("Project has no access to model", `"model_not_found"`), model.UnknownModel},
		{"an unknown model as a bad request", 400, `{"object":"error","message":"Invalid model: small-1","type":"invalid_model","code":"1500"}`, model.UnknownModel},
		{"an unknown model id", 400, says("small-1 is not a valid model ID", `400`), model.UnknownModel},
		{"a page that does not exist", 404, "<html>404 not found</html>", model.UnknownModel},

		{"too long", 400, says("This request is too much", `"context_length_exceeded"`), model.TooLong},
		{"too long for vLLM", 400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens","type":"BadRequestError","code":400}`, model.TooLong},
		{"too long for vLLM's decoder", 400, `{"error":{"message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096."}}`, model.TooLong},
		{"too long for llama.cpp", 400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, model.TooLong},
		{"too long for llama.cpp of old", 500, `{"error":{"code":500,"message":"context size exceeded","type":"server_error"}}`, model.TooLong},
		{"too long for LM Studio", 400, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length."}`, model.TooLong},
		{"too long for Mistral", 400, `{"object":"error","message":"Prompt contains 40000 tokens, too large for model with 32768 maximum context length"}`, model.TooLong},
		{"too long for text generation inference", 422, "{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096\"}", model.TooLong},
		{"too long for Gemini", 400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}}]`, model.TooLong},
		{"too long for Anthropic", 400, `{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, model.TooLong},
		{"too long for xAI", 400, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}`, model.TooLong},
		{"too long for the wire", 413, "Payload Too Large", model.TooLong},

		{"a bad request", 400, says("temperature must be a number", `null`), model.BadRequest},
		{"a bad request that repeats the person's words", 422, `{"detail":[{"msg":"value is not a valid list","input":"what is a context length, and is model_not_found an error?"}]}`, model.BadRequest},
		{"HTTP to an HTTPS server", 400, "Client sent an HTTP request to an HTTPS server.", model.BadRequest},

		{"a rate limit", 429, says("Rate limit reached", `"rate_limit_exceeded"`), model.Busy},
		{"a rate limit on tokens", 429, says("Request too large: reduce the length of the messages", `"rate_limit_exceeded"`), model.Busy},
		{"a server error", 500, says("The server had an error", `null`), model.Unavailable},
		{"a bad gateway with a page", 502, "<html><h1>502 Bad Gateway</h1></html>", model.Unavailable},
		{"unavailable without a word", 503, "", model.Unavailable},
		{"a gateway timeout", 504, "upstream request timeout", model.Unavailable},
		{"overloaded", 529, says("Overloaded", `"overloaded_error"`), model.Unavailable},
		{"a request timeout", 408, "", model.Unavailable},
		{"JSON that is cut off", 500, `{"error":{"message":"The ser`, model.Unavailable},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			requests := 0
			m := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				requests++
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			})
			a := modeltest.Read(t, m.Stream(t.Context(), hello))
			if a.Err == nil || a.Err.Kind != c.kind || a.Text != "" {
				t.Fatalf("got %v, want %s", a, c.kind)
			}
			if requests != 1 {
				t.Errorf("%d requests: the SDK must not try again", requests)
			}
			modeltest.ForAPerson(t, a.Err)
		})
	}
}

func TestTheLogSaysWhatTheProviderSaid(t *testing.T) {
	m := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":{"message":"Incorrect API key provided: `+key+`.","type":"auth","code":"invalid_api_key"}}`)
	})
	a := modeltest.Read(t, m.Stream(t.Context(), hello))
	const want = "401 Unauthorized: Incorrect API key provided: [key].; invalid_api_key; auth"
	if a.Err == nil || a.Err.Cause.Error() != want {
		t.Errorf("got %v, want the cause %q", a, want)
	}
	if a.Err.Message != "The model's provider does not accept the key. Check api_key." {
		t.Errorf("a person reads %q", a.Err.Message)
	}
}

func TestHowLongTheServerAsksToWait(t *testing.T) {
	date := func(d time.Duration) string {
		return time.Now().Add(d).UTC().Format(http.TimeFormat)
	}
	cases := []struct {
		name        string
		status      int
		header      http.Header
		least, most time.Duration
	}{
		{"not at all", 429, http.Header{}, 0, 0},
		{"in seconds", 429, http.Header{"Retry-After": {"7"}}, 7 * time.Second, 7 * time.Second},
		{"in parts of a second", 429, http.Header{"Retry-After": {"0.25"}}, 250 * time.Millisecond, 250 * time.Millisecond},
		{"in milliseconds, which are more exact", 429, http.Header{"Retry-After": {"1"}, "Retry-After-Ms": {"350"}}, 350 * time.Millisecond, 350 * time.Millisecond},
		{"until a date", 429, http.Header{"Retry-After": {date(time.Minute)}}, 58 * time.Second, 61 * time.Second},
		{"until a date by its own clock", 429, http.Header{"Retry-After": {"Fri, 01 Jan 2021 00:00:30 GMT"}, "Date": {"Fri, 01 Jan 2021 00:00:00 GMT"}}, 30 * time.Second, 30 * time.Second},
		{"until a date that is past", 429, http.Header{"Retry-After": {date(-time.Minute)}}, 0, 0},
		{"for ever", 429, http.Header{"Retry-After": {"99999999999999999999"}}, 24 * time.Hour, 24 * time.Hour},
		{"a negative time", 429, http.Header{"Retry-After": {"-5"}}, 0, 0},
		{"in words", 429, http.Header{"Retry-After": {"soon"}}, 0, 0},
		{"while it is down", 503, http.Header{"Retry-After": {"7"}}, 7 * time.Second, 7 * time.Second},
		{"which does not help a bad key", 401, http.Header{"Retry-After": {"7"}}, 0, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				for name, values := range c.header {
					w.Header()[name] = values
				}
				w.WriteHeader(c.status)
			})
			a := modeltest.Read(t, m.Stream(t.Context(), hello))
			if a.Err == nil || a.Err.Wait < c.least || a.Err.Wait > c.most {
				t.Errorf("got %v, wait %v; want %v to %v", a, a.Err.Wait, c.least, c.most)
			}
		})
	}
}

func TestAServerThatCannotBeReached(t *testing.T) {
	refusing, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refusing.Close()

	closing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { modeltest.Cut(w) }))
	t.Cleanup(closing.Close)
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = quiet()
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)

	// The real resolver, with no name server to ask.
	nameless := &http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{
		Resolver: &net.Resolver{PreferGo: true, Dial: noNameServer},
	}).DialContext}}

	cases := []struct {
		name    string
		url     string
		client  *http.Client
		kind    model.Kind
		message string
	}{
		{"nobody listens", "http://" + refusing.Addr().String(), nil, model.Unavailable, "nothing answers"},
		{"the name is not known", "http://models.invalid/v1", nameless, model.Unavailable, "address is not known"},
		{"the certificate is not trusted", untrusted.URL, nil, model.Unavailable, "certificate"},
		{"the server does not speak TLS", strings.Replace(closing.URL, "http", "https", 1), nil, model.Unavailable, "TLS"},
		{"the connection is closed without a word", closing.URL, nil, model.Unavailable, "cannot be reached"},
		{"the address has no scheme", "models.example", nil, model.BadRequest, "base_url"},
		{"the address has another scheme", "ftp://models.example/v1", nil, model.BadRequest, "base_url"},
		{"the address is none", "http://[::1", nil, model.BadRequest, "base_url"},
		{"the key is in the address", "http://" + refusing.Addr().String() + "/" + key + "/v1", nil, model.Unavailable, "nothing answers"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := openai.New(openai.Config{BaseURL: c.url, Key: key, Model: "small-1", Client: c.client})
			a := modeltest.Read(t, m.Stream(t.Context(), hello))
			if a.Err == nil || a.Err.Kind != c.kind || !strings.Contains(a.Err.Message, c.message) {
				t.Fatalf("got %v, want %s and %q", a, c.kind, c.message)
			}
			modeltest.ForAPerson(t, a.Err)
		})
	}
}
