package slack_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/platform"
)

func TestWhatPeopleMayDo(t *testing.T) {
	d := newDesk(t)
	admin, guest, outsider, gone := d.AddUser("admin"), d.AddUser("guest"), d.AddUser("outsider"), d.AddUser("gone")
	admin.IsAdmin, gone.Deleted = true, true
	project := d.AddChannel("project", d.Ada, d.Owner, admin, gone, d.Bot())
	secret := d.AddChannel("secret", d.Owner, d.Ada, d.Bot())
	secret.Private = true
	old := d.AddChannel("old", d.Ada, admin, d.Bot())
	old.Archived = true
	direct := d.Direct(d.Ada)
	_ = guest
	for _, test := range []struct {
		who   *slacktest.User
		right platform.Right
		in    *slacktest.Channel
		want  bool
	}{
		{d.Ada, platform.SendMessages, project, true},
		{d.Ada, platform.PinMessages, project, true},
		{d.Ada, platform.ManageRooms, project, true}, // she has made it
		{d.Ada, platform.ManageRooms, d.General, false},
		{d.Ada, platform.ManageMessages, project, false},
		{admin, platform.ManageRooms, project, true},
		{admin, platform.ManageMessages, project, true},
		{admin, platform.ManageMessages, secret, false}, // not a member
		{d.Owner, platform.ManageServer, project, true},
		{d.Owner, platform.ManageRooms, d.General, true},
		{outsider, platform.ViewRoom, project, true}, // it is public
		{outsider, platform.ReadHistory, project, true},
		{outsider, platform.SendMessages, project, false},
		{outsider, platform.ViewRoom, secret, false},
		{outsider, platform.ViewRoom, direct, false},
		{d.Ada, platform.ViewRoom, secret, true},
		{d.Ada, platform.SendMessages, direct, true},
		{d.Ada, platform.ManageRooms, direct, false},
		{d.Owner, platform.ReadHistory, direct, false},
		{gone, platform.SendMessages, project, false},
		{d.Ada, platform.SendMessages, old, false},
		{d.Ada, platform.ReadHistory, old, true},
	} {
		for _, thread := range []string{"", "1700000000.000100"} {
			got, err := d.May(d.ctx, test.who.ID, test.right, d.room(test.in, thread))
			if err != nil || got != test.want {
				t.Errorf("that %s may %s in %s is %v, %v", test.who.Name, test.right, test.in.Name, got, err)
			}
		}
	}
	for name, ask := range map[string]func() (bool, error){
		"nobody": func() (bool, error) { return d.May(d.ctx, "U0NOBODY", platform.SendMessages, d.room(project, "")) },
		"no id":  func() (bool, error) { return d.May(d.ctx, "ada", platform.SendMessages, d.room(project, "")) },
		"nowhere": func() (bool, error) {
			return d.May(d.ctx, d.Ada.ID, platform.SendMessages, platform.Room{ID: "C0NOWHERE"})
		},
		"a right that is unknown": func() (bool, error) { return d.May(d.ctx, d.Owner.ID, platform.BanMembers, d.room(project, "")) },
		"a role":                  func() (bool, error) { return d.OutranksRole(d.ctx, d.room(project, ""), d.Owner.ID, "x") },
	} {
		if yes, err := ask(); yes || err == nil {
			t.Errorf("of %s it is known: %v, %v", name, yes, err)
		}
	}
	for _, test := range []struct {
		a, b *slacktest.User
		want bool
	}{{d.Owner, admin, true}, {admin, d.Owner, false}, {admin, d.Ada, true}, {d.Ada, outsider, false}, {d.Ada, gone, true}} {
		if got, err := d.Outranks(d.ctx, d.room(project, ""), test.a.ID, test.b.ID); err != nil || got != test.want {
			t.Errorf("that %s stands above %s is %v, %v", test.a.Name, test.b.Name, got, err)
		}
	}
}

// Rights are asked for anew: who was an admin a moment ago is none now.
func TestRightsAreNotRemembered(t *testing.T) {
	d := newDesk(t)
	for _, want := range []bool{true, false} {
		d.Owner.IsOwner, d.Owner.IsAdmin = want, want
		d.General.Creator = d.Ada.ID
		if got, err := d.May(d.ctx, d.Owner.ID, platform.ManageRooms, d.room(d.General, "")); err != nil || got != want {
			t.Errorf("it is %v, %v", got, err)
		}
	}
}

