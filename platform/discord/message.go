package discord

import (
	"slices"
	"strings"

	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// convert makes a message of Discord's one of ours. guild is 0 in a direct chat: what
// REST gives does not say.
func (d *Discord) convert(m *message, guild, self snowflake.ID) platform.Message {
	out := platform.Message{
		Room:   room(m.Channel),
		ID:     m.ID.String(),
		Author: person(m.Author, m.Member),
		Text:   m.Content,
		At:     m.At,
		Direct: guild == 0,
	}
	if m.At.IsZero() {
		out.At = m.ID.Time()
	}
	if m.Webhook != 0 {
		out.Author.Bot = true
	}
	if m.Reference != nil && m.Type == replyMessage && m.Reference.Message != 0 {
		out.ReplyTo = m.Reference.Message.String()
	}
	if m.Content == "" && len(m.Snapshots) > 0 {
		out.Text = m.Snapshots[0].Message.Content // it was forwarded
	}
	for _, a := range m.Attachments {
		out.Files = append(out.Files, a.file(nil))
	}
	out.Mentioned = slices.ContainsFunc(m.Mentions, func(u user) bool { return u.ID == self }) ||
		m.Referenced != nil && m.Referenced.Author.ID == self ||
		slices.ContainsFunc(m.Roles, func(r snowflake.ID) bool { return d.guilds.isOwnRole(guild, r, self) })
	return out
}

// addressed is a text without the agent's name at its beginning: "@agent /confirm" says
// /confirm. What says nothing else stays as it is.
func (d *Discord) addressed(text string, guild, self snowflake.ID) string {
	rest := strings.TrimSpace(text)
	if !strings.HasPrefix(rest, "<@") {
		return text
	}
	name, rest, _ := strings.Cut(rest, ">")
	id, err := snowflake.Parse(strings.TrimLeft(name, "<@!&"))
	own := id == self || strings.HasPrefix(name, "<@&") && d.guilds.isOwnRole(guild, id, self)
	if rest = strings.TrimSpace(rest); err != nil || !own || rest == "" {
		return text
	}
	return rest
}

// written tells whether a message is one that somebody has written, and not one of
// Discord's about a new pin, a new member or a new thread.
func (m *message) written() bool { return m.Type == plainMessage || m.Type == replyMessage }
