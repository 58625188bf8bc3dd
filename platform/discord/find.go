package discord

import (
	"context"
	"strings"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// named reads <#123>, <@123>, <@!123>, <@&123> or 123, or else gives the name without
// the sign before it.
func named(text string, signs ...string) (snowflake.ID, string) {
	text = strings.TrimSpace(text)
	inner := text
	if strings.HasPrefix(inner, "<") && strings.HasSuffix(inner, ">") {
		inner = strings.Trim(inner, "<>")
	}
	for _, sign := range signs {
		if rest, ok := strings.CutPrefix(inner, sign); ok {
			inner = rest
			break
		}
	}
	if id, err := snowflake.Parse(inner); err == nil && id > 1<<22 {
		return id, ""
	}
	return 0, inner
}

// one is the one of some that fits, or a problem that says why it is not one.
func one[T any](what, name string, found []T) (T, error) {
	var none T
	switch len(found) {
	case 0:
		return none, platform.Refuse("there is no %s called %q on this Discord server", what, short(name))
	case 1:
		return found[0], nil
	}
	return none, platform.Refuse("%d on this Discord server are called %q: say the id of the %s", len(found), short(name), what)
}

// FindRoom implements platform.Finder.
func (d *Discord) FindRoom(ctx context.Context, in platform.Room, text string) (platform.Room, error) {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return platform.Room{}, err
	}
	id, name := named(text, "#")
	if id != 0 {
		c, err := d.channel(ctx, id)
		if err == nil && c.Guild != guild {
			err = platform.Refuse("the room %s is not on this Discord server", id)
		}
		return room(id), err
	}
	all, err := d.channelsOf(ctx, guild)
	if err != nil {
		return platform.Room{}, err
	}
	// A room and its category, or a thread, may have the same name: the room is meant.
	var rooms, others []platform.Room
	for _, c := range all {
		switch {
		case !strings.EqualFold(c.Name, name):
		case c.isThread(), c.Type == categoryChannel:
			others = append(others, room(c.ID))
		default:
			rooms = append(rooms, room(c.ID))
		}
	}
	if len(rooms) == 0 {
		rooms = others
	}
	return one("room", name, rooms)
}

// FindPerson implements platform.Finder.
func (d *Discord) FindPerson(ctx context.Context, in platform.Room, text string) (platform.Person, error) {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return platform.Person{}, err
	}
	id, name := named(text, "@!", "@")
	if id != 0 {
		m, err := d.member(ctx, guild, id)
		if err != nil {
			return platform.Person{}, err
		}
		return person(m.User, &m), nil
	}
	if name == "" || strings.HasPrefix(name, "&") {
		return platform.Person{}, platform.Refuse("%q is not a person on Discord", short(text))
	}
	var found []member
	query := discord.QueryValues{"query": name, "limit": mostPage}
	if err := d.call(ctx, rest.SearchMembers.Compile(query, guild), nil, &found); err != nil {
		return platform.Person{}, err
	}
	var people []platform.Person
	for _, m := range found {
		if strings.EqualFold(m.User.Username, name) || strings.EqualFold(m.Nick, name) || strings.EqualFold(m.User.GlobalName, name) {
			people = append(people, person(m.User, &m))
		}
	}
	return one("person", name, people)
}

// FindRole implements platform.Finder.
func (d *Discord) FindRole(ctx context.Context, in platform.Room, text string) (platform.Role, error) {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return platform.Role{}, err
	}
	g, err := d.guild(ctx, guild)
	if err != nil {
		return platform.Role{}, err
	}
	id, name := named(text, "@&", "@")
	var found []platform.Role
	for _, r := range g.Roles {
		if r.ID == id || id == 0 && strings.EqualFold(strings.TrimPrefix(r.Name, "@"), name) {
			found = append(found, r.out())
		}
	}
	return one("role", strings.TrimSpace(text), found)
}
