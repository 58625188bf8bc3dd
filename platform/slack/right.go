package slack

import (
	"context"
	"net/url"
	"slices"

	"github.com/asidehq/aside/platform"
)

// everyday is what the members of a channel may do in it.
var everyday = []platform.Right{
	platform.ViewRoom, platform.ReadHistory, platform.SendMessages, platform.SendInThreads, platform.AttachFiles,
	platform.AddReactions, platform.CreatePolls, platform.CreateThreads, platform.PinMessages,
}

// ofAdmins is what the workspace's admins and owners may do, and nobody else.
var ofAdmins = []platform.Right{platform.ManageMessages, platform.ManageThreads, platform.ManageServer, platform.KickMembers, platform.ManageNames}

// May implements platform.Warden. Slack does not tell an app all rules of a workspace; what
// is not known to be allowed is not.
func (s *Slack) May(ctx context.Context, person string, right platform.Right, in platform.Room) (bool, error) {
	at, err := where(in)
	if err != nil {
		return false, err
	}
	u, err := s.user(ctx, person, true)
	if err != nil {
		return false, err
	}
	c, err := s.freshChannel(ctx, at.channel)
	if err != nil {
		return false, err
	}
	if u.ID != person || u.Deleted {
		return false, nil
	}
	looking := right == platform.ViewRoom || right == platform.ReadHistory
	public := !c.Private && !c.IsDirect && !c.IsGroup
	switch {
	case looking && public && !u.Restricted:
		return true, nil
	case c.Archived && !looking:
		return false, nil
	}
	member, err := s.among(ctx, at.channel, person)
	if err != nil || !member {
		return false, err
	}
	switch {
	case slices.Contains(everyday, right):
		return true, nil
	case c.IsDirect || c.IsGroup:
		return false, nil
	case right == platform.ManageRooms:
		return u.IsAdmin || u.IsOwner || c.Creator == person, nil
	case slices.Contains(ofAdmins, right):
		return u.IsAdmin || u.IsOwner, nil
	}
	return false, platform.Refuse("nobody knows who may %s on Slack", right)
}

// among tells whether somebody is a member of a channel.
func (s *Slack) among(ctx context.Context, channel, person string) (bool, error) {
	values := url.Values{"channel": {channel}, "limit": {"1000"}}
	for range mostLists {
		var page struct {
			Members []string `json:"members"`
			cursor
		}
		if err := s.call(ctx, "conversations.members", values, &page); err != nil {
			return false, err
		}
		if slices.Contains(page.Members, person) {
			return true, nil
		}
		if page.Metadata.Next == "" {
			return false, nil
		}
		values.Set("cursor", page.Metadata.Next)
	}
	return false, platform.Refuse("the channel has too many members to look through")
}

// rank is how high somebody stands in the workspace.
func (u user) rank() int {
	switch {
	case u.Deleted, u.Restricted:
		return 0
	case u.IsOwner:
		return 3
	case u.IsAdmin:
		return 2
	}
	return 1
}

// Outranks implements platform.Warden: owners stand above admins, admins above members,
// members above guests.
func (s *Slack) Outranks(ctx context.Context, _ platform.Room, person, other string) (bool, error) {
	a, err := s.user(ctx, person, true)
	if err != nil {
		return false, err
	}
	b, err := s.user(ctx, other, true)
	if err != nil {
		return false, err
	}
	return a.rank() > b.rank(), nil
}

// OutranksRole implements platform.Warden.
func (s *Slack) OutranksRole(context.Context, platform.Room, string, string) (bool, error) {
	return false, platform.Refuse("Slack has no roles that an app could give")
}

// Member implements platform.MemberKeeper. What somebody is in the workspace stands for
// roles.
func (s *Slack) Member(ctx context.Context, _ platform.Room, who string) (platform.Member, error) {
	u, err := s.user(ctx, who, false)
	if err != nil {
		return platform.Member{}, err
	}
	m := platform.Member{Person: u.person(), Nickname: u.Profile.Display}
	for _, r := range []struct {
		name string
		has  bool
	}{{"owner", u.IsOwner}, {"admin", u.IsAdmin}, {"guest", u.Restricted}} {
		if r.has {
			m.Roles = append(m.Roles, platform.Role{ID: r.name, Name: r.name, Members: -1, Managed: true})
		}
	}
	return m, nil
}
