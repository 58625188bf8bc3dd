package discord_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/discord"
)

func TestMay(t *testing.T) {
	type deny = discordtest.Overwrite
	for _, test := range []struct {
		name  string
		set   func(f *fixture) (who *discordtest.User, in *discordtest.Channel)
		right platform.Right
		want  bool
	}{
		{"what everyone may", func(f *fixture) (*discordtest.User, *discordtest.Channel) { return f.Ada, f.General }, platform.SendMessages, true},
		{"what not everyone may", func(f *fixture) (*discordtest.User, *discordtest.Channel) { return f.Ada, f.General }, platform.ManageRooms, false},
		{"the owner everything", func(f *fixture) (*discordtest.User, *discordtest.Channel) { return f.Owner, f.General }, platform.BanMembers, true},
		{"the owner, whatever the room says", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			return f.Owner, f.AddChannel(f.Guild, "x", discordtest.Text, deny{ID: f.Owner.ID, Type: 1, Deny: discordtest.ViewChannel})
		}, platform.SendMessages, true},
		{"an administrator, whatever the room says", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			u := f.AddUser("admin")
			f.AddMember(f.Guild, u, f.Server.AddRole(f.Guild, "admins", discordtest.Administrator))
			return u, f.AddChannel(f.Guild, "x", discordtest.Text, deny{ID: u.ID, Type: 1, Deny: discordtest.ViewChannel})
		}, platform.ManageServer, true},
		{"by a role", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			u := f.AddUser("editor")
			f.AddMember(f.Guild, u, f.Server.AddRole(f.Guild, "editors", discordtest.ManageMessages))
			return u, f.General
		}, platform.ManageMessages, true},
		{"not in a room that is closed to everyone", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			return f.Ada, f.AddChannel(f.Guild, "x", discordtest.Text, deny{ID: f.BotRole.ID, Allow: discordtest.ViewChannel}, deny{ID: f.Guild.ID, Deny: discordtest.ViewChannel})
		}, platform.SendMessages, false},
		{"in a room that is closed to everyone but them", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			return f.Ada, f.AddChannel(f.Guild, "x", discordtest.Text, deny{ID: f.BotRole.ID, Allow: discordtest.ViewChannel}, deny{ID: f.Guild.ID, Deny: discordtest.ViewChannel}, deny{ID: f.Ada.ID, Type: 1, Allow: discordtest.ViewChannel})
		}, platform.SendMessages, true},
		{"one role allows what another denies", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			a, b := f.Server.AddRole(f.Guild, "a", 0), f.Server.AddRole(f.Guild, "b", 0)
			u := f.AddUser("both")
			f.AddMember(f.Guild, u, a, b)
			return u, f.AddChannel(f.Guild, "x", discordtest.Text, deny{ID: a.ID, Allow: discordtest.SendMessages}, deny{ID: b.ID, Deny: discordtest.SendMessages})
		}, platform.SendMessages, true},
		{"what is denied to the person, though a role allows it", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			a := f.Server.AddRole(f.Guild, "a", 0)
			u := f.AddUser("one")
			f.AddMember(f.Guild, u, a)
			return u, f.AddChannel(f.Guild, "x", discordtest.Text, deny{ID: u.ID, Type: 1, Deny: discordtest.SendMessages}, deny{ID: a.ID, Allow: discordtest.SendMessages})
		}, platform.SendMessages, false},
		{"managing roles is not given by a room", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			return f.Ada, f.AddChannel(f.Guild, "x", discordtest.Text, deny{ID: f.Ada.ID, Type: 1, Allow: discordtest.ManageRoles})
		}, platform.ManageRoles, false},
		{"in a thread as in its room", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			c := f.AddChannel(f.Guild, "x", discordtest.Text, deny{ID: f.BotRole.ID, Allow: discordtest.ViewChannel}, deny{ID: f.Guild.ID, Deny: discordtest.ViewChannel})
			return f.Ada, f.AddThread(c, "t", discordtest.PublicThread)
		}, platform.ViewRoom, false},
		{"in a thread of a room where only threads are written", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			c := f.AddChannel(f.Guild, "x", discordtest.Text, deny{ID: f.Guild.ID, Deny: discordtest.SendMessages})
			return f.Ada, f.AddThread(c, "t", discordtest.PublicThread)
		}, platform.SendMessages, true},
		{"not in a private thread of others", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			return f.Ada, f.AddThread(f.General, "t", discordtest.PrivateThread, f.Bot())
		}, platform.ViewRoom, false},
		{"in a private thread they are in", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			return f.Ada, f.AddThread(f.General, "t", discordtest.PrivateThread, f.Ada, f.Bot())
		}, platform.SendMessages, true},
		{"not while they are timed out", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			until := time.Now().Add(time.Hour)
			f.ChangeMember(f.Guild, f.Ada, func(m *discordtest.Member) { m.Silent = &until })
			return f.Ada, f.General
		}, platform.SendMessages, false},
		{"reading while they are timed out", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			until := time.Now().Add(time.Hour)
			f.ChangeMember(f.Guild, f.Ada, func(m *discordtest.Member) { m.Silent = &until })
			return f.Ada, f.General
		}, platform.ReadHistory, true},
		{"after a timeout", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			until := time.Now().Add(-time.Hour)
			f.ChangeMember(f.Guild, f.Ada, func(m *discordtest.Member) { m.Silent = &until })
			return f.Ada, f.General
		}, platform.SendMessages, true},
		{"nobody who is not there", func(f *fixture) (*discordtest.User, *discordtest.Channel) { return f.AddUser("stranger"), f.General }, platform.ViewRoom, false},
		{"writing in their own direct chat", func(f *fixture) (*discordtest.User, *discordtest.Channel) { return f.Ada, f.Direct(f.Ada) }, platform.SendMessages, true},
		{"nothing of a server in a direct chat", func(f *fixture) (*discordtest.User, *discordtest.Channel) { return f.Ada, f.Direct(f.Ada) }, platform.ManageRooms, false},
		{"nothing in somebody else's direct chat", func(f *fixture) (*discordtest.User, *discordtest.Channel) { return f.Owner, f.Direct(f.Ada) }, platform.ViewRoom, false},
		{"not in a voice room they may not enter", func(f *fixture) (*discordtest.User, *discordtest.Channel) {
			return f.Ada, f.AddChannel(f.Guild, "x", discordtest.Voice, deny{ID: f.Guild.ID, Deny: discordtest.Connect})
		}, platform.ConnectVoice, false},
	} {
		for _, connected := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, connected %v", test.name, connected), func(t *testing.T) {
				f := prepare(t)
				if connected {
					f.run()
				}
				who, in := test.set(f)
				if connected {
					f.sync()
				}
				got, err := f.May(f.ctx, who.ID, test.right, at(in))
				if err != nil || got != test.want {
					t.Errorf("may they %s? %v, %v; want %v", test.right, got, err, test.want)
				}
			})
		}
	}
}

