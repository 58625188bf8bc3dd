package discord_test

import (
	"slices"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform"
)

// both runs a test with an adapter that is connected and with one that is not: what the
// gateway has told must be what Discord answers.
func both(t *testing.T, test func(t *testing.T, f *fixture)) {
	t.Run("not connected", func(t *testing.T) { test(t, prepare(t)) })
	t.Run("connected", func(t *testing.T) { test(t, start(t)) })
}

// settle waits until the adapter has heard of everything, if it is connected.
func (f *fixture) settle() {
	if f.stop != nil {
		f.sync()
	}
}

func names(rooms []platform.RoomInfo) []string {
	var all []string
	for _, r := range rooms {
		all = append(all, string(r.Kind)+" "+r.Name)
	}
	return all
}

func TestRooms(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		f.AddChannel(f.Guild, "Hall", discordtest.Category)
		f.AddChannel(f.Guild, "cellar", discordtest.Text, discordtest.Overwrite{ID: f.Guild.ID, Deny: discordtest.ViewChannel})
		f.AddChannel(f.Guild, "tower", discordtest.Voice)
		f.AddChannel(f.Guild, "from the future", 4711)
		f.AddThread(f.General, "thread", discordtest.PublicThread)
		f.settle()
		for _, test := range []struct {
			who  *discordtest.User
			want []string
		}{
			{f.Ada, []string{"text general", "category Hall", "voice tower", "text from the future"}},
			{f.Owner, []string{"text general", "category Hall", "text cellar", "voice tower", "text from the future"}},
			{f.AddUser("stranger"), nil},
		} {
			rooms, err := f.Rooms(f.ctx, at(f.General), test.who.ID)
			if got := names(rooms); err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%s sees %q, %v; want %q", test.who.Username, got, err, test.want)
			}
		}
		_, err := f.Rooms(f.ctx, at(f.Direct(f.Ada)), f.Ada.ID)
		refused(t, err, "direct chat")
	})
}

func TestARoomIsMadeChangedAndDeleted(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		hall, err := f.CreateRoom(f.ctx, at(f.General), platform.NewRoom{Name: "Hall", Kind: platform.CategoryRoom})
		must(t, err)
		position := 7
		made, err := f.CreateRoom(f.ctx, at(f.General), platform.NewRoom{Name: "books", Topic: "What we read", Parent: hall.Room.ID, Position: &position})
		must(t, err)
		if made.Name != "books" || made.Topic != "What we read" || made.Parent != hall.Room.ID || made.Kind != platform.TextRoom || made.Position != 7 {
			t.Errorf("what was made is %+v", made)
		}
		for _, kind := range []platform.RoomKind{platform.VoiceRoom, platform.AnnouncementRoom, platform.StageRoom, platform.ForumRoom} {
			if r, err := f.CreateRoom(f.ctx, at(f.General), platform.NewRoom{Name: "x", Kind: kind}); err != nil || r.Kind != kind {
				t.Errorf("a %s room is %+v, %v", kind, r, err)
			}
		}
		_, err = f.CreateRoom(f.ctx, at(f.General), platform.NewRoom{Name: "x", Kind: platform.ThreadRoom})
		refused(t, err, "cannot be made")

		name, none := "old books", ""
		changed, err := f.EditRoom(f.ctx, made.Room, platform.RoomChange{Name: &name, Parent: &none})
		if err != nil || changed.Name != name || changed.Parent != "" || changed.Topic != "What we read" {
			t.Errorf("what was changed is %+v, %v", changed, err)
		}
		_, err = f.EditRoom(f.ctx, made.Room, platform.RoomChange{Parent: &hall.Room.ID})
		must(t, err)
		f.settle()
		got, err := f.RoomInfo(f.ctx, made.Room)
		if err != nil || got.Name != name || got.Parent != hall.Room.ID {
			t.Errorf("it is %+v, %v", got, err)
		}
		must(t, f.DeleteRoom(f.ctx, made.Room))
		f.settle()
		_, err = f.RoomInfo(f.ctx, made.Room)
		refused(t, err, "no such room")
	})
}

