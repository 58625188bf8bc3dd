package slacktest

import (
	"context"
	"fmt"
	"time"
)

// Command uses a slash command; answered gives what the app answers.
func (s *Server) Command(u *User, c *Channel, command, text string) (id string, answered func(ctx context.Context) (string, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	trigger := s.id("13345.") + "." + fmt.Sprint(s.lastTS)
	e := s.send("slash_commands", "", map[string]any{
		"token": "verification", "team_id": "T0TEAM", "channel_id": c.ID, "channel_name": c.Name, "user_id": u.ID, "user_name": u.Name,
		"command": command, "text": text, "api_app_id": s.bot.AppID, "response_url": s.http.URL + "/commands/1", "trigger_id": trigger,
	}, 0)
	return "command-" + trigger, e.answered
}

// Press presses a button below a post.
func (s *Server) Press(u *User, c *Channel, ts, action, value string) (answered func(ctx context.Context) (string, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.message(c.ID, ts)
	return s.send("interactive", "", map[string]any{
		"type": "block_actions", "user": map[string]any{"id": u.ID, "username": u.Name}, "api_app_id": s.bot.AppID, "token": "verification",
		"trigger_id": s.id("1."), "channel": map[string]any{"id": c.ID, "name": c.Name}, "message": s.json(m, false),
		"container": map[string]any{"type": "message", "message_ts": ts, "channel_id": c.ID, "is_ephemeral": false},
		"actions":   []any{map[string]any{"type": "button", "action_id": action, "block_id": "b", "value": value, "action_ts": s.ts()}},
	}, 0).answered
}

// answered waits for the app's answer.
func (e *envelope) answered(ctx context.Context) (string, error) {
	select {
	case <-e.acked:
		return string(e.answer), nil
	case <-ctx.Done():
		return "", ctx.Err()
	case <-time.After(time.Minute):
		return "", context.DeadlineExceeded
	}
}
