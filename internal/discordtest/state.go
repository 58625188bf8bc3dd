package discordtest

import (
	"slices"
	"strconv"
	"time"
)

// A User is somebody on Discord.
type User struct {
	ID            string  `json:"id"`
	Username      string  `json:"username"`
	Discriminator string  `json:"discriminator"`
	GlobalName    *string `json:"global_name"`
	Avatar        *string `json:"avatar"`
	Bot           bool    `json:"bot,omitempty"`

	blocks bool // the bot's direct messages
}

// A Role gives rights.
type Role struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Permissions Bits              `json:"permissions"`
	Position    int               `json:"position"`
	Color       int               `json:"color"`
	Hoist       bool              `json:"hoist"`
	Managed     bool              `json:"managed"`
	Mentionable bool              `json:"mentionable"`
	Flags       int               `json:"flags"`
	Tags        map[string]string `json:"tags,omitempty"`
}

// A Member is a user in a guild.
type Member struct {
	User   *User      `json:"user"`
	Nick   *string    `json:"nick"`
	Roles  []string   `json:"roles"`
	Joined time.Time  `json:"joined_at"`
	Silent *time.Time `json:"communication_disabled_until"`
	Deaf   bool       `json:"deaf"`
	Mute   bool       `json:"mute"`
	Flags  int        `json:"flags"`
}

// A Guild is a server.
type Guild struct {
	ID      string
	Name    string
	Owner   string
	Roles   []*Role
	Members map[string]*Member
	Bans    map[string]Ban
	Events  []*Event
	Voice   map[string]*VoiceState // by user
	Audit   []AuditEntry           // oldest first
}

// A Ban is why somebody is out.
type Ban struct {
	Reason        string
	DeleteSeconds int
}

// A VoiceState is where somebody is.
type VoiceState struct {
	GuildID   string  `json:"guild_id"`
	ChannelID *string `json:"channel_id"`
	UserID    string  `json:"user_id"`
	SessionID string  `json:"session_id"`
	SelfMute  bool    `json:"self_mute"`
	SelfDeaf  bool    `json:"self_deaf"`
	Deaf      bool    `json:"deaf"`
	Mute      bool    `json:"mute"`
	Suppress  bool    `json:"suppress"`
}

// Kinds of channels.
const (
	Text               = 0
	DM                 = 1
	Voice              = 2
	Category           = 4
	Announcement       = 5
	AnnouncementThread = 10
	PublicThread       = 11
	PrivateThread      = 12
	Stage              = 13
	Forum              = 15
)

// An Overwrite is an exception for a role (type 0) or a member (1).
type Overwrite struct {
	ID    string `json:"id"`
	Type  int    `json:"type"`
	Allow Bits   `json:"allow"`
	Deny  Bits   `json:"deny"`
}

// A Tag is a forum's.
type Tag struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Moderated bool    `json:"moderated"`
	EmojiID   *string `json:"emoji_id"`
	EmojiName *string `json:"emoji_name"`
}

// ThreadMetadata is what only threads have.
type ThreadMetadata struct {
	Archived    bool      `json:"archived"`
	AutoArchive int       `json:"auto_archive_duration"`
	ArchivedAt  time.Time `json:"archive_timestamp"`
	Locked      bool      `json:"locked"`
}

// A Channel is a room, a category, a thread or a direct chat.
type Channel struct {
	ID            string          `json:"id"`
	Type          int             `json:"type"`
	GuildID       string          `json:"guild_id,omitempty"`
	Name          string          `json:"name,omitempty"`
	Topic         *string         `json:"topic,omitempty"`
	Position      int             `json:"position"`
	ParentID      *string         `json:"parent_id,omitempty"`
	Overwrites    []Overwrite     `json:"permission_overwrites,omitempty"`
	LastMessageID *string         `json:"last_message_id,omitempty"`
	OwnerID       string          `json:"owner_id,omitempty"`
	Metadata      *ThreadMetadata `json:"thread_metadata,omitempty"`
	AppliedTags   []string        `json:"applied_tags,omitempty"`
	AvailableTags []Tag           `json:"available_tags,omitempty"`
	Recipients    []*User         `json:"recipients,omitempty"`
	AutoArchive   int             `json:"default_auto_archive_duration,omitempty"`

	members map[string]bool // of a private thread
}

