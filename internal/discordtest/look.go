package discordtest

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Look is everything that people see of a guild, as text without ids: two looks at the
// same state are the same, and so are those at two guilds in the same state. Messages with
// an id in leave are left out.
func (s *Server) Look(g *Guild, leave ...string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	channels := s.inOrder(g)
	for at, c := range channels {
		fmt.Fprintf(&b, "%d. %s (%d)%s\n", at, c.Name, c.Type, s.details(c))
		for _, m := range s.messages[c.ID] {
			if !m.Deleted && !slices.Contains(leave, m.ID) {
				fmt.Fprintf(&b, "   %s\n", s.line(m))
			}
		}
	}
	for _, r := range g.Roles {
		fmt.Fprintf(&b, "role %s %d %d\n", r.Name, r.Position, r.Permissions)
	}
	b.WriteString(s.people(g))
	for _, e := range g.Events {
		where := e.Entity["location"]
		if e.ChannelID != nil {
			where = s.name(*e.ChannelID)
		}
		fmt.Fprintf(&b, "event %s at %s until %s in %s: %s\n", e.Name, e.Starts.Format(time.RFC3339), when(e.Ends), where, e.Description)
	}
	return b.String()
}

// inOrder are a guild's channels as people see them: by position, and threads behind.
func (s *Server) inOrder(g *Guild) []*Channel {
	var all []*Channel
	for _, id := range s.order {
		if c := s.channels[id]; c != nil && c.GuildID == g.ID {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *Channel) int {
		switch {
		case a.IsThread() != b.IsThread() && a.IsThread():
			return 1
		case a.IsThread() != b.IsThread():
			return -1
		}
		return a.Position - b.Position
	})
	return all
}

func (s *Server) details(c *Channel) string {
	var b strings.Builder
	if c.ParentID != nil {
		b.WriteString(" in " + s.name(*c.ParentID))
	}
	if c.Topic != nil {
		b.WriteString(" about " + *c.Topic)
	}
	if c.Metadata != nil {
		fmt.Fprintf(&b, " archived %v after %d", c.Metadata.Archived, c.Metadata.AutoArchive)
	}
	for _, t := range c.AvailableTags {
		b.WriteString(" tag " + t.Name)
		if t.EmojiName != nil {
			b.WriteString(*t.EmojiName)
		}
		if slices.ContainsFunc(s.inOrder(s.guilds[c.GuildID]), func(thread *Channel) bool { return slices.Contains(thread.AppliedTags, t.ID) }) {
			b.WriteString(" (used)")
		}
	}
	fmt.Fprintf(&b, " %d applied", len(c.AppliedTags))
	return b.String()
}

func (s *Server) name(channel string) string {
	if c := s.channels[channel]; c != nil {
		return c.Name
	}
	return "nowhere"
}

func (s *Server) line(m *Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %q", m.Author.Username, m.Content)
	if m.Reference != nil && m.Referenced != nil {
		fmt.Fprintf(&b, " to %q", m.Referenced.Content)
	}
	if m.Pinned {
		b.WriteString(" pinned")
	}
	if m.Flags != 0 {
		fmt.Fprintf(&b, " flags %d", m.Flags)
	}
	for _, r := range m.Reactions {
		fmt.Fprintf(&b, " %s×%d", r.Emoji, r.Count)
	}
	for _, a := range m.Attachments {
		fmt.Fprintf(&b, " file %s (%d)", a.Filename, a.Size)
	}
	if m.Poll != nil {
		fmt.Fprintf(&b, " poll %s %+v several %v", m.Poll.Question.Text, m.Poll.Answers, m.Poll.Several)
	}
	return b.String()
}

// people are a guild's members, who is out, and who is in which voice room. How long
// somebody is silenced depends on when it was said.
func (s *Server) people(g *Guild) string {
	var lines []string
	for _, m := range g.Members {
		line := "member " + m.User.Username
		if m.Nick != nil {
			line += " called " + *m.Nick
		}
		for _, r := range g.Roles {
			if slices.Contains(m.Roles, r.ID) {
				line += " " + r.Name
			}
		}
		if m.Silent != nil {
			line += " silenced"
		}
		if v := g.Voice[m.User.ID]; v != nil && v.ChannelID != nil {
			line += fmt.Sprintf(" in %s mute %v deaf %v", s.name(*v.ChannelID), v.SelfMute, v.SelfDeaf)
		}
		lines = append(lines, line)
	}
	for id, ban := range g.Bans {
		lines = append(lines, fmt.Sprintf("banned %s for %q, %d s", s.users[id].Username, ban.Reason, ban.DeleteSeconds))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

func when(t *time.Time) string {
	if t == nil {
		return "open end"
	}
	return t.Format(time.RFC3339)
}
