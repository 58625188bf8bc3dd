package discord_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform/discord"
)

// What ends a connection, and whether the session is resumed after it.
func TestConnectionsEndAndNothingIsLost(t *testing.T) {
	for _, test := range []struct {
		name    string
		end     func(*discordtest.Server)
		resumed bool
	}{
		{"it is cut", (*discordtest.Server).DropAll, true},
		{"Discord asks to connect again", (*discordtest.Server).Reconnect, true},
		{"the session is invalid but may be resumed", func(s *discordtest.Server) { s.Invalidate(true) }, true},
		{"Discord restarts", func(s *discordtest.Server) { s.CloseWith(1012) }, true},
		{"Discord does not know what went wrong", func(s *discordtest.Server) { s.CloseWith(4000) }, true},
		{"the session is invalid", func(s *discordtest.Server) { s.Invalidate(false) }, false},
		{"the session has timed out", func(s *discordtest.Server) { s.CloseWith(4009); s.Forget() }, false},
		{"the connection is cut and the session forgotten", func(s *discordtest.Server) { s.DropAll(); s.Forget() }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := start(t)
			f.arrived(f.Write(f.Ada, f.General, "before"))
			identified, resumed := f.Starts()
			test.end(f.Server)
			// It may be connected again before this is written.
			f.Write(f.Ada, f.General, "meanwhile")
			if test.resumed {
				must(t, f.Resumed(f.ctx, resumed+1))
			} else {
				must(t, f.Identified(f.ctx, identified+1))
			}
			must(t, f.Connected(f.ctx))
			f.arrived(f.Write(f.Ada, f.General, "after"))
			if got, want := f.inbox.Texts(), []string{"before", "meanwhile", "after"}; !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			if again, _ := f.Starts(); test.resumed && again != identified {
				t.Errorf("a new session was begun, though the old one could be resumed")
			}
		})
	}
}

func TestWhatAPersonMustMendEndsIt(t *testing.T) {
	for _, test := range []struct {
		name  string
		code  int
		words string
	}{
		{"a token that is wrong by now", 4004, "token"},
		{"intents that are not switched on", 4014, "Message Content Intent"},
		{"intents that Discord does not know", 4013, "update Aside"},
		{"a wrong number of shards", 4011, "shards"},
		{"an old version", 4012, "update Aside"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := prepare(t)
			f.RefuseWith(test.code)
			err := f.Run(f.ctx, f.inbox)
			if err == nil || !strings.Contains(err.Error(), test.words) {
				t.Errorf("Run returned %v, want something with %q", err, test.words)
			}
		})
	}
}

func TestAWrongTokenIsSaid(t *testing.T) {
	f := prepare(t, func(o *discord.Options) { o.Token = "MTE.wrong.token" })
	err := f.Run(f.ctx, f.inbox)
	if err == nil || !strings.Contains(err.Error(), "token") || strings.Contains(err.Error(), "MTE") {
		t.Errorf("Run returned %v, want something about the token, without it", err)
	}
	if strings.Contains(f.log.String(), "MTE") {
		t.Errorf("the token is in the log")
	}
	for _, token := range []string{"", "  ", "two words"} {
		if _, err := discord.New(discord.Options{Token: token}); err == nil || !strings.Contains(err.Error(), "platforms.discord.token") {
			t.Errorf("the token %q is taken: %v", token, err)
		}
	}
}

// Nothing that comes over the gateway may end the program or stop what comes after it.
func TestGarbageIsLeftOut(t *testing.T) {
	f := start(t)
	frames := []string{
		"", "{", "null", "[]", `"text"`, "12", `{"op":"x"}`, `{"op":99}`, `{"op":0}`, `{"op":0,"t":"MESSAGE_CREATE","s":1}`,
		`{"op":0,"t":"MESSAGE_CREATE","d":null}`, `{"op":0,"t":"MESSAGE_CREATE","d":[]}`, `{"op":10,"d":null}`, `{"op":11,"d":7}`,
		`{"op":1}`, `{"op":0,"t":"NEW_THING","d":{"a":[1]}}`,
	}
	for _, text := range frames {
		f.Garble(text)
	}
	f.GarbleBinary([]byte{1, 2, 3})
	// disgo panics on the first of these.
	for name, data := range map[string]any{
		"CHANNEL_CREATE":          map[string]any{"id": "1", "type": 1, "recipients": []any{map[string]any{"id": "2", "username": "x"}}},
		"CHANNEL_UPDATE":          map[string]any{"id": "1", "type": 4711, "guild_id": f.Guild.ID},
		"CHANNEL_DELETE":          []any{},
		"GUILD_CREATE":            map[string]any{"id": true},
		"GUILD_UPDATE":            nil,
		"GUILD_DELETE":            "x",
		"GUILD_ROLE_UPDATE":       map[string]any{"guild_id": "9", "role": []any{}},
		"THREAD_LIST_SYNC":        map[string]any{"threads": map[string]any{}},
		"MESSAGE_REACTION_ADD":    map[string]any{"emoji": 1},
		"MESSAGE_REACTION_REMOVE": map[string]any{"message_id": "1", "channel_id": "2", "user_id": "3", "emoji": map[string]any{}},
		"INTERACTION_CREATE":      map[string]any{"type": 2, "data": 3},
		"VOICE_STATE_UPDATE":      map[string]any{"guild_id": 1.5},
		"MESSAGE_CREATE":          map[string]any{"id": "not a number"},
		"":                        nil,
	} {
		f.Dispatch(name, data)
	}
	f.arrived(f.Write(f.Ada, f.General, "still there?"))
	if identified, resumed := f.Starts(); identified != 1 || resumed != 0 {
		t.Errorf("it has connected %d times and resumed %d times, want once and never", identified, resumed)
	}
}

