package discord_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform"
)

func TestWhatSomebodyHasChangedArrives(t *testing.T) {
	f := start(t)
	thread := f.AddThread(f.General, "a thread", discordtest.PublicThread)
	for _, test := range []struct {
		name   string
		in     *discordtest.Channel
		line   discordtest.Line
		change func(c *discordtest.Channel, id string)
		want   platform.Message
	}{
		{"in a room", f.General, discordtest.Line{Text: "old"}, func(c *discordtest.Channel, id string) { f.Rewrite(c, id, "new") }, platform.Message{Text: "new"}},
		{"in a thread", thread, discordtest.Line{Text: "old"}, func(c *discordtest.Channel, id string) { f.Rewrite(c, id, "new") }, platform.Message{Text: "new", Parent: f.General.ID}},
		{"in a direct chat", f.Direct(f.Ada), discordtest.Line{Text: "old"}, func(c *discordtest.Channel, id string) { f.Rewrite(c, id, "new") }, platform.Message{Text: "new", Direct: true}},
		{"so that it mentions the agent", f.General, discordtest.Line{Text: "old"}, func(c *discordtest.Channel, id string) { f.Rewrite(c, id, "<@"+f.Bot().ID+"> new") }, platform.Message{Text: "new", Mentioned: true}},
		{"with a file", f.General, discordtest.Line{Text: "old", Files: []discordtest.File{{Name: "a.txt", Type: "text/plain", Data: []byte("abc")}}}, func(c *discordtest.Channel, id string) { f.Rewrite(c, id, "new") }, platform.Message{Text: "new", Files: []platform.File{{Name: "a.txt"}}}},
		{"of which Discord tells only the ids", f.General, discordtest.Line{Text: "old"}, func(c *discordtest.Channel, id string) { f.RewritePartly(c, id, "new") }, platform.Message{Text: "new"}},
		{"to nothing but a file", f.General, discordtest.Line{Text: "old", Files: []discordtest.File{{Name: "a.txt"}}}, func(c *discordtest.Channel, id string) { f.Rewrite(c, id, "") }, platform.Message{Files: []platform.File{{Name: "a.txt"}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			id := f.WriteLine(f.Ada, test.in, test.line)
			written := f.arrived(id)
			test.change(test.in, id)
			got := f.wait(func(m platform.Message) bool { return m.Edits == id })
			if got.Text != test.want.Text || got.Parent != test.want.Parent || got.Direct != test.want.Direct || got.Mentioned != test.want.Mentioned || len(got.Files) != len(test.want.Files) {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
			if !strings.HasPrefix(got.ID, id+"-edit-") || got.Stands() != id || got.Author != written.Author || got.Room != written.Room || !got.At.After(written.At) {
				t.Errorf("got %+v, of %+v", got, written)
			}
		})
	}
}

func TestEachChangeHasAnIDOfItsOwn(t *testing.T) {
	f := start(t)
	id := f.Write(f.Ada, f.General, "one")
	f.Rewrite(f.General, id, "two")
	f.Rewrite(f.General, id, "three")
	f.Unfurl(f.General, id, false) // the time of the last edit is still that of "three"
	f.sync()
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Errorf("got %q", got)
	}
}

func TestWhatIsNoChangeDoesNotArrive(t *testing.T) {
	f := start(t)
	robot := f.AddUser("robot")
	robot.Bot = true
	id := f.Write(f.Ada, f.General, "see https://example.com")
	post := f.Discord.Post(f.ctx, platform.Post{Key: "a", Room: at(f.General), Text: "mine"}).ID
	notice := f.WriteLine(f.Ada, f.General, discordtest.Line{Text: "she has joined", Type: 7})
	for name, do := range map[string]func(){
		"a preview":                  func() { f.Unfurl(f.General, id, false) },
		"a preview and nothing else": func() { f.Unfurl(f.General, id, true) },
		"a pin":                      func() { _ = f.Pin(f.ctx, at(f.General), id) },
		"the agent's own edit":       func() { f.Edit(f.ctx, at(f.General), post, "mine, too") },
		"a notice of Discord's":      func() { f.Rewrite(f.General, notice, "she has left") },
		"no time": func() {
			f.Dispatch("MESSAGE_UPDATE", map[string]any{"id": id, "channel_id": f.General.ID, "content": "x"})
		},
		"a time that is none": func() {
			f.Dispatch("MESSAGE_UPDATE", map[string]any{"id": id, "channel_id": f.General.ID, "edited_timestamp": 7})
		},
		"no ids": func() { f.Dispatch("MESSAGE_UPDATE", map[string]any{"edited_timestamp": "2026-01-02T03:04:05Z"}) },
		"a message that is gone by the way": func() {
			gone := f.Write(robot, f.General, "soon gone")
			arrived := f.arrived(gone)
			f.Mute(func() { f.Erase(f.General, gone) })
			f.Dispatch("MESSAGE_UPDATE", map[string]any{"id": gone, "channel_id": f.General.ID, "guild_id": f.Guild.ID, "edited_timestamp": "2026-01-02T03:04:05Z"})
			f.inbox.Take(arrived)
		},
	} {
		t.Run(name, func(t *testing.T) {
			do()
			f.sync()
			if got := f.inbox.Texts(); !slices.Equal(got, []string{"see https://example.com"}) {
				t.Errorf("got %q", got)
			}
		})
	}
}

// What is fetched after a restart has the text of now. If it was received before, that is a
// change.
func TestWhatWasChangedWhileItWasStoppedArrives(t *testing.T) {
	f := start(t)
	id := f.Write(f.Ada, f.General, "old")
	f.arrived(id)
	f.again()
	f.Rewrite(f.General, id, "new")
	f.Write(f.Ada, f.General, "by the way")
	f.run()
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"old", "new", "by the way"}) {
		t.Errorf("got %q", got)
	}
}
