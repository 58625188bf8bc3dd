package discord

import (
	"context"
	"slices"

	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// Permission bits, as far as they are decided on.
const (
	kickMembers     rights = 1 << 1
	banMembers      rights = 1 << 2
	administrator   rights = 1 << 3
	manageChannels  rights = 1 << 4
	manageServer    rights = 1 << 5
	addReactions    rights = 1 << 6
	viewChannel     rights = 1 << 10
	sendMessages    rights = 1 << 11
	manageMessages  rights = 1 << 13
	attachFiles     rights = 1 << 15
	readHistory     rights = 1 << 16
	connect         rights = 1 << 20
	manageNicknames rights = 1 << 27
	manageRoles     rights = 1 << 28
	manageEvents    rights = 1 << 33
	manageThreads   rights = 1 << 34
	createThreads   rights = 1 << 35 // public ones
	sendInThreads   rights = 1 << 38
	moderateMembers rights = 1 << 40
	sendPolls       rights = 1 << 49
	pinMessages     rights = 1 << 51

	everything = ^rights(0)
)

// inRoom are the rights that a room may make an exception of, and what a person needs
// for them besides seeing the room.
var inRoom = map[platform.Right]rights{
	platform.ViewRoom:       0,
	platform.ReadHistory:    readHistory,
	platform.SendMessages:   sendMessages,
	platform.SendInThreads:  sendInThreads,
	platform.AttachFiles:    attachFiles | sendMessages,
	platform.AddReactions:   addReactions | readHistory,
	platform.CreatePolls:    sendPolls | sendMessages,
	platform.CreateThreads:  createThreads,
	platform.ManageThreads:  manageThreads,
	platform.ManageMessages: manageMessages,
	platform.PinMessages:    pinMessages,
	platform.ManageRooms:    manageChannels,
	platform.ConnectVoice:   connect,
}

// onServer are those that hold for the whole server. A room's exception of "manage
// roles" is about the exceptions of that room, and gives nobody a role.
var onServer = map[platform.Right]rights{
	platform.ManageRoles:    manageRoles,
	platform.ManageEvents:   manageEvents,
	platform.TimeoutMembers: moderateMembers,
	platform.KickMembers:    kickMembers,
	platform.BanMembers:     banMembers,
	platform.ManageNames:    manageNicknames,
	platform.ManageServer:   manageServer,
}

// inDirect is what both may do in a direct chat.
var inDirect = []platform.Right{
	platform.ViewRoom, platform.ReadHistory, platform.SendMessages, platform.AttachFiles, platform.AddReactions,
	platform.CreatePolls, platform.PinMessages,
}

// May implements platform.Warden.
func (d *Discord) May(ctx context.Context, person string, right platform.Right, in platform.Room) (bool, error) {
	who, err := parse("person", person)
	if err != nil {
		return false, err
	}
	id, err := parse("room", in.ID)
	if err != nil {
		return false, err
	}
	c, err := d.channel(ctx, id)
	if err != nil {
		return false, err
	}
	if c.Guild == 0 {
		among := slices.ContainsFunc(c.Recipients, func(u user) bool { return u.ID == who })
		return among && slices.Contains(inDirect, right), nil
	}
	g, m, err := d.standing(ctx, c.Guild, who)
	if err != nil || m == nil {
		return false, err
	}
	if need, ok := onServer[right]; ok {
		return d.base(g, m)&need == need, nil
	}
	need, ok := inRoom[right]
	if !ok {
		return false, platform.Refuse("nobody knows who may %s on Discord", right)
	}
	has, err := d.rights(ctx, g, m, c)
	if c.isThread() && need&sendMessages != 0 {
		need = need&^sendMessages | sendInThreads
	}
	need |= viewChannel
	return has&need == need, err
}

// standing is a guild and somebody in it. The member is nil if they are not in it.
func (d *Discord) standing(ctx context.Context, id, who snowflake.ID) (*guild, *member, error) {
	g, err := d.guild(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	m, err := d.member(ctx, id, who)
	if is(err, unknownMember, unknownUser) {
		return g, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return g, &m, nil
}

// silenced tells whether a member may not write for a time.
func (d *Discord) silenced(m *member) bool { return m.Silent != nil && m.Silent.After(d.now()) }

// base is what somebody may do in a guild, no room considered.
func (d *Discord) base(g *guild, m *member) rights {
	if m.User.ID == g.Owner {
		return everything
	}
	var has rights
	for _, r := range g.Roles {
		if r.ID == g.ID || slices.Contains(m.Roles, r.ID) { // everyone has the guild's own
			has |= r.Rights
		}
	}
	if has&administrator != 0 {
		return everything
	}
	if d.silenced(m) {
		has &= viewChannel | readHistory
	}
	return has
}

// rights are what somebody may do in a channel. A thread has those of the room it is in.
func (d *Discord) rights(ctx context.Context, g *guild, m *member, c channel) (rights, error) {
	has := d.base(g, m)
	if has == everything {
		return has, nil
	}
	from := c
	if c.isThread() {
		var err error
		if from, err = d.channel(ctx, c.Parent); err != nil {
			return 0, err
		}
	}
	has = except(has, from.Overwrites, g.ID, m)
	if has&viewChannel == 0 {
		return 0, nil
	}
	if d.silenced(m) {
		has &= viewChannel | readHistory
	}
	if (c.Type == voiceChannel || c.Type == stageChannel) && has&connect == 0 {
		has &= viewChannel
	}
	if c.Type == privateThread && has&manageThreads == 0 {
		in, err := d.inThread(ctx, c.ID, m.User.ID)
		if err != nil || !in {
			return 0, err
		}
	}
	return has, nil
}

// except applies a room's exceptions: first everyone's, then those of all roles
// together, then the person's own. Within each, allowing wins.
func except(has rights, exceptions []overwrite, everyone snowflake.ID, m *member) rights {
	var ofRoles, own overwrite
	for _, o := range exceptions {
		switch {
		case o.Type == 0 && o.ID == everyone:
			has = has&^o.Deny | o.Allow
		case o.Type == 0 && slices.Contains(m.Roles, o.ID):
			ofRoles.Deny |= o.Deny
			ofRoles.Allow |= o.Allow
		case o.Type == 1 && o.ID == m.User.ID:
			own = o
		}
	}
	has = has&^ofRoles.Deny | ofRoles.Allow
	return has&^own.Deny | own.Allow
}

// Outranks implements platform.Warden. Nobody stands above the owner, and nobody above
// themselves.
func (d *Discord) Outranks(ctx context.Context, near platform.Room, person, other string) (bool, error) {
	_, id, err := d.near(ctx, near)
	if err != nil {
		return false, err
	}
	who, err := parse("person", person)
	if err != nil {
		return false, err
	}
	whom, err := parse("person", other)
	if err != nil {
		return false, err
	}
	g, m, err := d.standing(ctx, id, who)
	if err != nil || m == nil || who == whom || whom == g.Owner {
		return false, err
	}
	if who == g.Owner {
		return true, nil
	}
	_, o, err := d.standing(ctx, id, whom)
	if err != nil {
		return false, err
	}
	if o == nil {
		o = &member{} // who is not there has no roles
	}
	return above(g.top(m), g.top(o)), nil
}

// OutranksRole implements platform.Warden.
func (d *Discord) OutranksRole(ctx context.Context, near platform.Room, person, roleID string) (bool, error) {
	_, id, err := d.near(ctx, near)
	if err != nil {
		return false, err
	}
	who, err := parse("person", person)
	if err != nil {
		return false, err
	}
	wanted, err := parse("role", roleID)
	if err != nil {
		return false, err
	}
	g, m, err := d.standing(ctx, id, who)
	if err != nil || m == nil {
		return false, err
	}
	r, ok := g.role(wanted)
	if !ok {
		return false, platform.Refuse("there is no such role on Discord")
	}
	return who == g.Owner || above(g.top(m), r), nil
}

// top is somebody's highest role. Everyone has at least the guild's own.
func (g *guild) top(m *member) role {
	best, _ := g.role(g.ID)
	for _, id := range m.Roles {
		if r, ok := g.role(id); ok && above(r, best) {
			best = r
		}
	}
	return best
}

// above tells which of two roles stands higher: in the same place it is the older one.
func above(a, b role) bool {
	return a.Position > b.Position || a.Position == b.Position && a.ID < b.ID
}
