package discordtest_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/gateway"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/internal/discordtest"
)

func flake(t *testing.T, id string) snowflake.ID {
	t.Helper()
	n, err := snowflake.Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The server and the adapter are by the same hand and could share a mistake. disgo knows
// Discord by itself: it can read what the server sends, all of it.
func TestDisgoReadsTheGateway(t *testing.T) {
	s := discordtest.New(t)
	s.AddThread(s.General, "thread", discordtest.PublicThread)
	s.AddChannel(s.Guild, "voice", discordtest.Voice)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, s.GatewayURL()+"?v=10&encoding=json", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.CloseNow()
	ws.SetReadLimit(1 << 20)
	next := func() gateway.Message {
		t.Helper()
		kind, data, err := ws.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if kind == websocket.MessageBinary { // as was asked for
			z, err := zlib.NewReader(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if data, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		var m gateway.Message
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatalf("disgo cannot read %s: %v", data, err)
		}
		return m
	}
	send := func(op gateway.Opcode, data gateway.MessageData) {
		t.Helper()
		packed, err := json.Marshal(gateway.Message{Op: op, D: data})
		if err != nil {
			t.Fatal(err)
		}
		if err := ws.Write(ctx, websocket.MessageText, packed); err != nil {
			t.Fatal(err)
		}
	}
	if hello, ok := next().D.(gateway.MessageDataHello); !ok || hello.HeartbeatInterval <= 0 {
		t.Fatalf("it did not say hello: %+v", hello)
	}
	send(gateway.OpcodeHeartbeat, gateway.MessageDataHeartbeat(0))
	if m := next(); m.Op != gateway.OpcodeHeartbeatACK {
		t.Errorf("a heartbeat was answered with %d", m.Op)
	}
	send(gateway.OpcodeIdentify, gateway.MessageDataIdentify{Token: discordtest.Token, Intents: gateway.IntentsAll, Compress: true})
	ready, ok := next().D.(gateway.EventReady)
	if !ok || ready.User.ID != flake(t, s.Bot().ID) || len(ready.Guilds) != 1 || ready.SessionID == "" {
		t.Fatalf("it is not ready: %+v", ready)
	}
	guild, ok := next().D.(gateway.EventGuildCreate)
	if !ok || guild.Name != "Workshop" || len(guild.Channels) != 2 || len(guild.Threads) != 1 || len(guild.Roles) != 2 {
		t.Fatalf("the guild is %+v", guild)
	}

	id := s.Write(s.Ada, s.General, "hello <@"+s.Bot().ID+">")
	message, ok := next().D.(gateway.EventMessageCreate)
	if !ok || message.ID != flake(t, id) || message.Author.Username != "ada" || len(message.Mentions) != 1 || message.GuildID == nil || message.Member == nil {
		t.Errorf("the message is %+v", message)
	}
	s.Rewrite(s.General, id, "hello!")
	if m, ok := next().D.(gateway.EventMessageUpdate); !ok || m.Content != "hello!" || m.EditedTimestamp == nil {
		t.Errorf("the edit is %+v", m)
	}
	s.React(s.Ada, s.General, id, "👀")
	if r, ok := next().D.(gateway.EventMessageReactionAdd); !ok || r.UserID != flake(t, s.Ada.ID) || r.Emoji.Name == nil || *r.Emoji.Name != "👀" || r.Member == nil {
		t.Errorf("the reaction is %+v", r)
	}
	s.Unreact(s.Ada, s.General, id, "👀")
	if r, ok := next().D.(gateway.EventMessageReactionRemove); !ok || r.MessageID != flake(t, id) {
		t.Errorf("the reaction that was taken off is %+v", r)
	}
	s.Erase(s.General, id)
	if m, ok := next().D.(gateway.EventMessageDelete); !ok || m.ID != flake(t, id) {
		t.Errorf("the deletion is %+v", m)
	}
	s.Write(s.Ada, s.Direct(s.Ada), "psst")
	if m, ok := next().D.(gateway.EventMessageCreate); !ok || m.GuildID != nil || m.Content != "psst" {
		t.Errorf("the direct message is %+v", m)
	}
	s.AddRole(s.Guild, "editors", discordtest.ManageMessages)
	if r, ok := next().D.(gateway.EventGuildRoleCreate); !ok || r.Role.Permissions != discord.PermissionManageMessages {
		t.Errorf("the role is %+v", r)
	}
	s.AddChannel(s.Guild, "forum", discordtest.Forum)
	if c, ok := next().D.(gateway.EventChannelCreate); !ok || c.Name() != "forum" || c.Type() != discord.ChannelTypeGuildForum {
		t.Errorf("the channel is %+v", c)
	}
	s.AddThread(s.General, "another", discordtest.PrivateThread)
	if c, ok := next().D.(gateway.EventThreadCreate); !ok || c.Name() != "another" {
		t.Errorf("the thread is %+v", c)
	}
	s.Invoke(s.Ada, s.General, "stop", nil)
	if i, ok := next().D.(gateway.EventInteractionCreate); !ok || i.User().ID != flake(t, s.Ada.ID) {
		t.Errorf("the interaction is %+v", i)
	}
	voice := flake(t, guild.Channels[1].ID().String())
	send(gateway.OpcodeVoiceStateUpdate, gateway.MessageDataVoiceStateUpdate{GuildID: guild.ID, ChannelID: &voice})
	if v, ok := next().D.(gateway.EventVoiceStateUpdate); !ok || v.ChannelID == nil || *v.ChannelID != voice {
		t.Errorf("the voice state is %+v", v)
	}
}

// Why the adapter has a gateway of its own: this happens in a goroutine of disgo's.
func TestDisgoPanicsOnADirectChannel(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Errorf("disgo does not panic any more: its gateway may be worth another look")
		}
	}()
	var m gateway.Message
	_ = json.Unmarshal([]byte(`{"op":0,"t":"CHANNEL_CREATE","s":1,"d":{"id":"1","type":1}}`), &m)
}

