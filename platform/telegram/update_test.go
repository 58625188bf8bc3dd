package telegram_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform/platformtest"
	"github.com/asidehq/aside/platform/telegram"
)

func TestWhatCannotBeReadIsPassedOver(t *testing.T) {
	for _, test := range []struct{ name, update string }{
		{"nothing", `{"update_id":%d}`},
		{"something of a later time", `{"update_id":%d,"brain_wave":{"strength":7}}`},
		{"a message that is no object", `{"update_id":%d,"message":"hello"}`},
		{"a message without anything", `{"update_id":%d,"message":{}}`},
		{"a message without a chat", `{"update_id":%d,"message":{"message_id":7,"date":1,"text":"x"}}`},
		{"a message without an author", `{"update_id":%d,"message":{"message_id":7,"date":1,"chat":{"id":5,"type":"private"},"text":"x"}}`},
		{"mentions that lie outside of the text", `{"update_id":%d,"message":{"message_id":7,"date":1,"chat":{"id":5,"type":"private"},"text":"","entities":[{"type":"mention","offset":5,"length":90},{"type":"mention","offset":-5,"length":3}]}}`},
		{"a button of nothing", `{"update_id":%d,"callback_query":{"id":"1"}}`},
		{"a reaction to nothing", `{"update_id":%d,"message_reaction":{}}`},
		{"a number that is none", `{"update_id":%d,"message":{"message_id":"seven","chat":{"id":5}}}`},
		{"a list", `[%d]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := start(t)
			f.Push(func(id int) string { return fmt.Sprintf(test.update, id) })
			f.arrived(f.Write(f.Ada, f.Private, "after"))
			if got := f.inbox.Texts(); !slices.Equal(got, []string{"after"}) {
				t.Errorf("what came in is %q", got)
			}
			if err := f.Until(f.ctx, func() bool { return f.Pending() == 0 }); err != nil {
				t.Errorf("%d updates are not confirmed", f.Pending())
			}
		})
	}
}

func TestAnUpdateThatPanicsIsPassedOver(t *testing.T) {
	f := prepare(t)
	f.inbox.PanicAt("boom")
	f.run()
	f.Write(f.Ada, f.Private, "boom")
	f.arrived(f.Write(f.Ada, f.Private, "after"))
	if !strings.Contains(f.log.String(), "could not be handled") {
		t.Errorf("it is not in the log: %s", f.log.String())
	}
}

func TestAnAnswerThatIsNoJSONIsAskedForAgain(t *testing.T) {
	for name, fault := range map[string]telegramtest.Fault{
		"half an answer":   {Method: "getUpdates", Body: `{"ok":true,"result":[`},
		"something else":   {Method: "getUpdates", Body: `<html>502</html>`, Status: 502},
		"an error":         {Method: "getUpdates", Status: 500, Description: "Internal Server Error"},
		"nothing":          {Method: "getUpdates"},
		"no list":          {Method: "getUpdates", Body: `{"ok":true,"result":{}}`},
		"a wait":           {Method: "getUpdates", Status: 429, RetryAfter: 3 * time.Second},
		"another program":  {Method: "getUpdates", Status: 409, Description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"},
		"nobody at first":  {Method: "getMe"},
		"a webhook's fate": {Method: "deleteWebhook", Status: 502, Description: "Bad Gateway"},
	} {
		t.Run(name, func(t *testing.T) {
			f := prepare(t)
			f.Fail(fault)
			f.run()
			f.arrived(f.Write(f.Ada, f.Private, "hello"))
			if fault.Status == 409 && !strings.Contains(f.log.String(), "another program asks Telegram for this bot's updates") {
				t.Errorf("nobody is told: %s", f.log.String())
			}
		})
	}
}

func TestAWrongTokenIsForAPersonToMend(t *testing.T) {
	f := prepare(t, func(o *telegram.Options) { o.Token = "1:wrong-token-of-nobody" })
	err := f.Run(f.ctx, f.inbox)
	if err == nil || !strings.Contains(err.Error(), "@BotFather") || strings.Contains(err.Error(), "wrong-token") {
		t.Errorf("it ended with %v", err)
	}
}

func TestOptionsThatCannotWorkAreSaid(t *testing.T) {
	for _, test := range []struct {
		name    string
		options telegram.Options
		says    string
	}{
		{"no token", telegram.Options{}, "platforms.telegram.token"},
		{"a token that is none", telegram.Options{Token: "hello"}, "platforms.telegram.token"},
		{"a token that leads elsewhere", telegram.Options{Token: "1:aaaaaaaa/../x"}, "platforms.telegram.token"},
		{"a webhook without a secret", telegram.Options{Token: telegramtest.Token, WebhookURL: "https://example.org/hooks/telegram"}, "webhook_secret"},
		{"a secret that Telegram does not take", telegram.Options{Token: telegramtest.Token, WebhookURL: "https://example.org", WebhookSecret: "sixteen letters!!"}, "webhook_secret"},
		{"a webhook nowhere", telegram.Options{Token: telegramtest.Token, WebhookURL: "here", WebhookSecret: "0123456789abcdef"}, "webhook_url"},
	} {
		if _, err := telegram.New(test.options); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestARestartNeitherLosesNorRepeats(t *testing.T) {
	f := start(t)
	f.arrived(f.Write(f.Ada, f.Private, "one"))
	_ = f.stop()
	f.Write(f.Ada, f.Private, "while it was away")
	f.adapter()
	f.inbox = platformtest.NewInbox() // even an inbox that has forgotten everything
	f.run()
	f.arrived(f.Write(f.Ada, f.Private, "two"))
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"while it was away", "two"}) {
		t.Errorf("what came in is %q", got)
	}
}

func TestWhatIsNotStoredIsNotConfirmed(t *testing.T) {
	f := prepare(t)
	f.inbox.FailNext(3)
	f.adapter(func(o *telegram.Options) { o.Bookmark = nil })
	f.run()
	id := f.Write(f.Ada, f.Private, "hello")
	f.arrived(id)
	select {
	case <-f.Received(f.Private, id):
	case <-f.ctx.Done():
		t.Error("it was not confirmed")
	}
}

// After a week without updates Telegram counts anew. A number that is kept for longer would
// skip what has a smaller one.
func TestAnOldBookmarkSkipsNothing(t *testing.T) {
	f := start(t)
	f.arrived(f.Write(f.Ada, f.Private, "one"))
	_ = f.stop()
	kept, err := f.bookmark.Load(f.ctx)
	must(t, err)
	must(t, f.bookmark.Save(f.ctx, []byte(strings.Replace(string(kept), `"offset":7`, `"offset":9`, 1))))
	f.clock.Pass(7 * 24 * time.Hour)
	f.adapter()
	f.run()
	f.arrived(f.Write(f.Ada, f.Private, "two"))
}

func TestAnAlbumIsOneMessage(t *testing.T) {
	file := func(name string) telegramtest.Attached {
		return telegramtest.Attached{File: telegramtest.File{Name: name, Type: "text/plain", Data: []byte("in " + name)}}
	}
	f := start(t)
	id := f.WriteLine(f.Ada, f.Private, telegramtest.Line{Text: "look", Files: []telegramtest.Attached{file("a.txt"), file("b.txt"), file("c.txt")}})
	f.arrived(f.Write(f.Ada, f.Private, "after"))
	m := f.arrived(id)
	if len(m.Files) != 3 || m.Text != "look" || string(m.Files[2].Data) != "in c.txt" {
		t.Errorf("%+v", m)
	}
	if got := f.inbox.Texts(); !slices.Equal(got, []string{"look", "after"}) {
		t.Errorf("what came in is %q", got)
	}
	if err := f.Until(f.ctx, func() bool { return f.Pending() == 0 }); err != nil {
		t.Errorf("%d updates are not confirmed", f.Pending())
	}
}

// part is a part of an album, as an update.
func part(id, message int, album, text string) string {
	return fmt.Sprintf(`{"update_id":%d,"message":{"message_id":%d,"date":1,"chat":{"id":1002,"type":"private"},"from":{"id":1002,"first_name":"Ada"},"media_group_id":%q,"caption":%q,"document":{"file_id":"","file_name":"%d.txt"}}}`, id, message, album, text, message)
}

func TestPartsOfAnAlbumThatComeApartAreOneMessage(t *testing.T) {
	f := prepare(t)
	waited := make(chan struct{}, 10)
	more := make(chan struct{})
	wait := f.clock.Wait
	f.adapter(func(o *telegram.Options) {
		o.Wait = func(ctx context.Context, d time.Duration) error {
			if d < time.Second {
				waited <- struct{}{}
				<-more
			}
			return wait(ctx, d)
		}
	})
	f.run()
	f.Push(func(id int) string { return part(id, 501, "x", "one") })
	<-waited
	f.Push(func(id int) string { return part(id, 502, "x", "") })
	more <- struct{}{}
	<-waited // it has grown, so there may be still more
	if pending := f.Pending(); pending != 2 {
		t.Errorf("%d are not confirmed while there may be more", pending)
	}
	close(more)
	m := f.arrived("501")
	if len(m.Files) != 2 || m.Text != "one" {
		t.Errorf("%+v", m)
	}
}

func TestAlbumsOfTwoChatsAtOnceAreKeptApart(t *testing.T) {
	f := prepare(t)
	f.Push(func(id int) string { return part(id, 501, "x", "one") })
	f.Push(func(id int) string {
		return strings.ReplaceAll(part(id, 601, "x", "two"), "1002", "1003")
	})
	f.Push(func(id int) string { return part(id, 502, "x", "") })
	f.run()
	one, two := f.arrived("501"), f.arrived("601")
	if len(one.Files) != 2 || len(two.Files) != 1 {
		t.Errorf("%+v\n%+v", one, two)
	}
}

func TestAFailureInTheMiddleOfABatchLosesNothing(t *testing.T) {
	f := prepare(t)
	for i := range 5 {
		f.Write(f.Ada, f.Private, fmt.Sprint(i))
	}
	f.inbox.FailNext(2)
	f.run()
	f.until(texts("4"))
	if got := strings.Join(f.inbox.Texts(), ""); got != "01234" {
		t.Errorf("what came in is %q", got)
	}
}
