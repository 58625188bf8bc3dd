package discord_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform/discord"
)

// again starts what a restarted program would.
func (f *fixture) again(change ...func(*discord.Options)) {
	f.t.Helper()
	if err := f.stop(); err != nil {
		f.t.Errorf("Run returned %v", err)
	}
	f.adapter(change...)
}

func TestWhatWasWrittenWhileItWasStoppedArrives(t *testing.T) {
	f := prepare(t)
	thread := f.AddThread(f.General, "a thread", discordtest.PublicThread)
	private := f.AddChannel(f.Guild, "private", discordtest.Text, discordtest.Overwrite{ID: f.Guild.ID, Deny: discordtest.ViewChannel})
	direct := f.Direct(f.Ada)
	f.Write(f.Ada, f.General, "long before the first start")
	f.run()
	f.arrived(f.Write(f.Ada, direct, "hello"))
	f.again()
	f.Write(f.Ada, f.General, "one")
	f.Write(f.Ada, thread, "in the thread")
	f.Write(f.Ada, f.General, "two")
	f.Write(f.Ada, direct, "directly")
	f.Write(f.Owner, private, "nobody may see this")
	f.run()
	got := f.inbox.Texts()
	slices.Sort(got)
	if want := []string{"directly", "hello", "in the thread", "one", "two"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if all := f.inbox.Texts(); slices.Index(all, "one") > slices.Index(all, "two") {
		t.Errorf("they came out of order: %q", all)
	}
	messages := f.inbox.Messages()
	for _, m := range messages {
		if m.Direct != (m.Room == at(direct)) {
			t.Errorf("%q is direct: %v", m.Text, m.Direct)
		}
	}
}

func TestMoreThanAPageIsCaughtUpWithInOrder(t *testing.T) {
	f := start(t)
	f.again()
	var want []string
	for i := range 250 {
		text := fmt.Sprintf("message %d", i)
		want = append(want, text)
		f.Write(f.Ada, f.General, text)
	}
	f.run()
	if got := f.inbox.Texts(); !slices.Equal(got, want) {
		t.Errorf("got %d messages: %q", len(got), got)
	}
}

func TestADirectChatOfSomeoneAllowedIsFoundThoughItIsNew(t *testing.T) {
	f := start(t)
	f.again(func(o *discord.Options) { o.AllowUsers = []string{f.Ada.ID, "nonsense", "4711000000000000000"} })
	f.Write(f.Ada, f.Direct(f.Ada), "are you there?")
	f.run()
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"are you there?"}) {
		t.Errorf("got %q", got)
	}
}

func TestOnlyTheRoomsItIsInAreCaughtUpWith(t *testing.T) {
	f := prepare(t)
	other := f.AddChannel(f.Guild, "other", discordtest.Text)
	thread := f.AddThread(f.General, "a thread", discordtest.PublicThread)
	f.run()
	f.again(func(o *discord.Options) { o.Rooms = []string{f.General.ID} })
	f.Write(f.Ada, other, "elsewhere")
	f.Write(f.Ada, thread, "in a thread of the room")
	f.run()
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"in a thread of the room"}) {
		t.Errorf("got %q", got)
	}
}

func TestAGuildThatComesBackFromAnOutageIsCaughtUpWith(t *testing.T) {
	f := start(t)
	f.Dispatch("GUILD_DELETE", map[string]any{"id": f.Guild.ID, "unavailable": true})
	second := f.AddGuild("Another", f.Owner)
	f.AddMember(second, f.Ada)
	f.JoinBot(second)
	room := f.AddChannel(second, "room", discordtest.Text)
	f.arrived(f.Write(f.Ada, room, "elsewhere it goes on"))
	f.Mute(func() { f.Write(f.Ada, f.General, "during the outage") })
	f.Restore(f.Guild)
	f.sync()
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"elsewhere it goes on", "during the outage"}) {
		t.Errorf("got %q", got)
	}
}

// What goes on elsewhere does not count as everything.
func TestAnOutageThatOutlastsTheProgramIsCaughtUpWith(t *testing.T) {
	f := prepare(t)
	second := f.AddGuild("Another", f.Owner)
	f.AddMember(second, f.Ada)
	f.JoinBot(second)
	room := f.AddChannel(second, "room", discordtest.Text)
	f.run()
	f.Dispatch("GUILD_DELETE", map[string]any{"id": f.Guild.ID, "unavailable": true})
	f.Mute(func() { f.Write(f.Ada, f.General, "during the outage") })
	f.Pass(time.Hour)
	f.arrived(f.Write(f.Ada, room, "elsewhere it goes on"))
	f.again()
	f.run()
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"elsewhere it goes on", "during the outage"}) {
		t.Errorf("got %q", got)
	}
}

func TestAGuildThatIsJoinedIsNotAnsweredForItsPast(t *testing.T) {
	f := start(t)
	g := f.AddGuild("Another", f.Owner)
	f.AddMember(g, f.Ada)
	room := f.AddChannel(g, "room", discordtest.Text)
	f.Write(f.Ada, room, "before you came")
	f.JoinBot(g)
	f.arrived(f.Write(f.Ada, room, "now"))
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"now"}) {
		t.Errorf("got %q", got)
	}
}

func TestABookmarkThatCannotBeReadIsSaid(t *testing.T) {
	f := prepare(t)
	f.bookmark.Break(errors.New("the disk is gone"))
	if err := f.Run(f.ctx, f.inbox); err == nil {
		t.Errorf("it runs without knowing how far it was")
	}
	f.bookmark.Break(nil)
	must(t, f.bookmark.Save(f.ctx, []byte("{")))
	if err := f.Run(f.ctx, f.inbox); err == nil {
		t.Errorf("it runs with a bookmark that cannot be read")
	}
}

func TestWithoutABookmarkItRuns(t *testing.T) {
	f := start(t, func(o *discord.Options) { o.Bookmark = nil })
	f.arrived(f.Write(f.Ada, f.General, "hello"))
	f.DropAll()
	f.Forget()
	f.Write(f.Ada, f.General, "meanwhile")
	must(t, f.Identified(f.ctx, 2))
	f.arrived(f.Write(f.Ada, f.General, "after"))
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"hello", "meanwhile", "after"}) {
		t.Errorf("got %q", got)
	}
}

func TestAnotherNumberOfShardsLosesNothing(t *testing.T) {
	f := start(t)
	f.arrived(f.Write(f.Ada, f.General, "one shard"))
	f.again(func(o *discord.Options) { o.Shards = 2 })
	f.Write(f.Ada, f.General, "while it was stopped")
	f.run0()
	must(t, f.Identified(f.ctx, 3))
	f.sync()
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"one shard", "while it was stopped"}) {
		t.Errorf("got %q", got)
	}
}

func TestABotWithoutAServerIsThereForDirectChats(t *testing.T) {
	f := prepare(t)
	delete(f.Guild.Members, f.Bot().ID)
	direct := f.Direct(f.Ada)
	f.Write(f.Ada, direct, "before the first start")
	f.clock.Pass(time.Second)
	allow := func(o *discord.Options) { o.AllowUsers = []string{f.Ada.ID} }
	f.adapter(allow)
	f.run()
	f.again(allow)
	f.Pass(time.Minute) // the clocks need not agree
	f.Write(f.Ada, direct, "while it was stopped")
	f.run()
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"while it was stopped"}) {
		t.Errorf("got %q", got)
	}
}
