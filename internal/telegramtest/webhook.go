package telegramtest

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A hook is where updates are brought to.
type hook struct {
	url, secret string
	stop        context.CancelFunc
	running     sync.WaitGroup
}

func (s *Server) setWebhook(c *call) (any, *Problem) {
	if !strings.HasPrefix(c.text("url"), "http") {
		return nil, bad("bad webhook: invalid URL")
	}
	if c.has("allowed_updates") {
		c.object("allowed_updates", &s.allowed)
	}
	s.endHook()
	to, secret := c.text("url"), c.text("secret_token")
	s.hook.url, s.hook.secret = to, secret
	ctx, stop := context.WithCancel(context.Background())
	s.hook.stop = stop
	s.hook.running.Go(func() { s.bring(ctx, to, secret) })
	return true, nil
}

func (s *Server) deleteWebhook(*call) (any, *Problem) {
	s.endHook()
	return true, nil
}

func (s *Server) endHook() {
	if s.hook.stop != nil {
		s.hook.stop()
		s.hook.stop = nil
	}
	s.hook.url = ""
}

// stopHook ends it and waits.
func (s *Server) stopHook() {
	s.mu.Lock()
	s.endHook()
	s.mu.Unlock()
	s.hook.running.Wait()
}

// Webhook is where updates are brought to, and the secret that comes with them.
func (s *Server) Webhook() (url, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hook.url, s.hook.secret
}

// bring brings updates one after the other, each until it is accepted.
func (s *Server) bring(ctx context.Context, to, secret string) {
	for ctx.Err() == nil {
		if s.UntilLocked(ctx, &s.mu, func() bool { return len(s.updates) > 0 }) != nil {
			return
		}
		s.mu.Lock()
		next := s.updates[0]
		s.mu.Unlock()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(next.body))
		if err != nil {
			return
		}
		r.Header.Set("Content-Type", "application/json")
		if secret != "" {
			r.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
		}
		answer, err := http.DefaultClient.Do(r)
		ok := err == nil && answer.StatusCode == http.StatusOK
		if err == nil {
			_ = answer.Body.Close()
		}
		if !ok {
			pause := time.NewTimer(10 * time.Millisecond)
			select {
			case <-pause.C:
			case <-ctx.Done():
				pause.Stop()
			}
			continue
		}
		s.mu.Lock()
		s.confirm(next.id + 1)
		s.mu.Unlock()
	}
}
