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

// AddUser makes somebody.
func (s *Server) AddUser(name string) *User {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := &User{ID: s.id(), Username: name, Discriminator: "0"}
	s.users[u.ID] = u
	return u
}

// usual is what everyone may do in a new guild.
const usual = ViewChannel | SendMessages | ReadHistory | AddReactions | AttachFiles | EmbedLinks |
	SendInThreads | CreateThreads | Connect | Speak | ChangeNickname | SendPolls

// AddGuild makes a guild.
func (s *Server) AddGuild(name string, owner *User) *Guild {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.id()
	g := &Guild{
		ID: id, Name: name, Owner: owner.ID,
		Roles:   []*Role{{ID: id, Name: "@everyone", Permissions: usual}},
		Members: map[string]*Member{}, Bans: map[string]Ban{}, Voice: map[string]*VoiceState{},
	}
	g.Members[owner.ID] = &Member{User: owner, Roles: []string{}, Joined: s.now()}
	s.guilds[id] = g
	return g
}

// AddRole makes a role above all others.
func (s *Server) AddRole(g *Guild, name string, rights Bits) *Role {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &Role{ID: s.id(), Name: name, Permissions: rights, Position: len(g.Roles)}
	g.Roles = append(g.Roles, r)
	s.dispatch("GUILD_ROLE_CREATE", g.ID, map[string]any{"guild_id": g.ID, "role": r})
	return r
}

// ChangeRole changes a role.
func (s *Server) ChangeRole(g *Guild, r *Role, change func(*Role)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(r)
	s.dispatch("GUILD_ROLE_UPDATE", g.ID, map[string]any{"guild_id": g.ID, "role": r})
}

// AddMember lets somebody in.
func (s *Server) AddMember(g *Guild, u *User, roles ...*Role) *Member {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := &Member{User: u, Roles: []string{}, Joined: s.now()}
	for _, r := range roles {
		m.Roles = append(m.Roles, r.ID)
	}
	g.Members[u.ID] = m
	return m
}

// ChangeMember changes a member.
func (s *Server) ChangeMember(g *Guild, u *User, change func(*Member)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(g.Members[u.ID])
}

// JoinBot lets the bot into a guild, with a role of its own that may do nearly
// everything, and tells it.
func (s *Server) JoinBot(g *Guild) *Role {
	r := s.AddRole(g, "aside", usual|ManageMessages|PinMessages|ManageChannels|ManageRoles|ManageEvents|CreateEvents|
		KickMembers|BanMembers|ModerateMembers|ManageThreads|MentionEveryone)
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Managed = true
	r.Tags = map[string]string{"bot_id": s.bot.ID}
	g.Members[s.bot.ID] = &Member{User: s.bot, Roles: []string{r.ID}, Joined: s.now()}
	s.dispatch("GUILD_CREATE", g.ID, s.guildCreate(g))
	return r
}

// AddChannel makes a channel.
func (s *Server) AddChannel(g *Guild, name string, kind int, overwrites ...Overwrite) *Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addChannel(&Channel{Type: kind, GuildID: g.ID, Name: name, Overwrites: overwrites, Position: len(s.order)})
}

// AddThread makes a thread in a channel.
func (s *Server) AddThread(in *Channel, name string, kind int, people ...*User) *Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addThread(in, name, kind, s.Owner.ID, people...)
}

func (s *Server) addThread(in *Channel, name string, kind int, owner string, people ...*User) *Channel {
	c := &Channel{
		Type: kind, GuildID: in.GuildID, Name: name, ParentID: &in.ID, OwnerID: owner,
		Metadata: &ThreadMetadata{AutoArchive: 1440, ArchivedAt: s.now()}, members: map[string]bool{},
	}
	for _, u := range people {
		c.members[u.ID] = true
	}
	return s.addChannel(c)
}

func (s *Server) addChannel(c *Channel) *Channel {
	if c.ID == "" {
		c.ID = s.id()
	}
	s.channels[c.ID] = c
	s.order = append(s.order, c.ID)
	if c.GuildID != "" {
		s.dispatch(s.channelEvent(c, "CREATE"), c.GuildID, c)
	}
	return c
}

func (s *Server) channelEvent(c *Channel, what string) string {
	if c.IsThread() {
		return "THREAD_" + what
	}
	return "CHANNEL_" + what
}

// ChangeChannel changes a channel.
func (s *Server) ChangeChannel(c *Channel, change func(*Channel)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(c)
	s.dispatch(s.channelEvent(c, "UPDATE"), c.GuildID, c)
}

// Direct is the direct chat between somebody and the bot.
func (s *Server) Direct(u *User) *Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.direct(u)
}

func (s *Server) direct(u *User) *Channel {
	for _, id := range s.order {
		if c := s.channels[id]; c != nil && c.Type == DM && c.Recipients[0].ID == u.ID {
			return c
		}
	}
	return s.addChannel(&Channel{Type: DM, Recipients: []*User{u}})
}

// Block makes somebody refuse the bot's direct messages.
func (s *Server) Block(u *User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u.blocks = true
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