func TestThreads(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		message := f.Write(f.Ada, f.General, "a proposal")
		news := f.AddChannel(f.Guild, "news", discordtest.Announcement)
		forum := f.AddChannel(f.Guild, "forum", discordtest.Forum)
		f.settle()
		for _, test := range []struct {
			name  string
			want  platform.NewThread
			texts []string
		}{
			{"at a message", platform.NewThread{Room: at(f.General), Message: message, Name: "about it", AutoArchiveMinutes: 60}, nil},
			{"by itself", platform.NewThread{Room: at(f.General), Name: "by itself"}, nil},
			{"with a text", platform.NewThread{Room: at(f.General), Name: "with a text", Text: "first"}, []string{"first"}},
			{"in news", platform.NewThread{Room: at(news), Name: "news"}, nil},
			{"in a forum", platform.NewThread{Room: at(forum), Name: "a question", Text: "why?"}, []string{"why?"}},
		} {
			r, err := f.CreateThread(f.ctx, test.want)
			if err != nil || r.Name != test.want.Name || r.Kind != platform.ThreadRoom || r.Parent != test.want.Room.ID {
				t.Errorf("%s: %+v, %v", test.name, r, err)
				continue
			}
			var texts []string
			for _, m := range f.Posts(f.Channel(r.Room.ID)) {
				texts = append(texts, m.Content)
			}
			if !slices.Equal(texts, test.texts) {
				t.Errorf("%s: in it stands %q", test.name, texts)
			}
		}
		_, err := f.CreateThread(f.ctx, platform.NewThread{Room: at(forum), Name: "empty"})
		refused(t, err, "needs a first message")
		_, err = f.CreateThread(f.ctx, platform.NewThread{Room: at(f.General), Message: message, Name: "again"})
		refused(t, err, "has a thread already")
	})
}

func TestAThreadIsChangedAlsoWhenItIsArchived(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		forum := f.AddChannel(f.Guild, "forum", discordtest.Forum)
		tag, err := f.AddTag(f.ctx, at(forum), platform.Tag{Name: "done", Emoji: "👍"})
		must(t, err)
		f.settle()
		thread, err := f.CreateThread(f.ctx, platform.NewThread{Room: at(forum), Name: "a task", Text: "to do"})
		must(t, err)
		yes, no, name := true, false, "a finished task"
		archived, err := f.EditThread(f.ctx, thread.Room, platform.ThreadChange{Archived: &yes})
		if err != nil || !archived.Archived {
			t.Fatalf("after archiving it is %+v, %v", archived, err)
		}
		f.settle()
		changed, err := f.EditThread(f.ctx, thread.Room, platform.ThreadChange{Name: &name, Tags: &[]string{tag.ID}})
		if err != nil || !changed.Archived || changed.Name != name || !slices.Equal(changed.Tags, []string{tag.ID}) {
			t.Errorf("after the change it is %+v, %v", changed, err)
		}
		list, err := f.ArchivedThreads(f.ctx, at(forum), 10)
		if err != nil || len(list) != 1 || list[0].Name != name {
			t.Errorf("archived are %+v, %v", list, err)
		}
		f.settle()
		opened, err := f.EditThread(f.ctx, thread.Room, platform.ThreadChange{Archived: &no})
		if err != nil || opened.Archived {
			t.Errorf("after opening it is %+v, %v", opened, err)
		}
		_, err = f.EditThread(f.ctx, at(f.General), platform.ThreadChange{Name: &name})
		refused(t, err, "not a thread")
	})
}