func TestRoomsAreFoundMadeAndChanged(t *testing.T) {
	d := newDesk(t)
	near := d.room(d.General, "")
	secret := d.AddChannel("secret", d.Owner, d.Bot())
	secret.Private = true
	for _, name := range []string{"general", "#general", "#General", d.General.ID, "<#" + d.General.ID + ">", "<#" + d.General.ID + "|general>"} {
		if room, err := d.FindRoom(d.ctx, near, name); err != nil || room != near {
			t.Errorf("%s is %v, %v", name, room, err)
		}
	}
	for _, name := range []string{"nothing", "C0NOTHING", ""} {
		if room, err := d.FindRoom(d.ctx, near, name); err == nil {
			t.Errorf("%q is %v", name, room)
		}
	}
	made, err := d.CreateRoom(d.ctx, near, platform.NewRoom{Name: "#Project X", Topic: "What is X?"})
	if err != nil || made.Name != "project-x" || made.Topic != "What is X?" || made.Kind != platform.TextRoom {
		t.Fatalf("it is %+v, %v", made, err)
	}
	name, topic := "Project Y", "Why?"
	if made, err = d.EditRoom(d.ctx, made.Room, platform.RoomChange{Name: &name, Topic: &topic}); err != nil || made.Name != "project-y" || made.Topic != "Why?" {
		t.Errorf("it is %+v, %v", made, err)
	}
	rooms := func(who string) []string {
		all, err := d.Rooms(d.ctx, near, who)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range all {
			names = append(names, r.Name)
		}
		return names
	}
	if got := rooms(d.Ada.ID); !slices.Equal(got, []string{"general", "project-y"}) {
		t.Errorf("Ada sees %q", got)
	}
	if got := rooms(d.Owner.ID); !slices.Contains(got, "secret") {
		t.Errorf("the owner sees %q", got)
	}
	for range 2 {
		if err := d.DeleteRoom(d.ctx, made.Room); err != nil {
			t.Error(err)
		}
	}
	if all := d.Channels(); !all[len(all)-1].Archived {
		t.Error("it is not archived")
	}
	thread, err := d.RoomInfo(d.ctx, d.room(d.General, "1700000000.000100"))
	if err != nil || thread.Kind != platform.ThreadRoom || thread.Parent != d.General.ID {
		t.Errorf("the thread is %+v, %v", thread, err)
	}
	if chat, err := d.RoomInfo(d.ctx, d.room(d.Direct(d.Ada), "")); err != nil || chat.Kind != platform.DirectRoom || chat.Name != "ada" {
		t.Errorf("the chat is %+v, %v", chat, err)
	}
	position := 1
	for name, err := range map[string]error{
		"a voice room":          second(d.CreateRoom(d.ctx, near, platform.NewRoom{Name: "v", Kind: platform.VoiceRoom})),
		"a room of that name":   second(d.CreateRoom(d.ctx, near, platform.NewRoom{Name: "general"})),
		"a room in a category":  second(d.CreateRoom(d.ctx, near, platform.NewRoom{Name: "c", Parent: "x"})),
		"another place":         second(d.EditRoom(d.ctx, near, platform.RoomChange{Position: &position})),
		"the topic of a thread": second(d.EditRoom(d.ctx, thread.Room, platform.RoomChange{Topic: &topic})),
		"the end of a thread":   d.DeleteRoom(d.ctx, thread.Room),
		"the end of general":    d.DeleteRoom(d.ctx, near),
		"a nickname":            d.SetNickname(d.ctx, near, "x"),
		"an activity":           d.SetActivity(d.ctx, "Playing", "x"),
		"a status":              d.SetStatus(d.ctx, "dnd"),
	} {
		if err == nil || err.Error() == "" {
			t.Errorf("%s is possible", name)
		}
	}
	if err := d.SetStatus(d.ctx, "idle"); err != nil || d.Bot().Presence != "away" {
		t.Errorf("its presence is %q, %v", d.Bot().Presence, err)
	}
}

func second[E any](_ E, err error) error { return err }

func TestPeopleAreFound(t *testing.T) {
	d := newDesk(t)
	near := d.room(d.General, "")
	d.AddUser("twin").Display = "gemini"
	d.AddUser("other").Display = "gemini"
	for _, name := range []string{"ada", "@ada", "Ada", d.Ada.ID, "<@" + d.Ada.ID + ">", "<@" + d.Ada.ID + "|ada>"} {
		if p, err := d.FindPerson(d.ctx, near, name); err != nil || p.ID != d.Ada.ID {
			t.Errorf("%s is %+v, %v", name, p, err)
		}
	}
	for name, says := range map[string]string{"nobody": "there is no person", "gemini": "say the id", "": "not a person", "<!channel>": "not a person", "U0NOBODY": "no such person"} {
		if p, err := d.FindPerson(d.ctx, near, name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is %+v, %v", name, p, err)
		}
	}
	if m, err := d.Member(d.ctx, near, d.Owner.ID); err != nil || len(m.Roles) != 2 || m.Roles[0].Name != "owner" {
		t.Errorf("the owner is %+v, %v", m, err)
	}
}

