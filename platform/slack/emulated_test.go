package slack_test

import (
	"net"
	"testing"

	"github.com/asidehq/aside/internal/wiretest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/platformtest"
	"github.com/asidehq/aside/platform/slack"
)

const emulatedToken = "xoxb-emulated"

// freePort is one that nobody listens on: the emulator is told where to listen.
func freePort(t *testing.T) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer free.Close()
	_, port, err := net.SplitHostPort(free.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func TestTheBasicsWorkWithAnEmulatorByOthers(t *testing.T) {
	address := wiretest.StartEmulator(t, "platform/slack/testdata/emulator", "emulate", freePort(t), emulatedToken)
	clock := &platformtest.Clock{}
	anew := func() *slack.Slack {
		t.Helper()
		s, err := slack.New(slack.Options{BotToken: emulatedToken, AppToken: "xapp-1", APIURL: address + "/api/", Now: clock.Now, Wait: clock.Wait})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s, ctx := anew(), t.Context()
	delivered := func(r platform.Receipt) string {
		t.Helper()
		if r.Outcome != platform.Delivered {
			t.Fatalf("it is %s: %s", r.Outcome, r.Reason)
		}
		return r.ID
	}
	room, err := s.FindRoom(ctx, platform.Room{}, "#workshop")
	if err != nil {
		t.Fatal(err)
	}
	post := platform.Post{Key: "one", Room: room, Text: "**Hello** & goodbye.", Created: clock.Now()}
	id := delivered(s.Post(ctx, post))
	if again := delivered(anew().Post(ctx, post)); again != id {
		t.Errorf("after a restart it is %s, not %s", again, id)
	}
	delivered(s.Edit(ctx, room, id, "Hello again."))
	if again := delivered(anew().Post(ctx, post)); again != id { // an edit leaves the key where it is
		t.Errorf("after an edit it is %s, not %s", again, id)
	}
	thread := platform.Room{Platform: "slack", ID: room.ID + ":" + id}
	reply := platform.Post{Key: "two", Room: thread, Text: "In the thread.", Created: clock.Now()}
	replied := delivered(s.Post(ctx, reply))
	if again := delivered(anew().Post(ctx, reply)); again != replied {
		t.Errorf("in the thread it is %s, not %s", again, replied)
	}
	all, err := s.Messages(ctx, thread, platform.Page{Most: 10})
	if err != nil || len(all) != 2 || all[0].Text != "In the thread." || all[0].ID != replied {
		t.Errorf("in the thread stands %+v, %v", all, err)
	}
	if m, err := s.Message(ctx, room, id); err != nil || m.ID != id || !m.Author.Bot {
		t.Errorf("the post is %+v, %v", m, err)
	}
	for range 2 {
		delivered(s.React(ctx, room, id, "👀"))
	}
	for range 2 {
		delivered(s.Unreact(ctx, room, id, "👀"))
	}
	for range 2 {
		if err := s.Pin(ctx, room, id); err != nil {
			t.Error(err)
		}
	}
	if pins, err := s.Pins(ctx, room); err != nil || len(pins) != 1 || pins[0].ID != id {
		t.Errorf("the pins are %+v, %v", pins, err)
	}
	file := platform.Post{Key: "three", Room: room, Text: "Look.", Files: []platform.File{notes("hello")}, Created: clock.Now()}
	shared := delivered(s.Post(ctx, file))
	if again := delivered(anew().Post(ctx, file)); again != shared || shared == "" {
		t.Errorf("the file is in %q and %q", shared, again)
	}
	ada, err := s.FindPerson(ctx, room, "@ada")
	if err != nil || ada.Name != "ada" {
		t.Errorf("Ada is %+v, %v", ada, err)
	}
	if may, err := s.May(ctx, ada.ID, platform.SendMessages, room); err != nil || !may {
		t.Errorf("that she may write is %v, %v", may, err)
	}
	if may, err := s.May(ctx, ada.ID, platform.ManageRooms, room); err != nil || may {
		t.Errorf("that she may manage the channel is %v, %v", may, err)
	}
	delivered(s.Delete(ctx, room, replied))
	if r := s.Edit(ctx, room, replied, "x"); r.Outcome != platform.Refused {
		t.Errorf("an edit of what is gone is %s", r.Outcome)
	}
	if r := s.Post(ctx, platform.Post{Key: "four", Room: platform.Room{Platform: "slack", ID: "C0NOWHERE"}, Text: "x", Created: clock.Now()}); r.Outcome != platform.Refused {
		t.Errorf("a post into nowhere is %s", r.Outcome)
	}
}