// A message may have parts that nobody has heard of.
func TestAMessageWithUnknownPartsArrives(t *testing.T) {
	f := start(t)
	id := f.WriteLine(f.Ada, f.General, discordtest.Line{Text: "look", Hostile: []byte(`[{"type":99,"new":[[]]}]`)})
	if m := f.arrived(id); m.Text != "look" {
		t.Errorf("the text is %q", m.Text)
	}
	f.Dispatch("MESSAGE_CREATE", map[string]any{
		"id": "1300000000000000000", "channel_id": f.General.ID, "guild_id": f.Guild.ID, "content": "odd", "type": 0,
		"author": map[string]any{"id": f.Ada.ID, "username": "ada"}, "mentions": "none", "timestamp": "2024-11-15T00:00:00Z",
	})
	if m := f.arrived("1300000000000000000"); m.Text != "odd" || m.Author.Name != "ada" {
		t.Errorf("the message is %+v", m)
	}
	all, err := f.Discord.Messages(f.ctx, at(f.General), page(10))
	if err != nil || !slices.ContainsFunc(all, texts("look")) {
		t.Errorf("the history is %v, %v", all, err)
	}
}

func TestADeadConnectionIsNoticed(t *testing.T) {
	f := prepare(t)
	f.Heartbeat(20 * time.Millisecond)
	f.Silence(true)
	f.run0()
	must(t, f.Resumed(f.ctx, 2)) // more than once, since nothing has changed
	f.Heartbeat(time.Hour)
	f.Silence(false)
	f.arrived(f.Write(f.Ada, f.General, "are you there?"))
}

func TestHeartbeatsSayHowFarItIs(t *testing.T) {
	f := prepare(t)
	f.Heartbeat(20 * time.Millisecond)
	f.run0()
	f.arrived(f.Write(f.Ada, f.General, "hello"))
	must(t, f.Beat(f.ctx, f.Sent()))
}

// Discord takes the token away from who begins too many sessions in a day.
func TestItDoesNotBeginMoreSessionsThanDiscordAllows(t *testing.T) {
	f := prepare(t)
	f.LimitStarts(1)
	var waited []time.Duration
	f.adapter(func(o *discord.Options) {
		o.Wait = func(ctx context.Context, d time.Duration) error {
			if d > time.Hour {
				waited = append(waited, d)
				f.LimitStarts(1000) // tomorrow
			}
			return f.clock.Wait(ctx, d)
		}
	})
	f.run()
	f.Invalidate(false)
	must(t, f.Identified(f.ctx, 2))
	f.arrived(f.Write(f.Ada, f.General, "a new day"))
	must(t, f.stop())
	if len(waited) != 1 || waited[0] != 4*time.Hour {
		t.Errorf("it waited for %v, want four hours", waited)
	}
}

// Should there be a mistake in what handles an event, the next one is handled.
func TestAPanicDoesNotEndIt(t *testing.T) {
	f := prepare(t)
	f.inbox.PanicAt("boom")
	f.run()
	f.Write(f.Ada, f.General, "boom")
	f.arrived(f.Write(f.Ada, f.General, "after"))
	if !strings.Contains(f.log.String(), "MESSAGE_CREATE") {
		t.Errorf("it is not logged: %s", f.log.String())
	}
}

func TestAMessageThatIsNotStoredIsTriedAgain(t *testing.T) {
	f := start(t)
	f.inbox.FailNext(3)
	f.Write(f.Ada, f.General, "one")
	f.arrived(f.Write(f.Ada, f.General, "two"))
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("got %q", got)
	}
}

func TestShardsShareTheGuilds(t *testing.T) {
	f := prepare(t, func(o *discord.Options) { o.Shards = 2 })
	var rooms []*discordtest.Channel
	for range 4 {
		f.Pass(time.Millisecond) // ids differ in the part that decides
		g := f.AddGuild("Another", f.Owner)
		f.AddMember(g, f.Ada)
		f.JoinBot(g)
		rooms = append(rooms, f.AddChannel(g, "room", discordtest.Text))
	}
	f.run0()
	must(t, f.Identified(f.ctx, 2))
	f.sync()
	for _, c := range rooms {
		f.arrived(f.Write(f.Ada, c, "hello from "+c.ID))
	}
	f.arrived(f.Write(f.Ada, f.Direct(f.Ada), "and directly"))
	if err := f.stop(); err != nil {
		t.Errorf("Run returned %v", err)
	}
}

func TestItTriesUntilDiscordCanBeReached(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tries := 0
	f := prepare(t, func(o *discord.Options) {
		o.APIURL = "http://127.0.0.1:1" // nobody is there
		o.Wait = func(ctx context.Context, _ time.Duration) error {
			if tries++; tries == 5 {
				cancel()
			}
			return ctx.Err()
		}
	})
	if err := f.Run(ctx, f.inbox); err != nil {
		t.Errorf("Run returned %v when its context had ended", err)
	}
	if tries != 5 || !strings.Contains(f.log.String(), "cannot be reached") {
		t.Errorf("it tried %d times and logged %s", tries, f.log.String())
	}
}
