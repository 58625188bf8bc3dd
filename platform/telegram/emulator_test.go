package telegram_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/internal/wiretest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/platformtest"
	"github.com/asidehq/aside/platform/telegram"
)

// telegramtest and the adapter are by the same hand. The emulator is not: it is small, but
// what it takes and gives is somebody else's understanding of the Bot API.
func TestAnotherEmulatorOfTelegramIsUnderstood(t *testing.T) {
	address := wiretest.StartEmulator(t, "platform/telegram/testdata/emulator", "telegram-test-api")
	tell := func(path string, body any) []byte {
		t.Helper()
		data, _ := json.Marshal(body)
		answer, err := http.Post(address+path, "application/json", bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		var out bytes.Buffer
		if _, err := out.ReadFrom(answer.Body); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s is answered with %d %s", path, answer.StatusCode, out.String())
		}
		return out.Bytes()
	}
	person := map[string]any{"id": 7, "first_name": "Ada", "username": "ada", "is_bot": false}
	chat := map[string]any{"id": 7, "type": "private", "first_name": "Ada"}
	room := platform.Room{Platform: "telegram", ID: "7"}

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	a, err := telegram.New(telegram.Options{
		Token: telegramtest.Token, APIURL: address,
		Wait: func(ctx context.Context, _ time.Duration) error { // it does not wait by itself
			select {
			case <-time.After(10 * time.Millisecond):
			case <-ctx.Done():
			}
			return ctx.Err()
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	in := platformtest.NewInbox()
	ended := make(chan error, 1)
	running, stop := context.WithCancel(ctx)
	go func() { ended <- a.Run(running, in) }()

	tell("/sendMessage", map[string]any{"botToken": telegramtest.Token, "from": person, "chat": chat, "date": time.Now().Unix(), "text": "hello"})
	f := &fixture{t: t, ctx: ctx, inbox: in, log: &platformtest.Log{}}
	if m := f.until(texts("hello")); m.Author.Name != "Ada" || !m.Direct || m.Room != room {
		t.Errorf("%+v", m)
	}
	post := a.Post(ctx, platform.Post{Key: "key", Room: room, Text: "**Hi** Ada.", Choices: []string{"👍"}})
	second := a.Post(ctx, platform.Post{Key: "other", Room: room, Text: "Wrong."})
	if post.Outcome != platform.Delivered || post.ID == "" || second.Outcome != platform.Delivered || second.ID == post.ID {
		t.Errorf("%+v, %+v", post, second)
	}
	if r := a.Delete(ctx, room, second.ID); r.Outcome != platform.Delivered {
		t.Errorf("%+v", r)
	}
	history := string(tell("/getUpdatesHistory", map[string]any{"token": telegramtest.Token}))
	if !strings.Contains(history, "<b>Hi</b> Ada.") || strings.Contains(history, "Wrong.") || !strings.Contains(history, `"callback_data":"👍"`) {
		t.Errorf("it has %s", history)
	}
	tell("/sendCallback", map[string]any{
		"botToken": telegramtest.Token, "from": person, "date": time.Now().Unix(), "data": "👍",
		"message": map[string]any{"message_id": 2, "chat": chat, "date": time.Now().Unix(), "text": "Hi Ada."},
	})
	if m := f.until(func(m platform.Message) bool { return m.Reaction != nil }); m.Reaction.Emoji != "👍" || m.Author.Name != "Ada" {
		t.Errorf("%+v", m)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}
