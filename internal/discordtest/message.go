package discordtest

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A Message stands in a channel.
type Message struct {
	ID          string          `json:"id"`
	ChannelID   string          `json:"channel_id"`
	GuildID     string          `json:"guild_id,omitempty"` // in events only
	Author      *User           `json:"author"`
	Member      map[string]any  `json:"member,omitempty"` // in events only
	Content     string          `json:"content"`
	Timestamp   time.Time       `json:"timestamp"`
	Edited      *time.Time      `json:"edited_timestamp"`
	TTS         bool            `json:"tts"`
	Everyone    bool            `json:"mention_everyone"`
	Mentions    []*User         `json:"mentions"`
	Roles       []string        `json:"mention_roles"`
	Attachments []Attachment    `json:"attachments"`
	Embeds      []any           `json:"embeds"`
	Components  json.RawMessage `json:"components,omitempty"`
	Reactions   []*Reaction     `json:"reactions,omitempty"`
	Pinned      bool            `json:"pinned"`
	Type        int             `json:"type"`
	Flags       int             `json:"flags"`
	WebhookID   string          `json:"webhook_id,omitempty"`
	Nonce       string          `json:"nonce,omitempty"` // lost when it is fetched
	Reference   *Reference      `json:"message_reference,omitempty"`
	Referenced  *Message        `json:"referenced_message,omitempty"`
	Snapshots   []any           `json:"message_snapshots,omitempty"`
	Poll        *Poll           `json:"poll,omitempty"`

	Seen     []string       `json:"-"` // every text that people could read, oldest first
	Deleted  bool           `json:"-"`
	Pinged   bool           `json:"-"` // it has notified somebody
	Original map[string]any `json:"-"` // the request it was made by
}

// A Reference is what a message answers.
type Reference struct {
	MessageID string `json:"message_id"`
	ChannelID string `json:"channel_id,omitempty"`
	GuildID   string `json:"guild_id,omitempty"`
	Type      int    `json:"type"`
	Fail      *bool  `json:"fail_if_not_exists,omitempty"`
}

// A Reaction is an emoji and who put it there.
type Reaction struct {
	Emoji Emoji    `json:"emoji"`
	Count int      `json:"count"`
	Me    bool     `json:"me"`
	Users []string `json:"-"`
}

// An Emoji is a character, or a guild's own with an id.
type Emoji struct {
	ID   *string `json:"id"`
	Name string  `json:"name"`
}

// An Attachment is a file of a message.
type Attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Size        int64  `json:"size"`
	URL         string `json:"url"`
	ProxyURL    string `json:"proxy_url"`
	ContentType string `json:"content_type,omitempty"`
}

// A Poll asks people.
type Poll struct {
	Question PollMedia    `json:"question"`
	Answers  []PollAnswer `json:"answers"`
	Expiry   *time.Time   `json:"expiry"`
	Several  bool         `json:"allow_multiselect"`
	Layout   int          `json:"layout_type"`
}

type PollMedia struct {
	Text string `json:"text"`
}

type PollAnswer struct {
	ID    int       `json:"answer_id"`
	Media PollMedia `json:"poll_media"`
}

// nonce is what Discord remembers of one.
type nonce struct {
	message string
	until   time.Time
}

// nonceWindow is how long a nonce is remembered. Discord says "the past few minutes".
const nonceWindow = 3 * time.Minute

func (m *Message) mentions(user string) bool {
	return slices.ContainsFunc(m.Mentions, func(u *User) bool { return u.ID == user })
}

// fetched is a message as REST gives it.
func (m *Message) fetched() *Message {
	copied := *m
	copied.Nonce, copied.GuildID, copied.Member = "", "", nil
	return &copied
}

// sent is a message as the gateway gives it.
func (s *Server) sent(m *Message) *Message {
	copied := *m
	c := s.channels[m.ChannelID]
	copied.GuildID = c.GuildID
	if g := s.guilds[c.GuildID]; g != nil && m.WebhookID == "" {
		if member := g.Members[m.Author.ID]; member != nil {
			copied.Member = map[string]any{"roles": member.Roles, "nick": member.Nick, "joined_at": member.Joined, "deaf": false, "mute": false, "flags": 0}
		}
	}
	return &copied
}

