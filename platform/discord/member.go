package discord

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

func (r role) out() platform.Role {
	return platform.Role{ID: r.ID.String(), Name: r.Name, Position: r.Position, Members: -1, Managed: r.Managed}
}

// Member implements platform.MemberKeeper.
func (d *Discord) Member(ctx context.Context, in platform.Room, who string) (platform.Member, error) {
	guild, id, err := d.whom(ctx, in, who)
	if err != nil {
		return platform.Member{}, err
	}
	g, err := d.guild(ctx, guild)
	if err != nil {
		return platform.Member{}, err
	}
	m, err := d.member(ctx, guild, id)
	if err != nil {
		return platform.Member{}, err
	}
	out := platform.Member{Person: person(m.User, nil), Nickname: m.Nick, Joined: m.Joined}
	if d.silenced(&m) {
		out.Silent = *m.Silent
	}
	for _, id := range m.Roles {
		if r, ok := g.role(id); ok {
			out.Roles = append(out.Roles, r.out())
		}
	}
	return out, nil
}

// whom reads who is meant, and on which server.
func (d *Discord) whom(ctx context.Context, in platform.Room, who string) (guild, person snowflake.ID, err error) {
	if person, err = parse("person", who); err != nil {
		return 0, 0, err
	}
	_, guild, err = d.near(ctx, in)
	return guild, person, err
}

var countMembers = rest.NewEndpoint("GET", "/guilds/{guild.id}/roles/member-counts")

// Roles implements platform.RoleKeeper.
func (d *Discord) Roles(ctx context.Context, in platform.Room) ([]platform.Role, error) {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return nil, err
	}
	g, err := d.guild(ctx, guild)
	if err != nil {
		return nil, err
	}
	// Not to know how many have a role is no reason not to list it.
	counts := map[string]int{}
	_ = d.call(ctx, countMembers.Compile(nil, guild), nil, &counts)
	var roles []platform.Role
	for _, r := range g.Roles {
		out := r.out()
		if n, ok := counts[out.ID]; ok {
			out.Members = n
		}
		roles = append(roles, out)
	}
	return roles, nil
}

// AddRole implements platform.RoleKeeper.
func (d *Discord) AddRole(ctx context.Context, in platform.Room, who, role string) error {
	return d.giveRole(ctx, rest.AddMemberRole, in, who, role)
}

// RemoveRole implements platform.RoleKeeper.
func (d *Discord) RemoveRole(ctx context.Context, in platform.Room, who, role string) error {
	return d.giveRole(ctx, rest.RemoveMemberRole, in, who, role)
}

func (d *Discord) giveRole(ctx context.Context, endpoint *rest.Endpoint, in platform.Room, who, role string) error {
	guild, person, err := d.whom(ctx, in, who)
	if err != nil {
		return err
	}
	id, err := parse("role", role)
	if err != nil {
		return err
	}
	return d.call(ctx, endpoint.Compile(nil, guild, person, id), nil, nil)
}

// because is a reason for the server's audit log.
func because(reason string) []rest.RequestOpt {
	if reason == "" {
		return nil
	}
	const most = 512 // as it stands in the header, where one character may take twelve
	var b strings.Builder
	for _, r := range reason {
		escaped := url.PathEscape(string(r))
		if b.Len()+len(escaped) > most {
			break
		}
		b.WriteString(escaped)
	}
	return []rest.RequestOpt{rest.WithHeader("X-Audit-Log-Reason", b.String())}
}

// longestSilence is as long as Discord silences anybody.
const longestSilence = 28 * 24 * time.Hour

// Timeout implements platform.Moderator. No time ends it.
func (d *Discord) Timeout(ctx context.Context, in platform.Room, who string, silent time.Duration, reason string) error {
	guild, person, err := d.whom(ctx, in, who)
	if err != nil {
		return err
	}
	if silent > longestSilence {
		return platform.Refuse("Discord times nobody out for more than 28 days")
	}
	body := map[string]any{"communication_disabled_until": nil}
	if silent > 0 {
		body["communication_disabled_until"] = d.now().Add(silent).UTC().Format(time.RFC3339)
	}
	return d.call(ctx, rest.UpdateMember.Compile(nil, guild, person), body, nil, because(reason)...)
}

// Kick implements platform.Moderator.
func (d *Discord) Kick(ctx context.Context, in platform.Room, who, reason string) error {
	guild, person, err := d.whom(ctx, in, who)
	if err != nil {
		return err
	}
	return d.call(ctx, rest.RemoveMember.Compile(nil, guild, person), nil, nil, because(reason)...)
}

// Ban implements platform.Moderator.
func (d *Discord) Ban(ctx context.Context, in platform.Room, who, reason string, deleteDays int) error {
	guild, person, err := d.whom(ctx, in, who)
	if err != nil {
		return err
	}
	if deleteDays < 0 || deleteDays > 7 {
		return platform.Refuse("Discord deletes the messages of 0 to 7 days")
	}
	body := map[string]any{"delete_message_seconds": deleteDays * 24 * 60 * 60}
	return d.call(ctx, rest.AddBan.Compile(nil, guild, person), body, nil, because(reason)...)
}
