package slacktest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// A hook is an address that events are sent to in place of Socket Mode, one after the
// other, and some times more if the app does not take them.
type hook struct {
	to      string
	deliver chan func()
	ctx     context.Context
	work    sync.WaitGroup
}

// Hook sends events to an address from now on.
func (s *Server) Hook(to string) {
	ctx, stop := context.WithCancel(context.Background())
	h := &hook{to: to, deliver: make(chan func(), 1000), ctx: ctx}
	h.work.Go(func() {
		for {
			select {
			case do := <-h.deliver:
				do()
			case <-ctx.Done():
				return
			}
		}
	})
	s.t.Cleanup(func() {
		stop()
		h.work.Wait()
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = h
}

func (h *hook) add(s *Server, kind string, payload map[string]any, retry int, e *envelope) {
	packed, _ := json.Marshal(payload)
	body, as := packed, "application/json"
	switch kind {
	case "slash_commands":
		form := url.Values{}
		for name, v := range payload {
			form.Set(name, fmt.Sprint(v))
		}
		body, as = []byte(form.Encode()), "application/x-www-form-urlencoded"
	case "interactive":
		body, as = []byte(url.Values{"payload": {string(packed)}}.Encode()), "application/x-www-form-urlencoded"
	}
	h.deliver <- func() {
		for try := range hookTries {
			if h.try(s, body, as, retry+try, e) {
				return
			}
			select {
			case <-time.After(hookPause << try): // Slack waits for longer
			case <-h.ctx.Done():
				return
			}
		}
	}
}

const (
	hookTries = 6
	hookPause = 20 * time.Millisecond
)

// try sends a request, and tells whether the app has taken it.
func (h *hook) try(s *Server, body []byte, as string, retry int, e *envelope) bool {
	r, _ := http.NewRequestWithContext(h.ctx, http.MethodPost, h.to, bytes.NewReader(body))
	r.Header.Set("Content-Type", as)
	Sign(r, SigningSecret, body, time.Now())
	if retry > 0 {
		r.Header.Set("X-Slack-Retry-Num", fmt.Sprint(retry))
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	said, _ := io.ReadAll(response.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.Happened()
	if response.StatusCode != http.StatusOK {
		return false
	}
	e.acks++
	e.answer = said
	close(e.acked)
	return true
}

// Sign signs a request as Slack does.
func Sign(r *http.Request, secret string, body []byte, at time.Time) {
	stamp := fmt.Sprint(at.Unix())
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "v0:%s:%s", stamp, body)
	r.Header.Set("X-Slack-Request-Timestamp", stamp)
	r.Header.Set("X-Slack-Signature", "v0="+hex.EncodeToString(mac.Sum(nil)))
}
