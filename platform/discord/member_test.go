package discord_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform"
)

func TestMembersAndRoles(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		near := at(f.General)
		// Only what stands below the bot's own role can be given.
		f.ChangeRole(f.Guild, f.BotRole, func(r *discordtest.Role) { r.Position = 50 })
		editors := f.Server.AddRole(f.Guild, "editors", 0)
		kings := f.Server.AddRole(f.Guild, "kings", 0)
		f.ChangeRole(f.Guild, kings, func(r *discordtest.Role) { r.Position = 99 })
		f.settle()
		for range 2 {
			must(t, f.Discord.AddRole(f.ctx, near, f.Ada.ID, editors.ID))
		}
		m, err := f.Discord.Member(f.ctx, near, f.Ada.ID)
		if err != nil || m.Name != "ada" || m.ID != f.Ada.ID || len(m.Roles) != 1 || m.Roles[0].Name != "editors" || m.Joined.IsZero() || !m.Silent.IsZero() {
			t.Errorf("the member is %+v, %v", m, err)
		}
		roles, err := f.Roles(f.ctx, near)
		i := slices.IndexFunc(roles, func(r platform.Role) bool { return r.Name == "editors" })
		if err != nil || i < 0 || roles[i].Members != 1 || roles[i].ID != editors.ID {
			t.Errorf("the roles are %+v, %v", roles, err)
		}
		for range 2 {
			must(t, f.RemoveRole(f.ctx, near, f.Ada.ID, editors.ID))
		}
		if m := f.Server.Member(f.Guild, f.Ada); len(m.Roles) != 0 {
			t.Errorf("she still has %v", m.Roles)
		}
		refused(t, f.Discord.AddRole(f.ctx, near, f.Ada.ID, kings.ID), "lacks the permission")
		refused(t, f.Discord.AddRole(f.ctx, near, f.AddUser("stranger").ID, editors.ID), "not on the Discord server")
		refused(t, f.Discord.AddRole(f.ctx, near, f.Ada.ID, "1234567890123456789"), "no such role")
		refused(t, f.Discord.AddRole(f.ctx, near, "@ada", editors.ID), "not the id of a person")
		refused(t, f.Discord.AddRole(f.ctx, at(f.Direct(f.Ada)), f.Ada.ID, editors.ID), "direct chat")
	})
}

func TestModeration(t *testing.T) {
	f := prepare(t)
	near := at(f.General)
	must(t, f.Timeout(f.ctx, near, f.Ada.ID, 10*time.Minute, "too loud: 100 %\r\nX-Evil: yes"))
	m, err := f.Discord.Member(f.ctx, near, f.Ada.ID)
	if left := m.Silent.Sub(f.clock.Now()); err != nil || left < 9*time.Minute || left > 10*time.Minute {
		t.Errorf("she is silent for %v, %v", left, err)
	}
	if got := f.Requests("PATCH", "/members/")[0].Reason; got != "too loud: 100 %\r\nX-Evil: yes" {
		t.Errorf("the reason is %q", got)
	}
	must(t, f.Timeout(f.ctx, near, f.Ada.ID, 0, ""))
	if m := f.Server.Member(f.Guild, f.Ada); m.Silent != nil {
		t.Errorf("she is still silent")
	}
	refused(t, f.Timeout(f.ctx, near, f.Ada.ID, 30*24*time.Hour, ""), "28 days")

	must(t, f.Ban(f.ctx, near, f.Ada.ID, strings.Repeat("ß", 1000), 7))
	ban, ok := f.Banned(f.Guild, f.Ada)
	if !ok || ban.DeleteSeconds != 7*24*3600 || len(ban.Reason) < 100 || !strings.HasPrefix(strings.Repeat("ß", 1000), ban.Reason) {
		t.Errorf("the ban is %+v, %v", ban, ok)
	}
	refused(t, f.Ban(f.ctx, near, f.Ada.ID, "", 8), "0 to 7")
	refused(t, f.Ban(f.ctx, near, f.Owner.ID, "", 0), "lacks the permission")

	eve := f.AddUser("eve")
	f.AddMember(f.Guild, eve)
	must(t, f.Kick(f.ctx, near, eve.ID, "bye"))
	if f.Server.Member(f.Guild, eve) != nil {
		t.Errorf("she is still there")
	}
	refused(t, f.Kick(f.ctx, near, eve.ID, "bye"), "not on the Discord server")
}

func TestEvents(t *testing.T) {
	f := prepare(t)
	near := at(f.General)
	voice := f.AddChannel(f.Guild, "voice", discordtest.Voice)
	starts := time.Now().Add(24 * time.Hour).UTC().Truncate(time.Second)
	ends := starts.Add(time.Hour)
	talk, err := f.CreateEvent(f.ctx, near, platform.Event{Name: "Talk", Description: "About books", Starts: starts, Room: voice.ID})
	if err != nil || talk.Name != "Talk" || talk.Room != voice.ID || !talk.Starts.Equal(starts) || !talk.Ends.IsZero() {
		t.Errorf("the talk is %+v, %v", talk, err)
	}
	walk, err := f.CreateEvent(f.ctx, near, platform.Event{Name: "Walk", Starts: starts, Ends: ends, Location: "the park"})
	if err != nil || walk.Location != "the park" || walk.Room != "" || !walk.Ends.Equal(ends) {
		t.Errorf("the walk is %+v, %v", walk, err)
	}
	name, where := "Long walk", "the woods"
	walk, err = f.EditEvent(f.ctx, near, walk.ID, platform.EventChange{Name: &name, Location: &where})
	if err != nil || walk.Name != name || walk.Location != where || !walk.Ends.Equal(ends) {
		t.Errorf("the walk is %+v, %v", walk, err)
	}
	walk, err = f.EditEvent(f.ctx, near, walk.ID, platform.EventChange{Room: &voice.ID})
	if err != nil || walk.Room != voice.ID {
		t.Errorf("the walk is %+v, %v", walk, err)
	}
	all, err := f.Discord.Events(f.ctx, near)
	if err != nil || len(all) != 2 {
		t.Errorf("the events are %+v, %v", all, err)
	}
	must(t, f.DeleteEvent(f.ctx, near, talk.ID))
	refused(t, f.DeleteEvent(f.ctx, near, talk.ID), "no such event")
	for _, test := range []struct {
		event platform.Event
		words string
	}{
		{platform.Event{Name: "x", Starts: starts, Location: "here"}, "needs an end"},
		{platform.Event{Name: "x", Starts: starts}, "voice room or a location"},
		{platform.Event{Name: "x", Starts: starts, Room: f.General.ID}, "voice room"},
		{platform.Event{Name: "x", Starts: starts.Add(-48 * time.Hour), Room: voice.ID}, "in the past"},
	} {
		_, err := f.CreateEvent(f.ctx, near, test.event)
		refused(t, err, test.words)
	}
}