// IsThread tells whether it is a thread.
func (c *Channel) IsThread() bool { return c.Type >= AnnouncementThread && c.Type <= PrivateThread }

// An Event is a scheduled one.
type Event struct {
	ID          string            `json:"id"`
	GuildID     string            `json:"guild_id"`
	ChannelID   *string           `json:"channel_id"`
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Starts      time.Time         `json:"scheduled_start_time"`
	Ends        *time.Time        `json:"scheduled_end_time"`
	Privacy     int               `json:"privacy_level"`
	Status      int               `json:"status"`
	EntityType  int               `json:"entity_type"`
	Entity      map[string]string `json:"entity_metadata"`
}

// A Command is an application's.
type Command struct {
	ID          string `json:"id"`
	Application string `json:"application_id"`
	Version     string `json:"version"`
	Type        int    `json:"type"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Options     any    `json:"options,omitempty"`
}

// Channel is a channel as it stands, or nil.
func (s *Server) Channel(id string) *Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[id]
	if c == nil {
		return nil
	}
	copied := *c
	return &copied
}

// Channels are all channels as they stand, in the order in which they were made.
func (s *Server) Channels() []Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Channel
	for _, id := range s.order {
		if c := s.channels[id]; c != nil {
			all = append(all, *c)
		}
	}
	return all
}

// VoiceOf is the id of the voice channel that somebody is in, "" if they are in none.
func (s *Server) VoiceOf(g *Guild, u *User) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := g.Voice[u.ID]; v != nil && v.ChannelID != nil {
		return *v.ChannelID
	}
	return ""
}

// Member is a member as it stands, or nil.
func (s *Server) Member(g *Guild, u *User) *Member {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := g.Members[u.ID]
	if m == nil {
		return nil
	}
	copied := *m
	copied.Roles = slices.Clone(m.Roles)
	return &copied
}

// Banned is somebody's ban.
func (s *Server) Banned(g *Guild, u *User) (Ban, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := g.Bans[u.ID]
	return b, ok
}

// Commands are what the bot has registered.
func (s *Server) Commands() []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Command
	for _, c := range s.commands {
		all = append(all, *c)
	}
	return all
}

// Events are a guild's.
func (s *Server) Events(g *Guild) []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Event
	for _, e := range g.Events {
		all = append(all, *e)
	}
	return all
}

// Typed is how often the bot has shown that it is typing in a channel.
func (s *Server) Typed(c *Channel) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.typing[c.ID]
}

// guildCreate is what the bot learns about a guild when it connects.
func (s *Server) guildCreate(g *Guild) map[string]any {
	channels, threads, members, voice := []*Channel{}, []*Channel{}, []*Member{}, []*VoiceState{}
	for _, id := range s.order {
		c := s.channels[id]
		if c == nil || c.GuildID != g.ID {
			continue
		}
		copied := *c
		copied.GuildID = "" // as Discord leaves it out there
		if !c.IsThread() {
			channels = append(channels, &copied)
		} else if !c.Metadata.Archived && s.can(s.bot.ID, c, ViewChannel) {
			threads = append(threads, &copied)
		}
	}
	for _, v := range g.Voice {
		voice = append(voice, v)
	}
	members = append(members, g.Members[s.bot.ID])
	return map[string]any{
		"id": g.ID, "name": g.Name, "owner_id": g.Owner, "roles": g.Roles, "channels": channels, "threads": threads,
		"members": members, "member_count": len(g.Members), "voice_states": voice, "unavailable": false, "large": false,
		"joined_at": s.now(), "emojis": []any{}, "stickers": []any{}, "features": []string{}, "presences": []any{},
		"stage_instances": []any{}, "guild_scheduled_events": []any{}, "soundboard_sounds": []any{},
		"verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0, "mfa_level": 0,
		"premium_tier": 0, "nsfw_level": 0, "preferred_locale": "en-US", "system_channel_flags": 0,
	}
}

func number(id string) uint64 {
	n, _ := strconv.ParseUint(id, 10, 64)
	return n
}

func later(a, b string) bool { return number(a) > number(b) }

func made(id string) time.Time { return time.UnixMilli(int64(number(id)>>22) + epoch).UTC() }
