package discord_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform"
)

func (f *fixture) forum() *discordtest.Channel {
	return f.AddChannel(f.Guild, "forum", discordtest.Forum)
}

func (f *fixture) begin(forum *discordtest.Channel, name string) *discordtest.Channel {
	f.t.Helper()
	made, err := f.CreateThread(f.ctx, platform.NewThread{Room: at(forum), Name: name, Text: "to do", AutoArchiveMinutes: 10080})
	must(f.t, err)
	return f.Channel(made.Room.ID)
}

func TestAllThreadsOfAForumAreListed(t *testing.T) {
	f := prepare(t)
	forum, other := f.forum(), f.forum()
	f.begin(other, "elsewhere")
	f.AddThread(f.General, "in a room", discordtest.PublicThread)
	const count = 230
	for i := range count {
		c := f.begin(forum, fmt.Sprint("thread ", i))
		if i > 3 {
			f.Archive(f.Ada, c, true)
		}
	}
	begun := f.Begin(f.Ada, forum, "by Ada", "hello")
	all, err := f.ForumThreads(f.ctx, at(forum))
	must(t, err)
	names := map[string]platform.ForumThread{}
	for _, c := range all {
		names[c.Name] = c
	}
	if len(all) != count+1 || len(names) != count+1 {
		t.Fatalf("there are %d threads with %d names", len(all), len(names))
	}
	if first, last := names["thread 0"], names["thread 229"]; first.Archived || !first.Own || !last.Archived || !last.Own || last.Drifted || last.Changed.IsZero() {
		t.Errorf("the first is %+v, the last %+v", first, last)
	}
	if c := names["by Ada"]; c.Own || c.Archived || c.Room != at(begun) {
		t.Errorf("Ada's is %+v", c)
	}
	_, err = f.ForumThreads(f.ctx, at(f.General))
	refused(t, err, "is not one")
}

func TestWhetherSomebodyHasDecidedThatAThreadIsArchived(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(f *fixture, c *discordtest.Channel)
		want bool
	}{
		{"somebody has archived it", func(f *fixture, c *discordtest.Channel) { f.Archive(f.Ada, c, true) }, false},
		{"Discord has, after a week of silence", func(f *fixture, c *discordtest.Channel) { f.Hush(c) }, true},
		{"somebody has, two days after the last message", func(f *fixture, c *discordtest.Channel) {
			f.Pass(6 * 24 * time.Hour)
			f.Write(f.Ada, c, "done!")
			f.Pass(2 * 24 * time.Hour)
			f.Archive(f.Ada, c, true)
		}, false},
		{"nothing has happened", func(*fixture, *discordtest.Channel) {}, false},
		{"somebody has opened it", func(f *fixture, c *discordtest.Channel) {
			f.Archive(f.Ada, c, true)
			f.Pass(time.Hour)
			f.Archive(f.Ada, c, false)
		}, false},
		{"somebody has opened it and written there later", func(f *fixture, c *discordtest.Channel) {
			f.Archive(f.Ada, c, true)
			f.Pass(time.Hour)
			f.Archive(f.Ada, c, false)
			f.Pass(time.Minute)
			f.Write(f.Ada, c, "so, again")
		}, false},
		{"somebody has written there, which opens it", func(f *fixture, c *discordtest.Channel) {
			f.Archive(f.Ada, c, true)
			f.Pass(time.Hour)
			f.Write(f.Ada, c, "thanks!")
		}, true},
		{"somebody has, and goes on", func(f *fixture, c *discordtest.Channel) {
			f.Archive(f.Ada, c, true)
			f.Pass(time.Hour)
			f.Write(f.Ada, c, "thanks!")
			f.Pass(time.Hour)
			f.Write(f.Ada, c, "by the way")
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := prepare(t)
			forum := f.forum()
			c := f.begin(forum, "a task")
			f.Pass(time.Minute)
			test.do(f, c)
			got, err := f.ForumThread(f.ctx, at(c))
			must(t, err)
			if got.Drifted != test.want || got.Archived != f.Threads(forum)[0].Metadata.Archived {
				t.Errorf("it is %+v", got)
			}
		})
	}
}

