package slacktest_test

import (
	"bytes"
	"context"
	"errors"
	"log"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	"github.com/asidehq/aside/internal/slacktest"
)

func client(s *slacktest.Server, options ...slack.Option) *slack.Client {
	quiet := slack.OptionLog(log.New(&bytes.Buffer{}, "", 0))
	return slack.New(slacktest.BotToken, append(options, slack.OptionAPIURL(s.APIURL()), slack.OptionAppLevelToken(slacktest.AppToken), quiet)...)
}

// The server and the adapter are by the same hand and could share a mistake. slack-go knows
// Slack by itself: it can use the server, and read what it says.
func TestSlackGoUsesTheWebAPI(t *testing.T) {
	s := slacktest.New(t)
	c := client(s)
	who, err := c.AuthTestContext(t.Context())
	if err != nil || who.UserID != s.Bot().ID || who.BotID != s.Bot().BotID {
		t.Fatalf("it is %+v, %v", who, err)
	}
	in := s.General.ID
	key := slack.SlackMetadata{EventType: "aside_post", EventPayload: map[string]any{"key": "one"}}
	_, ts, err := c.PostMessageContext(t.Context(), in, slack.MsgOptionText("Hello.", false), slack.MsgOptionMetadata(key))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := c.UpdateMessageContext(t.Context(), in, ts, slack.MsgOptionText("Hello there.", false)); err != nil {
		t.Error(err)
	}
	reply := s.WriteIn(s.Ada, s.General, ts, "hi 👋")
	history, err := c.GetConversationHistoryContext(t.Context(), &slack.GetConversationHistoryParameters{ChannelID: in, IncludeAllMetadata: true})
	if err != nil || len(history.Messages) != 1 {
		t.Fatalf("the history is %+v, %v", history, err)
	}
	if m := history.Messages[0]; m.Timestamp != ts || m.Text != "Hello there." || m.Metadata.EventPayload["key"] != "one" || m.ReplyCount != 1 || m.Edited == nil {
		t.Errorf("the message is %+v", m)
	}
	replies, _, _, err := c.GetConversationRepliesContext(t.Context(), &slack.GetConversationRepliesParameters{ChannelID: in, Timestamp: ts})
	if err != nil || len(replies) != 2 || replies[1].Timestamp != reply || replies[1].Text != "hi :wave:" || replies[1].ThreadTimestamp != ts {
		t.Errorf("the replies are %+v, %v", replies, err)
	}
	item := slack.NewRefToMessage(in, ts)
	if err := errors.Join(c.AddReactionContext(t.Context(), "eyes", item), c.AddPinContext(t.Context(), in, item)); err != nil {
		t.Error(err)
	}
	if err := c.AddReactionContext(t.Context(), "eyes", item); err == nil || err.Error() != "already_reacted" {
		t.Errorf("again it is %v", err)
	}
	if err := c.AddReactionContext(t.Context(), "no_such_thing", item); err == nil || err.Error() != "invalid_name" {
		t.Errorf("an unknown emoji is %v", err)
	}
	pins, _, err := c.ListPinsContext(t.Context(), in)
	if err != nil || !slices.ContainsFunc(pins, func(i slack.Item) bool { return i.Message != nil && i.Message.Timestamp == ts }) {
		t.Errorf("the pins are %+v, %v", pins, err)
	}
	if u, err := c.GetUserInfoContext(t.Context(), s.Owner.ID); err != nil || !u.IsOwner || u.Profile.DisplayName != "owner" {
		t.Errorf("the owner is %+v, %v", u, err)
	}
	made, err := c.CreateConversationContext(t.Context(), slack.CreateConversationParams{ChannelName: "news"})
	if err != nil || made.Name != "news" || !made.IsMember {
		t.Errorf("the channel is %+v, %v", made, err)
	}
	own, _, err := c.GetConversationsForUserContext(t.Context(), &slack.GetConversationsForUserParameters{Types: []string{"public_channel", "im"}})
	if err != nil || len(own) != 2 {
		t.Errorf("the bot's channels are %+v, %v", own, err)
	}
	members, _, err := c.GetUsersInConversationContext(t.Context(), &slack.GetUsersInConversationParameters{ChannelID: in})
	if err != nil || len(members) != 3 {
		t.Errorf("the members are %v, %v", members, err)
	}
	if _, _, err := c.DeleteMessageContext(t.Context(), in, ts); err != nil {
		t.Error(err)
	}
	if _, err := client(s).GetUserInfoContext(t.Context(), "U0NOBODY"); err == nil || err.Error() != "user_not_found" {
		t.Errorf("nobody is %v", err)
	}
}

func TestSlackGoUploadsAndDownloadsFiles(t *testing.T) {
	s := slacktest.New(t)
	c := client(s)
	sum, err := c.UploadFileContext(t.Context(), slack.UploadFileParameters{
		Reader: strings.NewReader("hello"), FileSize: 5, Filename: "a.txt", Channel: s.General.ID, InitialComment: "Look.",
	})
	if err != nil {
		t.Fatal(err)
	}
	posts := s.Posts(s.General, "")
	if len(posts) != 1 || posts[0].Text != "Look." || string(posts[0].Files[0].Data) != "hello" {
		t.Fatalf("there stands %+v", posts)
	}
	info, _, _, err := c.GetFileInfoContext(t.Context(), sum.ID, 1, 1)
	if err != nil || info.Shares.Public[s.General.ID][0].Ts != posts[0].TS {
		t.Fatalf("the file is %+v, %v", info, err)
	}
	var b bytes.Buffer
	if err := c.GetFileContext(t.Context(), info.URLPrivateDownload, &b); err != nil || b.String() != "hello" {
		t.Errorf("it has %q, %v", b.String(), err)
	}
}