func TestMessagesAndPinsAreRead(t *testing.T) {
	d := newDesk(t)
	in := d.room(d.General, "")
	var ids []string
	for _, text := range []string{"one", "two 👋", "three"} {
		ids = append(ids, d.Server.Write(d.Ada, d.General, text))
	}
	reply := d.WriteIn(d.Owner, d.General, ids[0], "in the thread")
	texts := func(room platform.Room, page platform.Page) string {
		t.Helper()
		all, err := d.Messages(d.ctx, room, page)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, m := range all {
			texts = append(texts, m.Text)
		}
		return strings.Join(texts, ", ")
	}
	thread := d.room(d.General, ids[0])
	for _, test := range []struct {
		room platform.Room
		page platform.Page
		want string
	}{
		{in, platform.Page{Most: 10}, "three, two 👋, one"},
		{in, platform.Page{Most: 1}, "three"},
		{in, platform.Page{Most: 10, Before: ids[2]}, "two 👋, one"},
		{in, platform.Page{Most: 10, After: ids[0]}, "three, two 👋"},
		{thread, platform.Page{Most: 10}, "in the thread, one"},
		{thread, platform.Page{Most: 1}, "in the thread"},
		{thread, platform.Page{Most: 10, After: ids[0]}, "in the thread"},
	} {
		if got := texts(test.room, test.page); got != test.want {
			t.Errorf("%+v of %s is %q, want %q", test.page, test.room, got, test.want)
		}
	}
	if m, err := d.Slack.Message(d.ctx, thread, reply); err != nil || m.Text != "in the thread" || m.Author.Name != "owner" {
		t.Errorf("it is %+v, %v", m, err)
	}
	if _, err := d.Slack.Message(d.ctx, in, "1700000000.000100"); err == nil {
		t.Error("a message that is not there was found")
	}
	for range 2 {
		if err := d.Pin(d.ctx, in, ids[1]); err != nil {
			t.Error(err)
		}
	}
	if pins, err := d.Pins(d.ctx, in); err != nil || len(pins) != 1 || pins[0].ID != ids[1] {
		t.Errorf("the pins are %+v, %v", pins, err)
	}
	for range 2 {
		if err := d.Unpin(d.ctx, in, ids[1]); err != nil {
			t.Error(err)
		}
	}
}

func TestThreadsAreBegun(t *testing.T) {
	d := newDesk(t)
	in := d.room(d.General, "")
	message := d.Server.Write(d.Ada, d.General, "hi")
	reply := d.WriteIn(d.Ada, d.General, message, "ho")
	at, err := d.CreateThread(d.ctx, platform.NewThread{Room: in, Message: message, Name: "x", Text: "Here."})
	if err != nil || at.Room != d.room(d.General, message) || at.Parent != d.General.ID {
		t.Errorf("it is %+v, %v", at, err)
	}
	if within, err := d.CreateThread(d.ctx, platform.NewThread{Room: in, Message: reply, Name: "x"}); err != nil || within.Room != at.Room {
		t.Errorf("in a thread it is %+v, %v", within, err)
	}
	fresh, err := d.CreateThread(d.ctx, platform.NewThread{Room: d.room(d.General, message), Name: "Plans", Text: "First."})
	if err != nil {
		t.Fatal(err)
	}
	_, ts, _ := strings.Cut(fresh.Room.ID, ":")
	if m := d.Server.Message(d.General, ts); m == nil || m.Text != "Plans" {
		t.Errorf("it begins with %+v", m)
	}
	if posts := d.Posts(d.General, ts); len(posts) != 2 || posts[1].Text != "First." {
		t.Errorf("in it stands %+v", posts)
	}
	for name, thread := range map[string]platform.NewThread{"nothing": {Room: in}, "no message": {Room: in, Message: "x"}, "what is gone": {Room: in, Message: "1700000000.000100"}} {
		if _, err := d.CreateThread(d.ctx, thread); err == nil {
			t.Errorf("a thread about %s was begun", name)
		}
	}
}
