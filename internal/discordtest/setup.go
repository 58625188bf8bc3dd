package discordtest

import (
	"slices"
	"time"
)

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

// AddEvent makes a scheduled event in a voice channel.
func (s *Server) AddEvent(g *Guild, name string, in *Channel, starts time.Time) *Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &Event{ID: s.id(), GuildID: g.ID, ChannelID: &in.ID, Name: name, Starts: starts, Privacy: 2, Status: 1, EntityType: 2}
	g.Events = append(g.Events, e)
	return e
}

// Except makes an exception for somebody in a channel: they may not do these things there.
func (s *Server) Except(c *Channel, u *User, deny Bits) {
	s.ChangeChannel(c, func(c *Channel) {
		c.Overwrites = append(slices.Clone(c.Overwrites), Overwrite{ID: u.ID, Type: 1, Deny: deny})
	})
}

// AddPin pins a message as somebody would.
func (s *Server) AddPin(c *Channel, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.message(c.ID, message).Pinned = true
}
