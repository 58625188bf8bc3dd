package slack_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/platform"
)

// ids are of everything that was received.
func (d *desk) ids() []string {
	var ids []string
	for _, m := range d.inbox.Messages() {
		ids = append(ids, m.ID)
	}
	return ids
}

func (d *desk) expect(ids ...string) {
	d.t.Helper()
	for _, id := range ids {
		d.await(id)
	}
	if got := d.ids(); !slices.Equal(got, ids) {
		d.t.Errorf("received were %q, want %q", got, ids)
	}
}

// The lessons: direct chats are skipped by every recovery scan; catch-up reads "last
// connected" after connecting has overwritten it.
func TestWhatWasWrittenWhileNobodyWasConnectedIsFetched(t *testing.T) {
	for _, how := range []string{"dropped", "restarted", "events lost"} {
		t.Run(how, func(t *testing.T) {
			d := newDesk(t)
			d.Server.Write(d.Ada, d.General, "before the agent was there")
			d.start()
			bot := "<@" + d.Bot().ID + "> "
			called := d.Server.Write(d.Ada, d.General, bot+"hi")
			d.await(called)
			direct := d.Direct(d.Ada)
			away := func() []string {
				ids := []string{
					d.Server.Write(d.Ada, d.General, "one"),
					d.WriteIn(d.Ada, d.General, called, "two, in a thread that is older"),
					d.Server.Write(d.Ada, d.General, "three"),
				}
				return append(ids, d.WriteIn(d.Ada, d.General, ids[2], "four, in a thread of its own"))
			}
			var missed []string
			var inDirect string
			lose := func() {
				missed = away()
				inDirect = d.Server.Write(d.Ada, direct, "hello?")
			}
			switch how {
			case "dropped":
				d.Mute(lose)
				d.Drop()
			case "restarted":
				d.halt()
				lose()
				d.anew()
				d.start()
			case "events lost":
				d.Mute(lose)
				d.Drop()
				if err := d.Until(d.ctx, func() bool { return d.Opened() == 2 }); err != nil {
					t.Fatal(err)
				}
			}
			d.await(inDirect)
			last := d.Server.Write(d.Ada, d.General, "after")
			d.await(last)
			var inGeneral []string
			for _, m := range d.inbox.Messages() {
				if !m.Direct {
					inGeneral = append(inGeneral, m.ID)
				}
			}
			if want := append(append([]string{called}, missed...), last); !slices.Equal(inGeneral, want) {
				t.Errorf("received were %q, want %q\n%s", inGeneral, want, d.log)
			}
			if m := d.await(missed[1]); m.Room != d.room(d.General, called) || !m.Mentioned {
				t.Errorf("what was written in the thread is %+v", m)
			}
		})
	}
}

func TestALiveMessageWaitsForWhatWasMissedBeforeIt(t *testing.T) {
	d := newDesk(t).start()
	first := d.Server.Write(d.Ada, d.General, "first")
	d.await(first)
	d.halt()
	var missed []string
	for i := range 450 { // more than a page
		missed = append(missed, d.Server.Write(d.Ada, d.General, fmt.Sprintf("missed %d", i)))
	}
	d.anew()
	d.start()
	d.expect(append(append([]string{first}, missed...), d.Server.Write(d.Ada, d.General, "live"))...)
}

// A channel of which the agent has never heard anything is read from when it was connected
// last, not from the beginning.
func TestAChannelThatIsNewToTheAgentIsNotReadFromTheBeginning(t *testing.T) {
	d := newDesk(t).start()
	d.await(d.Server.Write(d.Ada, d.General, "hi"))
	other := d.AddChannel("other", d.Ada)
	bot := "<@" + d.Bot().ID + "> "
	d.Server.Write(d.Ada, other, bot+"you are not here")
	d.Server.Pass(time.Hour)
	d.clock.Pass(time.Hour)
	d.await(d.Server.Write(d.Ada, d.General, "an hour later"))
	d.halt()
	d.Invite(other, d.Bot())
	missed := d.Server.Write(d.Ada, other, bot+"now you are")
	d.anew()
	d.start()
	d.await(missed)
	d.await(d.Server.Write(d.Ada, other, "after"))
	if all := d.inbox.Messages(); len(all) != 4 {
		t.Errorf("received were %+v", all)
	}
}