// And it can read what REST answers.
func TestDisgoReadsREST(t *testing.T) {
	s := discordtest.New(t)
	c := rest.New(rest.NewClient(discordtest.Token, rest.WithURL(s.APIURL()), rest.WithRateLimiter(rest.NewNoopRateLimiter()), rest.WithLogger(slog.New(slog.DiscardHandler))))
	general, guild, ada := flake(t, s.General.ID), flake(t, s.Guild.ID), flake(t, s.Ada.ID)
	forum := s.AddChannel(s.Guild, "forum", discordtest.Forum)
	check := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	m, err := c.CreateMessage(general, discord.MessageCreate{Content: "hello", Nonce: "n", EnforceNonce: true})
	check("create a message", err)
	again, err := c.CreateMessage(general, discord.MessageCreate{Content: "hello", Nonce: "n", EnforceNonce: true})
	check("create it again", err)
	if again.ID != m.ID {
		t.Errorf("the same nonce is another message")
	}
	check("react", c.AddReaction(general, m.ID, "👀"))
	text := "hello!"
	_, err = c.UpdateMessage(general, m.ID, discord.MessageUpdate{Content: &text})
	check("edit", err)
	page, err := c.GetMessages(general, 0, 0, 0, 10)
	check("get messages", err)
	if len(page) != 1 || page[0].Content != text || len(page[0].Reactions) != 1 || page[0].Nonce != "" {
		t.Errorf("the history is %+v", page)
	}
	_, err = c.GetChannel(general)
	check("get a channel", err)
	channels, err := c.GetGuildChannels(guild)
	check("get channels", err)
	if len(channels) != 2 {
		t.Errorf("there are %d channels", len(channels))
	}
	_, err = c.CreateGuildChannel(guild, discord.GuildVoiceChannelCreate{Name: "voice"})
	check("create a channel", err)
	_, err = c.CreateThreadFromMessage(general, m.ID, discord.ThreadCreateFromMessage{Name: "thread"})
	check("create a thread", err)
	_, err = c.CreatePostInThreadChannel(flake(t, forum.ID), discord.ThreadChannelPostCreate{Name: "post", Message: discord.MessageCreate{Content: "first"}})
	check("create a post in a forum", err)
	_, err = c.GetActiveGuildThreads(guild)
	check("get threads", err)
	_, err = c.GetGuild(guild, false)
	check("get a guild", err)
	roles, err := c.GetRoles(guild)
	check("get roles", err)
	if len(roles) != 2 {
		t.Errorf("there are %d roles", len(roles))
	}
	_, err = c.GetMember(guild, ada)
	check("get a member", err)
	_, err = c.SearchMembers(guild, "ad", 10)
	check("search members", err)
	_, err = c.GetUser(ada)
	check("get a user", err)
	_, err = c.CreateDMChannel(ada)
	check("open a direct chat", err)
	_, err = c.GetGatewayBot()
	check("get the gateway", err)
	ends := time.Now().Add(2 * time.Hour)
	_, err = c.CreateGuildScheduledEvent(guild, discord.GuildScheduledEventCreate{
		Name: "walk", PrivacyLevel: discord.ScheduledEventPrivacyLevelGuildOnly, EntityType: discord.ScheduledEventEntityTypeExternal,
		EntityMetaData: &discord.EntityMetaData{Location: "park"}, ScheduledStartTime: time.Now().Add(time.Hour), ScheduledEndTime: &ends,
	})
	check("create an event", err)
	_, err = c.GetGuildScheduledEvents(guild, false)
	check("get events", err)
	check("delete", c.DeleteMessage(general, m.ID))
}