func TestSlackGoReadsFaults(t *testing.T) {
	s := slacktest.New(t)
	c := client(s)
	post := func(f slacktest.Fault) error {
		s.Fail(f)
		_, _, err := c.PostMessageContext(t.Context(), s.General.ID, slack.MsgOptionText("x", false))
		return err
	}
	var limited *slack.RateLimitedError
	if err := post(slacktest.Fault{Status: 429, RetryAfter: 7 * time.Second}); !errors.As(err, &limited) || limited.RetryAfter != 7*time.Second {
		t.Errorf("it is %v", err)
	}
	if err := post(slacktest.Fault{Error: "is_archived"}); err == nil || err.Error() != "is_archived" {
		t.Errorf("it is %v", err)
	}
	var status slack.StatusCodeError
	if err := post(slacktest.Fault{Status: 502}); !errors.As(err, &status) || status.Code != 502 {
		t.Errorf("it is %v", err)
	}
	if err := post(slacktest.Fault{Done: true}); err == nil || len(s.Posts(s.General, "")) != 1 {
		t.Errorf("it is %v", err)
	}
}

func TestSlackGoReadsSocketMode(t *testing.T) {
	s := slacktest.New(t)
	quiet := socketmode.OptionLog(log.New(&bytes.Buffer{}, "", 0))
	socket := socketmode.New(client(s), quiet)
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	ended := make(chan error, 1)
	go func() { ended <- socket.RunContext(ctx) }()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	next := func(kind socketmode.EventType) socketmode.Event {
		t.Helper()
		for {
			select {
			case e := <-socket.Events:
				if e.Type == kind {
					return e
				}
			case <-ctx.Done():
				t.Fatalf("%s has not come", kind)
			}
		}
	}
	next(socketmode.EventTypeHello)
	inner := func() any {
		t.Helper()
		e := next(socketmode.EventTypeEventsAPI)
		if err := socket.Ack(*e.Request); err != nil {
			t.Fatal(err)
		}
		return e.Data.(slackevents.EventsAPIEvent).InnerEvent.Data
	}
	ts := s.Write(s.Ada, s.General, "<@"+s.Bot().ID+"> hi")
	if m, ok := inner().(*slackevents.MessageEvent); !ok || m.TimeStamp != ts || m.ChannelType != "channel" || m.User != s.Ada.ID {
		t.Errorf("the message is %+v", m)
	}
	if m, ok := inner().(*slackevents.AppMentionEvent); !ok || m.TimeStamp != ts || m.Channel != s.General.ID {
		t.Errorf("the mention is %+v", m)
	}
	s.Rewrite(s.General, ts, "hi there")
	if m, ok := inner().(*slackevents.MessageEvent); !ok || !m.IsEdited() || m.Message.Text != "hi there" || m.PreviousMessage == nil {
		t.Errorf("the edit is %+v", m)
	}
	s.React(s.Ada, s.General, ts, "tada")
	if r, ok := inner().(*slackevents.ReactionAddedEvent); !ok || r.Reaction != "tada" || r.Item.Timestamp != ts || r.ItemUser != s.Ada.ID {
		t.Errorf("the reaction is %+v", r)
	}
	s.Erase(s.General, ts)
	if m, ok := inner().(*slackevents.MessageEvent); !ok || m.SubType != "message_deleted" {
		t.Errorf("the deletion is %+v", m)
	}
	_, answered := s.Command(s.Ada, s.General, "/aside", "stop")
	e := next(socketmode.EventTypeSlashCommand)
	if command := e.Data.(slack.SlashCommand); command.Command != "/aside" || command.Text != "stop" || command.TriggerID == "" {
		t.Errorf("the command is %+v", command)
	}
	if err := socket.Ack(*e.Request, map[string]string{"text": "OK"}); err != nil {
		t.Fatal(err)
	}
	if answer, err := answered(ctx); err != nil || !strings.Contains(answer, "OK") {
		t.Errorf("the answer is %s, %v", answer, err)
	}
	post := s.Write(s.Bot(), s.General, "Really?")
	inner()
	s.Press(s.Ada, s.General, post, "a", "✅")
	e = next(socketmode.EventTypeInteractive)
	if i := e.Data.(slack.InteractionCallback); i.Type != slack.InteractionTypeBlockActions || i.ActionCallback.BlockActions[0].Value != "✅" || i.Message.Timestamp != post {
		t.Errorf("the button is %+v", i)
	}
	if err := socket.Ack(*e.Request); err != nil {
		t.Fatal(err)
	}
	if err := s.Until(ctx, func() bool { return s.Unacknowledged() == 0 }); err != nil {
		t.Errorf("%d are not acknowledged", s.Unacknowledged())
	}
}

func TestRequestsAreCheckedAgainstSlacksDescription(t *testing.T) {
	if s := slacktest.New(t); !s.Checked() {
		t.Skip("Slack's description of its API was not found: ASIDE_SPECS names the directory that has slack_web_openapi_v2.json")
	}
}