// What discordtest decides for itself is what the adapter finds out.
func TestLawMayIsWhatDiscordDoes(t *testing.T) {
	bits := map[platform.Right]discordtest.Bits{
		platform.ViewRoom: 0, platform.ReadHistory: discordtest.ReadHistory, platform.SendMessages: discordtest.SendMessages,
		platform.ManageMessages: discordtest.ManageMessages, platform.PinMessages: discordtest.PinMessages,
		platform.CreateThreads: discordtest.CreateThreads, platform.ManageThreads: discordtest.ManageThreads, platform.ManageRooms: discordtest.ManageChannels,
	}
	some := rapid.Custom(func(t *rapid.T) discordtest.Bits {
		var b discordtest.Bits
		for _, bit := range rapid.SliceOfN(rapid.SampledFrom([]discordtest.Bits{
			discordtest.ViewChannel, discordtest.SendMessages, discordtest.ReadHistory, discordtest.ManageMessages, discordtest.PinMessages,
			discordtest.CreateThreads, discordtest.ManageThreads, discordtest.ManageChannels, discordtest.SendInThreads,
		}), 0, 5).Draw(t, "bits") {
			b |= bit
		}
		return b
	})
	f := start(t)
	people := 0
	rapid.Check(t, func(r *rapid.T) {
		people++
		who := f.AddUser(fmt.Sprintf("person%d", people))
		var roles []*discordtest.Role
		for range rapid.IntRange(0, 3).Draw(r, "roles") {
			rights := some.Draw(r, "rights")
			if rapid.IntRange(0, 20).Draw(r, "admin") == 0 {
				rights |= discordtest.Administrator
			}
			roles = append(roles, f.Server.AddRole(f.Guild, "r", rights))
		}
		m := f.AddMember(f.Guild, who, roles...)
		if rapid.IntRange(0, 5).Draw(r, "silent") == 0 {
			until := time.Now().Add(time.Hour)
			f.ChangeMember(f.Guild, who, func(*discordtest.Member) { m.Silent = &until })
		}
		ids := []discordtest.Overwrite{{ID: f.Guild.ID}, {ID: who.ID, Type: 1}, {ID: f.Ada.ID, Type: 1}, {ID: f.BotRole.ID}}
		for _, role := range roles {
			ids = append(ids, discordtest.Overwrite{ID: role.ID})
		}
		var exceptions []discordtest.Overwrite
		for _, o := range rapid.Permutation(ids).Draw(r, "order")[:rapid.IntRange(0, len(ids)).Draw(r, "exceptions")] {
			o.Allow, o.Deny = some.Draw(r, "allow"), some.Draw(r, "deny")
			exceptions = append(exceptions, o)
		}
		in := f.AddChannel(f.Guild, "room", discordtest.Text, exceptions...)
		if kind := rapid.SampledFrom([]int{0, discordtest.PublicThread}).Draw(r, "thread"); kind != 0 {
			in = f.AddThread(in, "thread", kind)
		}
		f.sync()
		for right, bit := range bits {
			got, err := f.May(f.ctx, who.ID, right, at(in))
			if want := f.Can(who, in, bit); err != nil || got != want {
				r.Errorf("may they %s? %v, %v; want %v", right, got, err, want)
			}
		}
	})
}

