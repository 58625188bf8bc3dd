package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
)

// A place is a guild with a bit of everything in it, made anew for each case. Grace asks
// in the room desk; what she asks for is done elsewhere.
type place struct {
	*rig
	guild    *discordtest.Guild
	rooms    map[string]*discordtest.Channel
	everyone *discordtest.Role
	crew     *discordtest.Role // Grace's, and Eve's
	own      *discordtest.Role // the bot's
	ids      map[string]string // of what instructions name as {…}
	outbound string            // the directory for outgoing files
	leave    []string          // messages that made it what it is
}

// user is somebody of that name, who is in every guild.
func (r *rig) user(name string) *discordtest.User {
	if r.people[name] == nil {
		r.people[name] = r.discord.AddUser(name)
	}
	return r.people[name]
}

// newPlace furnishes a guild in which Grace and Eve have these rights besides everyone's.
func (r *rig) newPlace(t *testing.T, rights discordtest.Bits) *place {
	t.Helper()
	d := r.discord
	p := &place{rig: r, rooms: map[string]*discordtest.Channel{}, ids: map[string]string{}, outbound: filepath.Join(r.config.Data, "outbound")}
	p.guild = d.AddGuild("Library", r.user("olga"))
	p.everyone = p.guild.Roles[0]
	for _, room := range []struct {
		name string
		kind int
	}{
		{"desk", discordtest.Text},
		{"news", discordtest.Text},
		{"alerts", discordtest.Announcement},
		{"ideas", discordtest.Forum},
		{"lounge", discordtest.Voice},
		{"projects", discordtest.Category},
	} {
		p.rooms[room.name] = d.AddChannel(p.guild, room.name, room.kind)
	}
	p.rooms["vault"] = d.AddChannel(p.guild, "vault", discordtest.Text, discordtest.Overwrite{ID: p.guild.ID, Deny: discordtest.ViewChannel})
	d.ChangeChannel(p.rooms["ideas"], func(c *discordtest.Channel) {
		c.AvailableTags = []discordtest.Tag{{ID: "1000000000000000001", Name: "open"}, {ID: "1000000000000000002", Name: "solved"}}
	})
	p.rooms["door"] = d.AddThread(p.rooms["ideas"], "The door", discordtest.PublicThread)
	d.ChangeChannel(p.rooms["door"], func(c *discordtest.Channel) { c.Metadata.Archived = true })

	editors := d.AddRole(p.guild, "editors", 0)
	p.crew = d.AddRole(p.guild, "crew", rights)
	for _, name := range []string{"grace", "eve"} {
		d.AddMember(p.guild, r.user(name), p.crew)
	}
	d.AddMember(p.guild, r.user("ada"))
	d.AddMember(p.guild, r.user("bob"))
	d.AddMember(p.guild, r.user("carl"), editors)
	p.own = d.JoinBot(p.guild)

	news := p.rooms["news"]
	p.ids["message"] = d.Write(r.user("ada"), news, "The release is on Friday.")
	p.ids["pinned"] = d.Write(r.user("ada"), news, "Read this first.")
	d.AddPin(news, p.ids["pinned"])
	p.ids["post"] = d.Write(d.Bot(), news, "The draft of the news.")
	d.React(d.Bot(), news, p.ids["message"], "👀")
	p.ids["alert"] = d.Write(r.user("ada"), p.rooms["alerts"], "The library is closed on Monday.")
	p.ids["earlier"] = d.Write(r.user("ada"), p.rooms["desk"], "Is anybody there?")
	p.ids["event"] = d.AddEvent(p.guild, "Movie night", p.rooms["lounge"], time.Date(2989, 1, 31, 18, 0, 0, 0, time.UTC)).ID
	for name, room := range p.rooms {
		p.ids[name] = room.ID
	}
	for name, u := range r.people {
		p.ids[name] = u.ID
	}
	p.ids["editors"], p.ids["tag"], p.ids["solved"] = editors.ID, "1000000000000000001", "1000000000000000002"
	for name, data := range map[string]string{"report.txt": "All is well.", "dot.png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "song.mp3": "ID3\x04\x00\x00\x00\x00\x00\x00\xff\xfb"} {
		if err := os.WriteFile(filepath.Join(p.outbound, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// fill puts the ids of a place into an instruction.
func (p *place) fill(instruction string) string {
	for name, id := range p.ids {
		instruction = strings.ReplaceAll(instruction, "{"+name+"}", id)
	}
	return instruction
}

func (p *place) grace() *discordtest.User { return p.user("grace") }

// message is one that stands in a room, or nil.
func (p *place) message(room, id string) *discordtest.Message {
	for _, m := range p.discord.Messages(p.rooms[room]) {
		if m.ID == p.fill(id) {
			return &m
		}
	}
	return nil
}

// room is a room of the place as it stands, by its name; nil if there is none.
func (p *place) room(name string) *discordtest.Channel {
	for _, c := range p.discord.Channels() {
		if c.GuildID == p.guild.ID && c.Name == name {
			return &c
		}
	}
	return nil
}

// posts are what the bot has written in a room since the place was made.
func (p *place) posts(room *discordtest.Channel) []discordtest.Message {
	return slices.DeleteFunc(p.discord.Posts(room), func(m discordtest.Message) bool { return m.ID == p.ids["post"] })
}

// deny takes rights from somebody in a room, or from everyone but the bot if there is none.
func (p *place) deny(who *discordtest.User, rights discordtest.Bits, room string) {
	if room != "" {
		p.discord.Except(p.rooms[room], who, rights)
		return
	}
	for _, role := range []*discordtest.Role{p.everyone, p.crew} {
		p.discord.ChangeRole(p.guild, role, func(r *discordtest.Role) { r.Permissions &^= rights })
	}
}

// denyBot takes rights from the bot, in a room or everywhere.
func (p *place) denyBot(rights discordtest.Bits, room string) {
	if room != "" {
		p.discord.Except(p.rooms[room], p.discord.Bot(), rights)
		return
	}
	for _, role := range []*discordtest.Role{p.everyone, p.own} {
		p.discord.ChangeRole(p.guild, role, func(r *discordtest.Role) { r.Permissions &^= rights })
	}
}
