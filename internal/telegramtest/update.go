package telegramtest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// An update is something that the bot is to hear of.
type update struct {
	id   int
	body json.RawMessage
	of   *Message // that it tells of, or nil
	done chan struct{}
}

// A poller is a client that waits for updates.
type poller struct {
	waiting bool
	ended   chan struct{}
	cut     bool // without an answer
}

// usual are what a bot hears of if it does not say.
var unusual = []string{"message_reaction", "message_reaction_count", "chat_member"}

// push puts something into the queue, if the bot wants to hear of it.
func (s *Server) push(kind string, body map[string]any, of *Message) {
	if len(s.allowed) == 0 && slices.Contains(unusual, kind) || len(s.allowed) > 0 && !slices.Contains(s.allowed, kind) {
		s.Happened()
		return
	}
	s.lastUpdate++
	raw, err := json.Marshal(map[string]any{"update_id": s.lastUpdate, kind: body})
	if err != nil {
		s.t.Fatalf("telegramtest: %v", err)
	}
	s.queue(raw, of)
}

func (s *Server) queue(raw json.RawMessage, of *Message) {
	s.updates = append(s.updates, &update{id: s.lastUpdate, body: raw, of: of, done: make(chan struct{})})
	s.Happened()
}

// tell tells of a message.
func (s *Server) tell(c *Chat, m *Message) { s.push("message", s.message(c, m), m) }

// Push sends an update as it is; %d stands for its number.
func (s *Server) Push(make func(id int) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastUpdate++
	s.queue(json.RawMessage(make(s.lastUpdate)), nil)
}

// Received is closed when the bot has confirmed that it has received a message.
func (s *Server) Received(c *Chat, id string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.updates {
		if u.of != nil && u.of.IDText() == id && c.find(u.of.ID) == u.of {
			return u.done
		}
	}
	gone := make(chan struct{})
	close(gone)
	return gone
}

// Pending is how many updates are not confirmed.
func (s *Server) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.updates)
}

// Polls are how often updates were asked for.
func (s *Server) Polls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.polls
}

// Connected waits until a client waits for updates, or Telegram has an address to bring
// them to.
func (s *Server) Connected(ctx context.Context) error {
	return s.UntilLocked(ctx, &s.mu, func() bool { return s.poller != nil && s.poller.waiting || s.hook.url != "" })
}

// Drop cuts the connection of whoever waits for updates.
func (s *Server) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.poller != nil {
		s.poller.cut = true
		close(s.poller.ended)
		s.poller = nil
	}
	s.Happened()
}

func (s *Server) getUpdates(c *call) (any, *Problem) {
	if s.hook.url != "" {
		return nil, &Problem{http.StatusConflict, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first", nil}
	}
	if s.poller != nil { // the newer one wins
		close(s.poller.ended)
	}
	me := &poller{ended: make(chan struct{})}
	s.poller = me
	s.polls++
	if c.has("allowed_updates") {
		c.object("allowed_updates", &s.allowed)
	}
	if offset := c.number("offset"); offset > 0 {
		s.confirm(offset)
	}
	limit := c.number("limit")
	if limit <= 0 || limit > 100 {
		limit = 100
	}
	timer := time.NewTimer(time.Duration(c.number("timeout")) * time.Second)
	defer timer.Stop()
	for {
		if len(s.updates) > 0 || c.number("timeout") == 0 {
			s.leave(me)
			var batch []json.RawMessage
			for _, u := range s.updates[:min(limit, len(s.updates))] {
				batch = append(batch, u.body)
			}
			if batch == nil {
				batch = []json.RawMessage{}
			}
			return batch, nil
		}
		if !me.waiting {
			me.waiting = true
			s.Happened()
		}
		changed := s.Changed()
		s.mu.Unlock()
		over := false
		select {
		case <-changed:
		case <-timer.C:
			over = true
		case <-c.r.Context().Done():
			over = true
		case <-me.ended:
		}
		s.mu.Lock()
		select {
		case <-me.ended:
			if me.cut {
				return nil, cut
			}
			return nil, &Problem{http.StatusConflict, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running", nil}
		default:
		}
		if c.r.Context().Err() != nil {
			s.leave(me)
			return nil, cut
		}
		if over && len(s.updates) == 0 {
			s.leave(me)
			return []any{}, nil
		}
	}
}

func (s *Server) leave(p *poller) {
	if s.poller == p {
		s.poller = nil
	}
	s.Happened()
}

// confirm forgets all updates before one.
func (s *Server) confirm(offset int) {
	for len(s.updates) > 0 && s.updates[0].id < offset {
		close(s.updates[0].done)
		s.updates = s.updates[1:]
	}
	s.confirmed = max(s.confirmed, offset-1)
	s.Happened()
}