func TestWhatCannotBeFoundOutIsNotAllowed(t *testing.T) {
	f := prepare(t, func(o *discord.Options) { o.APIURL = "http://127.0.0.1:1" })
	if may, err := f.May(f.ctx, f.Owner.ID, platform.ViewRoom, at(f.General)); may || err == nil {
		t.Errorf("got %v, %v; want an error", may, err)
	}
	if above, err := f.Outranks(f.ctx, at(f.General), f.Owner.ID, f.Ada.ID); above || err == nil {
		t.Errorf("got %v, %v; want an error", above, err)
	}
	f = prepare(t)
	hidden := f.AddChannel(f.Guild, "x", discordtest.Text, discordtest.Overwrite{ID: f.Guild.ID, Deny: discordtest.ViewChannel})
	if may, err := f.May(f.ctx, f.Ada.ID, platform.ViewRoom, at(hidden)); may || err == nil {
		t.Errorf("a room that the bot cannot see: %v, %v; want an error", may, err)
	}
	if may, err := f.May(f.ctx, f.Owner.ID, "fly", at(f.General)); may || err == nil {
		t.Errorf("a right that nobody knows: %v, %v; want an error", may, err)
	}
}

// Rights change while it is connected, and the change counts at once; and when it is not
// connected, Discord is asked.
func TestRightsKeepUp(t *testing.T) {
	f := start(t)
	role := f.Server.AddRole(f.Guild, "editors", 0)
	f.ChangeMember(f.Guild, f.Ada, func(m *discordtest.Member) { m.Roles = append(m.Roles, role.ID) })
	may := func(right platform.Right, want bool, when string) {
		t.Helper()
		f.sync()
		if got, err := f.May(f.ctx, f.Ada.ID, right, at(f.General)); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", when, got, err, want)
		}
	}
	may(platform.ManageMessages, false, "before")
	f.ChangeRole(f.Guild, role, func(r *discordtest.Role) { r.Permissions = discordtest.ManageMessages })
	may(platform.ManageMessages, true, "with the role")
	f.ChangeChannel(f.General, func(c *discordtest.Channel) {
		c.Overwrites = []discordtest.Overwrite{{ID: role.ID, Deny: discordtest.ManageMessages}}
	})
	may(platform.ManageMessages, false, "with an exception")
	must(t, f.stop())
	f.ChangeChannel(f.General, func(c *discordtest.Channel) { c.Overwrites = nil })
	if got, err := f.May(f.ctx, f.Ada.ID, platform.ManageMessages, at(f.General)); err != nil || !got {
		t.Errorf("when it is not connected: %v, %v; want true", got, err)
	}
	f.ChangeRole(f.Guild, role, func(r *discordtest.Role) { r.Permissions = 0 })
	if got, err := f.May(f.ctx, f.Ada.ID, platform.ManageMessages, at(f.General)); err != nil || got {
		t.Errorf("when it is not connected and the role has changed: %v, %v; want false", got, err)
	}
}

func TestOutranks(t *testing.T) {
	f := prepare(t)
	low, high := f.Server.AddRole(f.Guild, "low", 0), f.Server.AddRole(f.Guild, "high", 0)
	lady, lord := f.AddUser("lady"), f.AddUser("lord")
	f.AddMember(f.Guild, lady, low)
	f.AddMember(f.Guild, lord, high, low)
	stranger := f.AddUser("stranger")
	for _, test := range []struct {
		who, whom *discordtest.User
		want      bool
	}{
		{lord, lady, true},
		{lady, lord, false},
		{lord, lord, false},
		{lady, f.Ada, true},
		{f.Ada, lady, false},
		{f.Owner, lord, true},
		{lord, f.Owner, false},
		{f.Owner, f.Owner, false},
		{lord, stranger, true},
		{stranger, f.Ada, false},
		{f.Ada, f.Bot(), false},
	} {
		got, err := f.Outranks(f.ctx, at(f.General), test.who.ID, test.whom.ID)
		if err != nil || got != test.want {
			t.Errorf("does %s stand above %s? %v, %v; want %v", test.who.Username, test.whom.Username, got, err, test.want)
		}
	}
	for _, test := range []struct {
		who  *discordtest.User
		role *discordtest.Role
		want bool
	}{
		{lord, low, true}, {lord, high, false}, {lady, high, false}, {f.Owner, high, true}, {stranger, low, false},
	} {
		got, err := f.OutranksRole(f.ctx, at(f.General), test.who.ID, test.role.ID)
		if err != nil || got != test.want {
			t.Errorf("does %s stand above %s? %v, %v; want %v", test.who.Username, test.role.Name, got, err, test.want)
		}
	}
	if _, err := f.OutranksRole(f.ctx, at(f.General), lord.ID, "1234567890123456789"); err == nil || !strings.Contains(err.Error(), "no such role") {
		t.Errorf("a role that is not there: %v", err)
	}
}
