package slacktest

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	longestPost  = 40000
	longestEdit  = 4000
	longestBlock = 3000  // the text of a section
	mostBlocks   = 50    // in a message
	allBlocks    = 13000 // characters of all of them, about
)

func contains(all []string, one string) bool { return slices.Contains(all, one) }

func mentions(text, user string) bool { return strings.Contains(text, "<@"+user) }

// place finds the channel that a request is about, as far as the bot can see it.
func (s *Server) place(c *call) (*Channel, answer) {
	at := s.channel(c.get("channel"))
	switch {
	case at == nil, at.Direct && !contains(at.members, s.bot.ID), at.Private && !contains(at.members, s.bot.ID):
		return nil, no("channel_not_found")
	}
	return at, nil
}

// inside is place for what only members may do.
func (s *Server) inside(c *call) (*Channel, answer) {
	at, problem := s.place(c)
	switch {
	case problem != nil:
		return nil, problem
	case at.Archived:
		return nil, no("is_archived")
	case !contains(at.members, s.bot.ID):
		return nil, no("not_in_channel")
	}
	return at, nil
}

// blocks checks the blocks of a message.
func blocks(raw string) (json.RawMessage, answer) {
	if raw == "" || raw == "[]" {
		return nil, nil
	}
	var all []struct {
		Type string
		Text struct{ Type, Text string }
		// of actions
		Elements []struct {
			Type     string
			ActionID string `json:"action_id"`
			Value    string
			Text     struct{ Type, Text string }
		}
	}
	if json.Unmarshal([]byte(raw), &all) != nil || len(all) > mostBlocks {
		return nil, no("invalid_blocks")
	}
	total := 0
	var ids []string
	for _, b := range all {
		n := utf8.RuneCountInString(b.Text.Text)
		total += n
		if b.Type == "section" && (n == 0 || n > longestBlock || b.Text.Type != "mrkdwn") || len(b.Elements) > 25 {
			return nil, no("invalid_blocks")
		}
		for _, e := range b.Elements {
			if b.Type == "actions" && (e.Type != "button" || e.Text.Type != "plain_text" || e.Text.Text == "" || e.ActionID == "" || contains(ids, e.ActionID)) {
				return nil, no("invalid_blocks")
			}
			ids = append(ids, e.ActionID)
		}
	}
	if total > allBlocks {
		return nil, no("msg_blocks_too_long")
	}
	return json.RawMessage(raw), nil
}

func (s *Server) postMessage(c *call) answer {
	at, problem := s.inside(c)
	if problem != nil {
		return problem
	}
	text := c.get("text")
	has, problem := blocks(c.get("blocks"))
	switch {
	case problem != nil:
		return problem
	case strings.TrimSpace(text) == "" && has == nil:
		return no("no_text")
	case c.get("thread_ts") != "" && s.message(at.ID, c.get("thread_ts")) == nil:
		return no("thread_not_found")
	}
	if runes := []rune(text); len(runes) > longestPost {
		text = string(runes[:longestPost])
	}
	m := &Message{
		Channel: at.ID, User: s.bot.ID, BotID: s.bot.BotID, AppID: s.bot.AppID, Text: text, ThreadTS: c.get("thread_ts"), Blocks: has,
		Unfurls: c.get("unfurl_links") + " " + c.get("unfurl_media"),
	}
	if raw := c.get("metadata"); raw != "" {
		var metadata struct {
			Type    string         `json:"event_type"`
			Payload map[string]any `json:"event_payload"`
		}
		if json.Unmarshal([]byte(raw), &metadata) != nil || metadata.Type == "" || metadata.Payload == nil {
			return no("invalid_metadata_format")
		}
		m.Metadata = json.RawMessage(raw)
	}
	s.add(m)
	return answer{"channel": at.ID, "ts": m.TS, "message": s.json(m, false)}
}

func (s *Server) updateMessage(c *call) answer {
	at, problem := s.inside(c)
	if problem != nil {
		return problem
	}
	m := s.message(at.ID, c.get("ts"))
	has, problem := blocks(c.get("blocks"))
	switch text := c.get("text"); {
	case m == nil:
		return no("message_not_found")
	case m.User != s.bot.ID:
		return no("cant_update_message")
	case problem != nil:
		return problem
	case utf8.RuneCountInString(text) > longestEdit:
		return no("msg_too_long")
	case strings.TrimSpace(text) == "" && has == nil:
		return no("no_text")
	default:
		m.Blocks = has // which go with a new text, unless they are given again
		s.rewrite(m, text)
		return answer{"channel": at.ID, "ts": m.TS, "text": named(text)}
	}
}

func (s *Server) deleteMessage(c *call) answer {
	at, problem := s.inside(c)
	if problem != nil {
		return problem
	}
	m := s.message(at.ID, c.get("ts"))
	switch {
	case m == nil:
		return no("message_not_found")
	case m.User != s.bot.ID:
		return no("cant_delete_message")
	}
	s.erase(m)
	return answer{"channel": at.ID, "ts": m.TS}
}

func (s *Server) addReaction(c *call) answer    { return s.setReaction(c, true) }
func (s *Server) removeReaction(c *call) answer { return s.setReaction(c, false) }

func (s *Server) setReaction(c *call, on bool) answer {
	at, problem := s.inside(c)
	if problem != nil {
		return problem
	}
	name := c.get("name")
	base, tone, toned := strings.Cut(name, "::skin-tone-")
	known := base != "" && (byName(base) != "" || contains(s.custom, base)) && (!toned || contains([]string{"2", "3", "4", "5", "6"}, tone))
	m := s.message(at.ID, c.get("timestamp"))
	switch {
	case m == nil:
		return no("message_not_found")
	case !known:
		return no("invalid_name")
	}
	if problem := m.react(s.bot.ID, name, on); problem != "" {
		return no(problem)
	}
	s.tellReaction(s.bot, m, name, on)
	return answer{}
}

func (s *Server) addPin(c *call) answer    { return s.setPin(c, true) }
func (s *Server) removePin(c *call) answer { return s.setPin(c, false) }

func (s *Server) setPin(c *call, on bool) answer {
	at, problem := s.inside(c)
	if problem != nil {
		return problem
	}
	m := s.message(at.ID, c.get("timestamp"))
	switch {
	case m == nil:
		return no("message_not_found")
	case on && m.Pinned:
		return no("already_pinned")
	case !on && !m.Pinned:
		return no("no_pin")
	}
	m.Pinned = on
	return answer{}
}

func (s *Server) listPins(c *call) answer {
	at, problem := s.inside(c)
	if problem != nil {
		return problem
	}
	items := []any{map[string]any{"type": "file", "created": 1, "file": map[string]any{"id": "F0"}}}
	for _, m := range s.messages[at.ID] {
		if m.Pinned && !m.Deleted {
			items = append(items, map[string]any{"type": "message", "channel": at.ID, "created": 1, "message": s.json(m, false)})
		}
	}
	return answer{"items": items}
}
