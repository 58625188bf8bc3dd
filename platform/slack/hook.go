package slack

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	oldestSigned   = 5 * time.Minute
	largestRequest = 1 << 20
)

// Hook takes what Slack sends over HTTP, if there is no Socket Mode.
func (s *Slack) Hook() http.HandlerFunc {
	if !s.hooked() {
		return nil
	}
	return s.serve
}

func (s *Slack) hooked() bool { return s.options.AppToken == "" }

// answer lets requests in until the context ends.
func (r *receiver) answer(ctx context.Context) {
	r.anew(ctx, r.s.now())
	r.s.take(r)
	<-ctx.Done()
	r.s.take(nil)
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	r.hooks.Wait()
}

func (s *Slack) take(r *receiver) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taker = r
}

// enter is the receiver for a request, which it waits for; nil if there is none.
func (s *Slack) enter() *receiver {
	s.mu.Lock()
	r := s.taker
	s.mu.Unlock()
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || r.ctx.Err() != nil {
		return nil
	}
	r.hooks.Add(1)
	return r
}

// serve takes events, commands and buttons over HTTP. It answers 200 only when what came is
// stored; Slack sends everything else again.
func (s *Slack) serve(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, largestRequest))
	switch {
	case err != nil:
		http.Error(w, "the request is too large", http.StatusRequestEntityTooLarge)
		return
	case !s.signed(request, body):
		http.Error(w, "the signature is wrong", http.StatusUnauthorized)
		return
	}
	kind, payload, challenge := unpack(request, body)
	if challenge != "" {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, challenge)
		return
	}
	r := s.enter()
	if r == nil {
		http.Error(w, "Aside is stopping or starting", http.StatusServiceUnavailable)
		return
	}
	defer r.hooks.Done()
	handled, answer := r.await(r.read(kind, payload))
	if !handled {
		http.Error(w, "not stored; send it again", http.StatusServiceUnavailable)
		return
	}
	if answer != nil {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	}
}

// await handles a delivery in the lane of its channel.
func (r *receiver) await(d delivery) (handled bool, answer any) {
	done := make(chan struct{})
	added := r.lanes.add(r.ctx, d.channel, func() {
		defer close(done)
		handled, answer = r.guarded(r.ctx, d)
	})
	if !added {
		return false, nil
	}
	<-done
	return handled, answer
}

// signed tells whether a request is from Slack, and not an old one that somebody sends
// again.
func (s *Slack) signed(r *http.Request, body []byte) bool {
	if s.options.SigningSecret == "" {
		return false
	}
	stamp := r.Header.Get("X-Slack-Request-Timestamp")
	at, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || s.now().Sub(time.Unix(at, 0)).Abs() > oldestSigned {
		return false
	}
	mac := hmac.New(sha256.New, []byte(s.options.SigningSecret))
	fmt.Fprintf(mac, "v0:%s:%s", stamp, body)
	want := "v0=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(want), []byte(r.Header.Get("X-Slack-Signature")))
}

// unpack tells what a request has in it, in the words of Socket Mode. Slack sends events
// as JSON, commands as a form, and buttons as JSON in a form.
func unpack(r *http.Request, body []byte) (kind string, payload []byte, challenge string) {
	as, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if as != "application/x-www-form-urlencoded" {
		var e struct {
			Type      string `json:"type"`
			Challenge string `json:"challenge"`
		}
		if decode(body, &e) == nil && e.Type == "url_verification" {
			return "", nil, e.Challenge
		}
		return "events_api", body, ""
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return "", nil, ""
	}
	if form.Has("payload") {
		return "interactive", []byte(form.Get("payload")), ""
	}
	fields := map[string]string{}
	for name := range form {
		fields[name] = form.Get(name)
	}
	payload, _ = json.Marshal(fields) // texts can be
	return "slash_commands", payload, ""
}