func TestAStarterIsReadAndChanged(t *testing.T) {
	f := prepare(t)
	forum := f.forum()
	c, adas := f.begin(forum, "a task"), f.Begin(f.Ada, forum, "by Ada", "hello")
	f.Archive(f.Ada, c, true)
	must(t, f.EditStarter(f.ctx, at(c), "all of <@"+f.Ada.ID+">'s"))
	s, err := f.Starter(f.ctx, at(c))
	if err != nil || s.Author.ID != f.Bot().ID || s.Text != "all of <@"+f.Ada.ID+">'s" || s.Edited.IsZero() {
		t.Errorf("it is %+v, %v", s, err)
	}
	if f.Server.Messages(c)[0].Pinged {
		t.Error("somebody was notified")
	}
	s, err = f.Starter(f.ctx, at(adas))
	if err != nil || s.Author.ID != f.Ada.ID || s.Text != "hello" || !s.Edited.IsZero() {
		t.Errorf("Ada's is %+v, %v", s, err)
	}
	refused(t, f.EditStarter(f.ctx, at(adas), "mine"), "only messages of the bot itself")
	f.Erase(c, c.ID)
	gone(t, f.EditStarter(f.ctx, at(c), "anew"))
	f.RemoveThread(c)
	_, err = f.ForumThread(f.ctx, at(c))
	gone(t, err)
}

func gone(t *testing.T, err error) {
	t.Helper()
	var p *platform.Problem
	if !errors.As(err, &p) || !p.Gone || p.Outcome != platform.Refused {
		t.Errorf("it is %v, and was to be gone", err)
	}
}

func TestWhoHasArchivedAThreadIsInTheAuditLog(t *testing.T) {
	f := prepare(t)
	forum := f.forum()
	c, other := f.begin(forum, "a task"), f.begin(forum, "another")
	f.Archive(f.Ada, c, true)
	f.Archive(f.Owner, other, true)
	by, err := f.ArchivedBy(f.ctx, at(c))
	if err != nil || by.ID != "" {
		t.Errorf("without the permission it is %+v, %v", by, err)
	}
	f.ChangeRole(f.Guild, f.BotRole, func(r *discordtest.Role) { r.Permissions |= discordtest.ViewAuditLog })
	if by, err = f.ArchivedBy(f.ctx, at(c)); err != nil || by.ID != f.Ada.ID || by.Name != "ada" {
		t.Errorf("with it it is %+v, %v", by, err)
	}
	f.Archive(f.Owner, c, false)
	if by, err = f.ArchivedBy(f.ctx, at(c)); err != nil || by.ID != f.Owner.ID {
		t.Errorf("then it is %+v, %v", by, err)
	}
}

func TestAnOpenThreadIsRenamedAndArchivedInOneRequest(t *testing.T) {
	f := prepare(t)
	c := f.begin(f.forum(), "a task")
	name, yes := "a finished task", true
	before := len(f.Requests(http.MethodPatch, c.ID))
	got, err := f.EditThread(f.ctx, at(c), platform.ThreadChange{Name: &name, Archived: &yes})
	if err != nil || got.Name != name || !got.Archived {
		t.Errorf("it is %+v, %v", got, err)
	}
	if n := len(f.Requests(http.MethodPatch, c.ID)) - before; n != 1 {
		t.Errorf("it took %d requests", n)
	}
}

func TestWhatHappensToThreadsOfForumsIsTold(t *testing.T) {
	f := start(t)
	forum := f.forum()
	adas := f.Begin(f.Ada, forum, "by Ada", "hello")
	room := f.AddThread(f.General, "in a room", discordtest.PublicThread)
	for _, test := range []struct {
		name string
		do   func()
		want []platform.ThreadNews
	}{
		{"before", func() {}, []platform.ThreadNews{platform.ThreadMade}},
		{"archived", func() { f.Archive(f.Ada, adas, true) }, []platform.ThreadNews{platform.ThreadArchived}},
		{"opened", func() { f.Archive(f.Ada, adas, false) }, []platform.ThreadNews{platform.ThreadOpened}},
		{"renamed", func() { f.ChangeChannel(adas, func(c *discordtest.Channel) { c.Name = "hers" }) }, []platform.ThreadNews{platform.ThreadChanged}},
		{"the starter was edited", func() { f.Rewrite(adas, adas.ID, "hello again") }, []platform.ThreadNews{platform.ThreadRewritten}},
		{"another message was", func() { f.Rewrite(adas, f.Write(f.Ada, adas, "a"), "b") }, nil},
		{"a thread of a room", func() { f.ChangeChannel(room, func(c *discordtest.Channel) { c.Name = "other" }) }, nil},
		{"a room", func() { f.ChangeChannel(f.General, func(c *discordtest.Channel) { c.Name = "other" }) }, nil},
		{"deleted", func() { f.RemoveThread(adas) }, []platform.ThreadNews{platform.ThreadDeleted}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.do()
			f.sync()
			var got []platform.ThreadNews
			for _, e := range f.inbox.ThreadEvents() {
				got = append(got, e.News)
				if e.Forum != at(forum) || e.Thread != at(adas) {
					t.Errorf("it is of %+v", e)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("it was told %v, not %v", got, test.want)
			}
		})
	}
}