// add puts a message into its channel and tells everybody.
func (s *Server) add(m *Message) {
	c := s.channels[m.ChannelID]
	if m.ID == "" {
		m.ID = s.id()
	}
	m.Timestamp = made(m.ID)
	m.Seen = append(m.Seen, m.Content)
	s.mention(m)
	if m.Reference != nil {
		m.Type = 19
		if old := s.message(c.ID, m.Reference.MessageID); old != nil {
			m.Referenced = old.fetched()
		}
	}
	if m.Attachments == nil {
		m.Attachments = []Attachment{}
	}
	m.Embeds = []any{}
	s.messages[c.ID] = append(s.messages[c.ID], m)
	c.LastMessageID = &m.ID
	if c.IsThread() && c.Metadata.Archived { // writing opens it again
		c.Metadata.Archived, c.Metadata.ArchivedAt = false, s.now()
		s.dispatch("THREAD_UPDATE", c.GuildID, c)
	}
	if s.can(s.bot.ID, c, ViewChannel) {
		s.dispatch("MESSAGE_CREATE", c.GuildID, s.sent(m))
	}
	s.Happened()
}

// mention notes whom a message mentions.
func (s *Server) mention(m *Message) {
	m.Mentions, m.Roles = []*User{}, []string{}
	for _, u := range s.users {
		if strings.Contains(m.Content, "<@"+u.ID+">") {
			m.Mentions = append(m.Mentions, u)
		}
	}
	if g := s.guilds[s.channels[m.ChannelID].GuildID]; g != nil {
		for _, r := range g.Roles {
			if strings.Contains(m.Content, "<@&"+r.ID+">") {
				m.Roles = append(m.Roles, r.ID)
			}
		}
	}
}

func (s *Server) message(channel, id string) *Message {
	for _, m := range s.messages[channel] {
		if m.ID == id && !m.Deleted {
			return m
		}
	}
	return nil
}

// A Line is what somebody writes.
type Line struct {
	Text    string
	ReplyTo string
	Webhook bool
	Forward string          // the text of a message that is forwarded
	Type    int             // of a system message
	Hostile json.RawMessage // components of a kind that clients do not know yet
	Files   []File
}

// A File is attached to a line. Type is the media type that is claimed of it.
type File struct {
	Name, Type string
	Data       []byte
	URL        string // where it is said to be, if it is not here
}

// Write writes a message as somebody would.
func (s *Server) Write(u *User, c *Channel, text string) string {
	return s.WriteLine(u, c, Line{Text: text})
}

// WriteLine is Write with everything that a message can have.
func (s *Server) WriteLine(u *User, c *Channel, line Line) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := &Message{ID: s.id(), ChannelID: c.ID, Author: u, Content: line.Text, Type: line.Type, Components: line.Hostile}
	if line.ReplyTo != "" {
		m.Reference = &Reference{MessageID: line.ReplyTo, ChannelID: c.ID}
	}
	if line.Webhook {
		m.WebhookID = u.ID
	}
	if line.Forward != "" {
		m.Snapshots = []any{map[string]any{"message": map[string]any{"content": line.Forward, "type": 0}}}
	}
	for _, f := range line.Files {
		a := s.attach(c, f.Name, f.Type, f.Data)
		if f.URL != "" {
			a.URL = f.URL
		}
		m.Attachments = append(m.Attachments, a)
	}
	s.add(m)
	return m.ID
}

func (s *Server) attach(c *Channel, name, declared string, data []byte) Attachment {
	id := s.id()
	path := "/attachments/" + c.ID + "/" + id + "/file"
	s.files[path] = data
	return Attachment{ID: id, Filename: name, Size: int64(len(data)), URL: s.http.URL + path, ProxyURL: s.http.URL + path, ContentType: declared}
}

// Repeat sends the event of a message again.
func (s *Server) Repeat(c *Channel, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dispatch("MESSAGE_CREATE", c.GuildID, s.sent(s.message(c.ID, id)))
}

// Rewrite changes a message as its author would.
func (s *Server) Rewrite(c *Channel, id, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rewrite(s.message(c.ID, id), text)
}

