package discordtest

import (
	"encoding/json"
	"slices"
	"strconv"
)

// Bits are rights. On the wire they are a number in quotes.
type Bits uint64

const (
	KickMembers     Bits = 1 << 1
	BanMembers      Bits = 1 << 2
	Administrator   Bits = 1 << 3
	ManageChannels  Bits = 1 << 4
	ManageGuild     Bits = 1 << 5
	AddReactions    Bits = 1 << 6
	ViewAuditLog    Bits = 1 << 7
	ViewChannel     Bits = 1 << 10
	SendMessages    Bits = 1 << 11
	ManageMessages  Bits = 1 << 13
	EmbedLinks      Bits = 1 << 14
	AttachFiles     Bits = 1 << 15
	ReadHistory     Bits = 1 << 16
	MentionEveryone Bits = 1 << 17
	Connect         Bits = 1 << 20
	Speak           Bits = 1 << 21
	ChangeNickname  Bits = 1 << 26
	ManageNicknames Bits = 1 << 27
	ManageRoles     Bits = 1 << 28
	ManageEvents    Bits = 1 << 33
	ManageThreads   Bits = 1 << 34
	CreateThreads   Bits = 1 << 35
	SendInThreads   Bits = 1 << 38
	ModerateMembers Bits = 1 << 40
	CreateEvents    Bits = 1 << 44
	SendPolls       Bits = 1 << 49
	PinMessages     Bits = 1 << 51

	all = ^Bits(0)
)

// MarshalJSON implements json.Marshaler.
func (b Bits) MarshalJSON() ([]byte, error) {
	return json.Marshal(strconv.FormatUint(uint64(b), 10))
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *Bits) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 10, 64)
	*b = Bits(n)
	return err
}

// rights are what somebody may do in a guild, no channel considered.
func (s *Server) rights(g *Guild, user string) Bits {
	m := g.Members[user]
	if m == nil {
		return 0
	}
	if g.Owner == user {
		return all
	}
	var b Bits
	for _, r := range g.Roles {
		if r.ID == g.ID || slices.Contains(m.Roles, r.ID) {
			b |= r.Permissions
		}
	}
	if b&Administrator != 0 {
		return all
	}
	if m.Silent != nil && m.Silent.After(s.now()) {
		b &= ViewChannel | ReadHistory
	}
	return b
}

// can tells whether somebody has all of these rights in a channel.
func (s *Server) can(user string, c *Channel, want Bits) bool {
	if c.Type == DM {
		allowed := ViewChannel | SendMessages | ReadHistory | AddReactions | AttachFiles | EmbedLinks | SendPolls | PinMessages
		return want&^allowed == 0
	}
	g := s.guilds[c.GuildID]
	base := s.rights(g, user)
	if base == all {
		return true
	}
	m := g.Members[user]
	if m == nil {
		return false
	}
	from := c
	if c.IsThread() {
		from = s.channels[*c.ParentID]
	}
	for _, o := range from.Overwrites {
		if o.ID == g.ID {
			base = base&^o.Deny | o.Allow
		}
	}
	var allow, deny Bits
	for _, o := range from.Overwrites {
		if o.Type == 0 && o.ID != g.ID && slices.Contains(m.Roles, o.ID) {
			allow |= o.Allow
			deny |= o.Deny
		}
	}
	base = base&^deny | allow
	for _, o := range from.Overwrites {
		if o.Type == 1 && o.ID == user {
			base = base&^o.Deny | o.Allow
		}
	}
	if base&ViewChannel == 0 {
		return false
	}
	if m.Silent != nil && m.Silent.After(s.now()) {
		base &= ViewChannel | ReadHistory
	}
	if c.IsThread() {
		if c.Type == PrivateThread && !c.members[user] && base&ManageThreads == 0 {
			return false
		}
		if want&SendMessages != 0 {
			want = want&^SendMessages | SendInThreads
		}
	}
	return base&want == want
}

// top is the position of somebody's highest role; the owner's is above all.
func (g *Guild) top(user string) int {
	if g.Owner == user {
		return 1 << 30
	}
	most := 0
	if m := g.Members[user]; m != nil {
		for _, r := range g.Roles {
			if slices.Contains(m.Roles, r.ID) {
				most = max(most, r.Position)
			}
		}
	}
	return most
}

// Can tells whether somebody has all of these rights in a channel.
func (s *Server) Can(u *User, c *Channel, want Bits) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.can(u.ID, c, want|ViewChannel)
}