func TestPresence(t *testing.T) {
	f := prepare(t)
	impatient, cancel := context.WithCancel(f.ctx)
	cancel()
	if err := f.SetStatus(impatient, "idle"); err == nil {
		t.Errorf("a status is set though it is not connected")
	}
	early := make(chan error)
	go func() { early <- f.SetStatus(f.ctx, "dnd") }() // which waits for the connection
	f.run()
	must(t, <-early)
	must(t, f.SetActivity(f.ctx, "Watching", "the clouds"))
	must(t, f.SetActivity(f.ctx, "Custom", "thinking"))
	seen := f.Presences(f.ctx, 4)
	if len(seen) != 4 || seen[0]["status"] != "online" || seen[1]["status"] != "dnd" {
		t.Fatalf("it appeared as %v", seen)
	}
	activity := func(p map[string]any) map[string]any { return p["activities"].([]any)[0].(map[string]any) }
	if a := activity(seen[2]); a["name"] != "the clouds" || a["type"] != float64(3) || seen[2]["status"] != "dnd" {
		t.Errorf("it appeared as %v", seen[2])
	}
	if a := activity(seen[3]); a["state"] != "thinking" || a["type"] != float64(4) {
		t.Errorf("it appeared as %v", seen[3])
	}
	// A new session begins with it.
	f.Invalidate(false)
	must(t, f.Identified(f.ctx, 2))
	if seen := f.Presences(f.ctx, 5); seen[4]["status"] != "dnd" || activity(seen[4])["state"] != "thinking" {
		t.Errorf("after connecting again it appeared as %v", seen[4])
	}
	refused(t, f.SetStatus(f.ctx, "asleep"), "online, idle, dnd or invisible")
	refused(t, f.SetActivity(f.ctx, "Sleeping", "x"), "Playing")
	refused(t, f.SetActivity(f.ctx, "Playing", strings.Repeat("x", 200)), "128")

	must(t, f.SetNickname(f.ctx, at(f.General), "Aside the Great"))
	if m := f.Server.Member(f.Guild, f.Bot()); m.Nick == nil || *m.Nick != "Aside the Great" {
		t.Errorf("its name is %v", m.Nick)
	}
	refused(t, f.SetNickname(f.ctx, at(f.General), strings.Repeat("x", 33)), "32 characters")
}

func TestPresenceIsNotSaidTooOften(t *testing.T) {
	f := start(t)
	var last error
	for range 100 {
		last = f.SetStatus(f.ctx, "idle")
	}
	if last == nil {
		t.Fatalf("a hundred changes a minute are let through")
	}
	f.clock.Pass(time.Minute)
	must(t, f.SetStatus(f.ctx, "online"))
}

func TestVoice(t *testing.T) {
	f := prepare(t)
	near := at(f.General)
	voice := f.AddChannel(f.Guild, "voice", discordtest.Voice)
	closed := f.AddChannel(f.Guild, "closed", discordtest.Voice, discordtest.Overwrite{ID: f.Guild.ID, Deny: discordtest.Connect}, discordtest.Overwrite{ID: f.BotRole.ID, Deny: discordtest.Connect})
	f.run()
	state := func(want platform.VoiceState) {
		t.Helper()
		if got, err := f.VoiceState(f.ctx, near); err != nil || got != want {
			t.Errorf("it is at %+v, %v; want %+v", got, err, want)
		}
	}
	state(platform.VoiceState{})
	refused(t, f.MuteVoice(f.ctx, near, true), "in no voice room")
	refused(t, f.JoinVoice(f.ctx, near), "not a voice room")
	refused(t, f.JoinVoice(f.ctx, at(closed)), "may not enter")
	must(t, f.JoinVoice(f.ctx, at(voice)))
	state(platform.VoiceState{Room: voice.ID})
	must(t, f.MuteVoice(f.ctx, near, true))
	must(t, f.DeafenVoice(f.ctx, near, true))
	state(platform.VoiceState{Room: voice.ID, Muted: true, Deafened: true})
	must(t, f.MuteVoice(f.ctx, near, false))
	state(platform.VoiceState{Room: voice.ID, Deafened: true})
	// Whoever connects again learns it anew.
	f.Invalidate(false)
	must(t, f.Identified(f.ctx, 2))
	must(t, f.Connected(f.ctx))
	f.sync()
	state(platform.VoiceState{Room: voice.ID, Deafened: true})
	must(t, f.stop())
	state(platform.VoiceState{Room: voice.ID, Deafened: true}) // asked over REST
	f.run()
	must(t, f.LeaveVoice(f.ctx, near))
	state(platform.VoiceState{})
}