func (s *Server) rewrite(m *Message, text string) {
	now := s.now()
	if m.Edited != nil && !now.Truncate(time.Microsecond).After(*m.Edited) {
		now = m.Edited.Add(time.Microsecond) // each edit has a time of its own
	}
	now = now.Truncate(time.Microsecond).UTC() // as Discord writes it
	m.Content, m.Edited = text, &now
	m.Seen = append(m.Seen, text)
	s.mention(m)
	s.updated(m)
}

// updated tells of a message that is not what it was.
func (s *Server) updated(m *Message) {
	if c := s.channels[m.ChannelID]; s.can(s.bot.ID, c, ViewChannel) {
		s.dispatch("MESSAGE_UPDATE", c.GuildID, s.sent(m))
	}
	s.Happened()
}

// Unfurl finds a preview for a link in a message. Discord tells of that with the whole
// message, or with little more than the preview.
func (s *Server) Unfurl(c *Channel, id string, partly bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.message(c.ID, id)
	m.Embeds = []any{map[string]any{"type": "link", "url": "https://example.com", "title": "Example"}}
	if !partly {
		s.updated(m)
		return
	}
	s.dispatch("MESSAGE_UPDATE", c.GuildID, map[string]any{"id": m.ID, "channel_id": c.ID, "guild_id": c.GuildID, "embeds": m.Embeds})
}

// RewritePartly is Rewrite, told with nothing but ids and the time.
func (s *Server) RewritePartly(c *Channel, id, text string) {
	s.Mute(func() { s.Rewrite(c, id, text) })
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.message(c.ID, id)
	s.dispatch("MESSAGE_UPDATE", c.GuildID, map[string]any{"id": m.ID, "channel_id": c.ID, "guild_id": c.GuildID, "edited_timestamp": m.Edited})
}

// Erase deletes a message as its author would.
func (s *Server) Erase(c *Channel, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase(s.message(c.ID, id))
}

func (s *Server) erase(m *Message) {
	m.Deleted = true
	c := s.channels[m.ChannelID]
	s.dispatch("MESSAGE_DELETE", c.GuildID, map[string]any{"id": m.ID, "channel_id": c.ID, "guild_id": c.GuildID})
}

// Messages are what stands in a channel, oldest first.
func (s *Server) Messages(c *Channel) []Message {
	var standing []Message
	for _, m := range s.Everything(c) {
		if !m.Deleted {
			standing = append(standing, m)
		}
	}
	return standing
}

// Everything is what was ever written in a channel, deleted messages too.
func (s *Server) Everything(c *Channel) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Message
	for _, m := range s.messages[c.ID] {
		all = append(all, *m)
	}
	return all
}

// Posts are the bot's messages in a channel.
func (s *Server) Posts(c *Channel) []Message {
	var posts []Message
	for _, m := range s.Messages(c) {
		if m.Author.ID == s.bot.ID {
			posts = append(posts, m)
		}
	}
	return posts
}

// Content is what is in an attachment.
func (s *Server) Content(a Attachment) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[strings.TrimPrefix(a.URL, s.http.URL)]
}

// tooLong tells whether a text is over a limit. Discord counts code points.
func tooLong(text string, most int) bool { return utf8.RuneCountInString(text) > most }

// Invoke uses a slash command. It gives the id of the interaction.
func (s *Server) Invoke(u *User, c *Channel, command string, options map[string]string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.id()
	var given []map[string]any
	for name, value := range options {
		given = append(given, map[string]any{"name": name, "type": 3, "value": value})
	}
	data := map[string]any{
		"id": id, "application_id": s.app, "type": 2, "token": "interaction-secret-" + id, "version": 1,
		"channel_id": c.ID, "channel": c, "locale": "en-US", "entitlements": []any{},
		"data": map[string]any{"id": "1", "name": command, "type": 1, "options": given},
	}
	if c.GuildID == "" {
		data["user"] = u
	} else {
		data["guild_id"] = c.GuildID
		data["member"] = s.guilds[c.GuildID].Members[u.ID]
	}
	s.dispatch("INTERACTION_CREATE", c.GuildID, data)
	return id
}

// Answers are what an interaction was answered with.
func (s *Server) Answers(id string) []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.answers[id])
}
