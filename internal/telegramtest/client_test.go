package telegramtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"github.com/asidehq/aside/internal/telegramtest"
)

// The server and the adapter are by the same hand and could share a mistake. The library
// knows Telegram by itself: it can ask the server, and read what it answers.

func client(t *testing.T, s *telegramtest.Server) *bot.Bot {
	t.Helper()
	b, err := bot.New(telegramtest.Token, bot.WithServerURL(s.URL()))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// updates are what waits, as the library reads it.
func updates(t *testing.T, s *telegramtest.Server) []models.Update {
	t.Helper()
	answer, err := http.Get(s.URL() + "/bot" + telegramtest.Token + `/getUpdates?allowed_updates=["message","edited_message","message_reaction","callback_query"]`)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var body struct {
		OK     bool
		Result []models.Update
	}
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil || !body.OK {
		t.Fatalf("%+v, %v", body, err)
	}
	return body.Result
}

func TestTheLibraryReadsUpdates(t *testing.T) {
	s := telegramtest.New(t)
	updates(t, s) // which says what is to be told
	b := client(t, s)
	forum := s.AddChat("supergroup", "Forum", s.Owner)
	topic := s.AddTopic(forum, "plans")
	post, err := b.SendMessage(t.Context(), &bot.SendMessageParams{ChatID: s.Private.ID, Text: "Sure?", ReplyMarkup: &models.InlineKeyboardMarkup{
		InlineKeyboard: [][]models.InlineKeyboardButton{{{Text: "✅", CallbackData: "✅"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	id := s.Write(s.Ada, s.Private, "hello @aside_bot 😀")
	s.WriteLine(s.Ada, s.Workshop, telegramtest.Line{Text: "/stop@aside_bot"})
	s.WriteLine(s.Ada, forum, telegramtest.Line{Text: "in a topic", Thread: topic})
	s.WriteLine(s.Ada, s.Private, telegramtest.Line{Text: "quoting", ReplyTo: id, Quote: "hello"})
	kinds := []string{"photo", "document", "audio", "voice", "video", "animation", "sticker"}
	for _, kind := range kinds {
		s.WriteLine(s.Ada, s.Private, telegramtest.Line{Files: []telegramtest.Attached{{Kind: kind, File: telegramtest.File{Name: "a.bin", Data: []byte("x")}}}})
	}
	s.WriteLine(s.Owner, s.Workshop, telegramtest.Line{Text: "as the group", As: s.Workshop})
	s.Edit(s.Ada, s.Private, id, "hello again")
	s.React(s.Ada, s.Private, id, "👍")
	s.Press(s.Ada, s.Private, telegramtest.Message{ID: post.ID}.IDText(), "✅")
	s.Migrate(s.AddChat("group", "Small", s.Owner))

	all := updates(t, s)
	if len(all) != 4+len(kinds)+6 {
		t.Fatalf("there are %d", len(all))
	}
	if m := all[0].Message; m.From.Username != "ada" || m.Chat.Type != models.ChatTypePrivate || len(m.Entities) != 1 || m.Entities[0].Offset != 6 || m.Entities[0].Length != 10 {
		t.Errorf("%+v", m)
	}
	if m := all[1].Message; m.Entities[0].Type != models.MessageEntityTypeBotCommand {
		t.Errorf("%+v", m)
	}
	if m := all[2].Message; !m.IsTopicMessage || m.MessageThreadID != topic || m.ReplyToMessage.ForumTopicCreated == nil {
		t.Errorf("%+v", m)
	}
	if m := all[3].Message; m.Quote == nil || m.Quote.Text != "hello" || m.ReplyToMessage.Text == "" {
		t.Errorf("%+v", m)
	}
	files := all[4 : 4+len(kinds)]
	if m := files[0].Message; len(m.Photo) != 2 {
		t.Errorf("%+v", m)
	}
	for i, there := range []bool{true, files[1].Message.Document != nil, files[2].Message.Audio != nil, files[3].Message.Voice != nil, files[4].Message.Video != nil, files[5].Message.Animation != nil, files[6].Message.Sticker != nil} {
		if !there {
			t.Errorf("the %s is not there", kinds[i])
		}
	}
	rest := all[4+len(kinds):]
	if rest[0].Message.SenderChat == nil || rest[1].EditedMessage == nil || rest[1].EditedMessage.EditDate == 0 {
		t.Errorf("%+v", rest[:2])
	}
	if r := rest[2].MessageReaction; r == nil || len(r.NewReaction) != 1 || r.NewReaction[0].ReactionTypeEmoji.Emoji != "👍" {
		t.Errorf("%+v", r)
	}
	if q := rest[3].CallbackQuery; q == nil || q.Data != "✅" || q.Message.Message == nil {
		t.Errorf("%+v", q)
	}
	if rest[4].Message.MigrateToChatID == 0 || rest[5].Message.MigrateFromChatID == 0 {
		t.Errorf("%+v", rest[4:])
	}
}

func TestTheLibraryWrites(t *testing.T) {
	s := telegramtest.New(t)
	b := client(t, s)
	ctx := t.Context()
	m, err := b.SendMessage(ctx, &bot.SendMessageParams{ChatID: s.Private.ID, Text: "<b>Hello</b> &amp; <i>bye</i>", ParseMode: models.ParseModeHTML})
	if err != nil || m.Text != "Hello & bye" || len(m.Entities) != 2 {
		t.Fatalf("%+v, %v", m, err)
	}
	edit := &bot.EditMessageTextParams{ChatID: s.Private.ID, MessageID: m.ID, Text: "Changed."}
	if _, err := b.EditMessageText(ctx, edit); err != nil {
		t.Error(err)
	}
	if _, err := b.EditMessageText(ctx, edit); err == nil || !strings.Contains(err.Error(), "message is not modified") {
		t.Errorf("an edit that changes nothing: %v", err)
	}
	// Media can take the place of a text.
	media := &models.InputMediaDocument{Media: "attach://notes.txt", Caption: "Look.", MediaAttachment: bytes.NewReader([]byte("hello"))}
	if got, err := b.EditMessageMedia(ctx, &bot.EditMessageMediaParams{ChatID: s.Private.ID, MessageID: m.ID, Media: media}); err != nil || got.Document == nil || got.Caption != "Look." {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := b.SetMessageReaction(ctx, &bot.SetMessageReactionParams{ChatID: s.Private.ID, MessageID: m.ID, Reaction: []models.ReactionType{
		{Type: models.ReactionTypeTypeEmoji, ReactionTypeEmoji: &models.ReactionTypeEmoji{Emoji: "👍"}},
	}}); err != nil {
		t.Error(err)
	}
	file, err := b.GetFile(ctx, &bot.GetFileParams{FileID: s.Posts(s.Private)[0].File.ID})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(b.FileDownloadLink(file))
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%v, %v", answer, err)
	}
	_ = answer.Body.Close()
	for _, u := range []*telegramtest.User{s.Owner, s.Bot(), s.Ada} {
		if _, err := b.GetChatMember(ctx, &bot.GetChatMemberParams{ChatID: s.Workshop.ID, UserID: u.ID}); err != nil {
			t.Errorf("%s: %v", u.Name, err)
		}
	}
	if chat, err := b.GetChat(ctx, &bot.GetChatParams{ChatID: s.Workshop.ID}); err != nil || !chat.Permissions.CanSendMessages {
		t.Errorf("%+v, %v", chat, err)
	}
	if ok, err := b.DeleteMessage(ctx, &bot.DeleteMessageParams{ChatID: s.Private.ID, MessageID: m.ID}); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}

func TestTheLibraryKnowsWhatIsWrong(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(s *telegramtest.Server) (chat int64, text string)
		is      func(err error) bool
	}{
		{"too much", func(s *telegramtest.Server) (int64, string) {
			s.Fail(telegramtest.Fault{Status: 429, RetryAfter: 5 * time.Second})
			return s.Private.ID, "hi"
		}, func(err error) bool {
			var limit *bot.TooManyRequestsError
			return errors.As(err, &limit) && limit.RetryAfter == 5
		}},
		{"blocked", func(s *telegramtest.Server) (int64, string) { s.Ada.Blocked = true; return s.Private.ID, "hi" }, func(err error) bool {
			return errors.Is(err, bot.ErrorForbidden)
		}},
		{"moved", func(s *telegramtest.Server) (int64, string) {
			small := s.AddChat("group", "Small", s.Owner)
			s.Migrate(small)
			return small.ID, "hi"
		}, func(err error) bool {
			var moved *bot.MigrateError
			return errors.As(err, &moved) && moved.MigrateToChatID < -1_000_000_000_000
		}},
		{"no chat", func(*telegramtest.Server) (int64, string) { return 4711, "hi" }, func(err error) bool { return errors.Is(err, bot.ErrorBadRequest) }},
		{"too long", func(s *telegramtest.Server) (int64, string) { return s.Private.ID, strings.Repeat("x", 4097) }, func(err error) bool {
			return errors.Is(err, bot.ErrorBadRequest) && strings.Contains(err.Error(), "message is too long")
		}},
		{"no text", func(s *telegramtest.Server) (int64, string) { return s.Private.ID, " " }, func(err error) bool { return errors.Is(err, bot.ErrorBadRequest) }},
		{"HTML that is not closed", func(s *telegramtest.Server) (int64, string) { return s.Private.ID, "<b>x" }, func(err error) bool {
			return errors.Is(err, bot.ErrorBadRequest) && strings.Contains(err.Error(), "can't parse entities: Can't find end tag")
		}},
		{"a tag that there is not", func(s *telegramtest.Server) (int64, string) { return s.Private.ID, "<h1>x</h1>" }, func(err error) bool {
			return errors.Is(err, bot.ErrorBadRequest) && strings.Contains(err.Error(), `Unsupported start tag "h1"`)
		}},
		{"the answer is lost", func(s *telegramtest.Server) (int64, string) {
			s.Fail(telegramtest.Fault{Done: true})
			return s.Private.ID, "hi"
		}, func(err error) bool { return err != nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := telegramtest.New(t)
			b := client(t, s)
			chat, text := test.prepare(s)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if _, err := b.SendMessage(ctx, &bot.SendMessageParams{ChatID: chat, Text: text, ParseMode: models.ParseModeHTML}); !test.is(err) {
				t.Errorf("it is %v", err)
			}
		})
	}
}

func TestAWrongTokenIsRefused(t *testing.T) {
	s := telegramtest.New(t)
	if _, err := bot.New("1:wrong", bot.WithServerURL(s.URL())); !errors.Is(err, bot.ErrorUnauthorized) {
		t.Errorf("it is %v", err)
	}
}