func TestCatchingUpKeepsToTheRoomsOfTheConfiguration(t *testing.T) {
	d := newDesk(t)
	other := d.AddChannel("other", d.Ada, d.Bot())
	d.options.Rooms = []string{other.ID}
	d.anew()
	d.start()
	d.await(d.Server.Write(d.Ada, other, "hi"))
	d.halt()
	d.Server.Write(d.Ada, d.General, "not here")
	here := d.Server.Write(d.Ada, other, "here")
	d.anew()
	d.start()
	d.await(here)
	d.halt()
	for _, r := range d.Requests("conversations.history") {
		if r.Values["channel"] == d.General.ID {
			t.Error("the history of a room was read that the agent is not in")
		}
	}
}

func TestABookmarkThatCannotBeReadEndsRun(t *testing.T) {
	for name, spoil := range map[string]func(*desk){
		"an error": func(d *desk) { d.bookmark.Break(errors.New("the disk is gone")) },
		"nonsense": func(d *desk) { _ = d.bookmark.Save(d.ctx, []byte("{")) },
	} {
		d := newDesk(t)
		spoil(d)
		if err := d.Run(d.ctx, d); err == nil {
			t.Errorf("with %s it runs", name)
		}
	}
}

func TestSlashCommandsBecomeMessages(t *testing.T) {
	d := newDesk(t).start()
	direct := d.Direct(d.Ada)
	for _, test := range []struct {
		name, text string
		in         *slacktest.Channel
		want       string // the message, "" is none
		says       string
	}{
		{"stop in a direct chat", "stop", direct, "/stop", "OK"},
		{"stop in a channel", " STOP ", d.General, "/stop", "OK"},
		{"confirm", "confirm", direct, "/confirm", "OK"},
		{"confirm, no", "confirm no", direct, "/confirm no", "OK"},
		{"missed", "missed", direct, "/missed", "OK"},
		{"help", "help", direct, "", "/aside stop"},
		{"nothing", "", direct, "", "/aside stop"},
		{"nonsense", "rm -rf", direct, "", "/aside stop"},
	} {
		t.Run(test.name, func(t *testing.T) {
			had := len(d.inbox.Messages())
			id, answered := d.Command(d.Ada, test.in, "/aside", test.text)
			answer, err := answered(d.ctx)
			if err != nil || !strings.Contains(answer, test.says) || !strings.Contains(answer, "ephemeral") {
				t.Errorf("it is answered with %s, %v", answer, err)
			}
			if test.want == "" {
				if len(d.inbox.Messages()) != had {
					t.Errorf("received was %+v", d.inbox.Messages()[had:])
				}
				return
			}
			m := d.await(id)
			if m.Text != test.want || m.Room != d.room(test.in, "") || m.Author.Name != "ada" || !m.Mentioned || m.Direct != (test.in == direct) {
				t.Errorf("it is %+v", m)
			}
		})
	}
	t.Run("in a channel with a thread that the person talked in", func(t *testing.T) {
		d.threads.mu.Lock()
		d.threads.latest = d.General.ID + ":1700000000.000100"
		d.threads.mu.Unlock()
		id, _ := d.Command(d.Ada, d.General, "/aside", "stop")
		if m := d.await(id); m.Room != d.room(d.General, "1700000000.000100") || m.Parent != d.General.ID {
			t.Errorf("it is %+v", m)
		}
	})
	if len(d.Posts(d.General, ""))+len(d.Posts(direct, "")) != 0 {
		t.Error("a command has left something behind")
	}
}

var _ platform.Inbox = (*desk)(nil)