func TestTags(t *testing.T) {
	f := prepare(t)
	forum := at(f.AddChannel(f.Guild, "forum", discordtest.Forum))
	bug, err := f.AddTag(f.ctx, forum, platform.Tag{Name: "bug", Emoji: "👀"})
	must(t, err)
	again, err := f.AddTag(f.ctx, forum, platform.Tag{Name: "bug"})
	if err != nil || again != bug {
		t.Errorf("the same tag again is %+v, %v", again, err)
	}
	_, err = f.AddTag(f.ctx, forum, platform.Tag{Name: "own", Emoji: "<:party:1234567890123456789>"})
	must(t, err)
	tags, err := f.Tags(f.ctx, forum)
	if err != nil || len(tags) != 2 || tags[0] != bug || tags[1].Emoji != "emoji:1234567890123456789" {
		t.Errorf("the tags are %+v, %v", tags, err)
	}
	must(t, f.RemoveTag(f.ctx, forum, bug.ID))
	refused(t, f.RemoveTag(f.ctx, forum, bug.ID), "no such tag")
	_, err = f.Tags(f.ctx, at(f.General))
	refused(t, err, "only forums")
	for i := range 19 {
		_, err := f.AddTag(f.ctx, forum, platform.Tag{Name: string(rune('a' + i))})
		must(t, err)
	}
	_, err = f.AddTag(f.ctx, forum, platform.Tag{Name: "one too many"})
	refused(t, err, "as many as Discord allows")
}

func TestFind(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		near := at(f.General)
		f.AddChannel(f.Guild, "general", discordtest.Category) // the room is meant, not the category
		f.AddChannel(f.Guild, "twin", discordtest.Text)
		f.AddChannel(f.Guild, "twin", discordtest.Voice)
		thread := f.AddThread(f.General, "deep talk", discordtest.PublicThread)
		editors := f.Server.AddRole(f.Guild, "editors", 0)
		adam := f.AddUser("adam")
		f.AddMember(f.Guild, adam)
		nick := "Countess"
		f.ChangeMember(f.Guild, f.Ada, func(m *discordtest.Member) { m.Nick = &nick })
		elsewhere := f.AddChannel(f.AddGuild("Elsewhere", f.Owner), "far", discordtest.Text)
		f.settle()
		for _, text := range []string{"general", "#general", "#General", "<#" + f.General.ID + ">", f.General.ID} {
			if r, err := f.FindRoom(f.ctx, near, text); err != nil || r != near {
				t.Errorf("the room %q is %v, %v", text, r, err)
			}
		}
		if r, err := f.FindRoom(f.ctx, near, "deep talk"); err != nil || r != at(thread) {
			t.Errorf("the thread is %v, %v", r, err)
		}
		for _, text := range []string{"ada", "@ada", "Countess", "<@" + f.Ada.ID + ">", "<@!" + f.Ada.ID + ">", f.Ada.ID} {
			if p, err := f.FindPerson(f.ctx, near, text); err != nil || p.ID != f.Ada.ID || p.Name != nick {
				t.Errorf("the person %q is %v, %v", text, p, err)
			}
		}
		for _, text := range []string{"editors", "@editors", "<@&" + editors.ID + ">", editors.ID} {
			if r, err := f.FindRole(f.ctx, near, text); err != nil || r.ID != editors.ID {
				t.Errorf("the role %q is %v, %v", text, r, err)
			}
		}
		_, err := f.FindRoom(f.ctx, near, "nowhere")
		refused(t, err, "no room called")
		_, err = f.FindRoom(f.ctx, near, "twin")
		refused(t, err, "say the id")
		_, err = f.FindRoom(f.ctx, near, elsewhere.ID)
		if err == nil {
			t.Errorf("a room of another server is found")
		}
		_, err = f.FindPerson(f.ctx, near, "ad")
		refused(t, err, "no person called")
		_, err = f.FindPerson(f.ctx, near, "")
		refused(t, err, "not a person")
		_, err = f.FindRole(f.ctx, near, "nobody")
		refused(t, err, "no role called")
	})
}
