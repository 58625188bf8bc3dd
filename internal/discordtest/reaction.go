package discordtest

import (
	"slices"
	"strings"
)

// parseEmoji reads an emoji as it stands in a path.
func parseEmoji(text string) Emoji {
	if name, id, ok := strings.Cut(text, ":"); ok {
		return Emoji{ID: &id, Name: name}
	}
	return Emoji{Name: text}
}

func (e Emoji) String() string {
	if e.ID != nil {
		return e.Name + ":" + *e.ID
	}
	return e.Name
}

// known tells whether there is such an emoji. As Discord does, it wants the heart and
// its like with the character that makes them colourful.
func known(text string) bool {
	if strings.Contains(text, ":") {
		return true
	}
	bare := strings.TrimSuffix(text, "\ufe0f")
	if slices.Contains([]string{"❤", "☀", "✔", "⚠"}, bare) {
		return text != bare
	}
	return text != "" && text[0] >= 0x80 && !strings.HasSuffix(text, "\ufe0f")
}

// React puts an emoji on a message as somebody would.
func (s *Server) React(u *User, c *Channel, message, emoji string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.react(u, s.message(c.ID, message), emoji)
}

// Unreact takes it off.
func (s *Server) Unreact(u *User, c *Channel, message, emoji string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unreact(u, s.message(c.ID, message), emoji)
}

func (s *Server) react(u *User, m *Message, emoji string) {
	c := s.channels[m.ChannelID]
	i := slices.IndexFunc(m.Reactions, func(r *Reaction) bool { return r.Emoji.String() == emoji })
	if i < 0 {
		i = len(m.Reactions)
		m.Reactions = append(m.Reactions, &Reaction{Emoji: parseEmoji(emoji)})
	}
	r := m.Reactions[i]
	if slices.Contains(r.Users, u.ID) {
		return
	}
	r.Users = append(r.Users, u.ID)
	r.Count = len(r.Users)
	r.Me = slices.Contains(r.Users, s.bot.ID)
	event := map[string]any{
		"user_id": u.ID, "channel_id": c.ID, "message_id": m.ID, "emoji": r.Emoji, "message_author_id": m.Author.ID, "burst": false, "type": 0,
	}
	if g := s.guilds[c.GuildID]; g != nil {
		event["guild_id"] = g.ID
		event["member"] = g.Members[u.ID]
	}
	s.dispatch("MESSAGE_REACTION_ADD", c.GuildID, event)
}

func (s *Server) unreact(u *User, m *Message, emoji string) {
	c := s.channels[m.ChannelID]
	for i, r := range m.Reactions {
		at := slices.Index(r.Users, u.ID)
		if r.Emoji.String() != emoji || at < 0 {
			continue
		}
		r.Users = slices.Delete(r.Users, at, at+1)
		r.Count = len(r.Users)
		r.Me = slices.Contains(r.Users, s.bot.ID)
		if r.Count == 0 {
			m.Reactions = slices.Delete(m.Reactions, i, i+1)
		}
		event := map[string]any{"user_id": u.ID, "channel_id": c.ID, "message_id": m.ID, "emoji": r.Emoji, "burst": false, "type": 0}
		if c.GuildID != "" {
			event["guild_id"] = c.GuildID
		}
		s.dispatch("MESSAGE_REACTION_REMOVE", c.GuildID, event)
		return
	}
}

// Reactions are the emoji that somebody has on a message.
func (s *Server) Reactions(u *User, c *Channel, message string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var mine []string
	if m := s.message(c.ID, message); m != nil {
		for _, r := range m.Reactions {
			if slices.Contains(r.Users, u.ID) {
				mine = append(mine, r.Emoji.String())
			}
		}
	}
	return mine
}
