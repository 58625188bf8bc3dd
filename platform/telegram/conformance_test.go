package telegram_test

import (
	"context"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/platformtest"
	"github.com/asidehq/aside/platform/telegram"
)

func TestPlatform(t *testing.T) {
	for _, where := range []string{"in a private chat", "in a supergroup"} {
		t.Run(where, func(t *testing.T) {
			platformtest.Run(t, platformtest.Harness{
				Start: func(suite platformtest.T) platformtest.Server {
					h := &harness{Server: telegramtest.New(suite), t: suite, clock: &platformtest.Clock{}, bookmark: &platformtest.Bookmark{}}
					h.chat = h.Private
					if where == "in a supergroup" {
						h.chat = h.Workshop
					}
					return h
				},
				Edit: platformtest.Can, Delete: platformtest.Can, React: platformtest.Can, Type: platformtest.Can,
				Open: platformtest.Can, Choose: platformtest.Can,
				Upload: platformtest.Can, Attach: platformtest.Can, Acks: platformtest.Can,
				IDs: platformtest.Can, Keys: platformtest.Can, Refuse: platformtest.Can,
			})
		})
	}
}

// A harness is a Telegram as the suite wants it.
type harness struct {
	*telegramtest.Server
	t        platformtest.T
	chat     *telegramtest.Chat
	clock    *platformtest.Clock
	bookmark *platformtest.Bookmark
}

func (h *harness) Adapter() platform.Platform {
	a, err := telegram.New(telegram.Options{
		Token: telegramtest.Token, APIURL: h.URL(), Bookmark: h.bookmark, Now: h.clock.Now, Wait: h.clock.Wait,
		Find: func(context.Context, string, string) (*telegram.Found, error) { return nil, nil },
	})
	if err != nil {
		h.t.Fatalf("%v", err)
	}
	return a
}

func (h *harness) PassTime(d time.Duration) { h.clock.Pass(d) }

func (h *harness) Room() platform.Room { return at(h.chat, 0) }

func (h *harness) Write(_ platform.Room, text string) string {
	return h.Server.Write(h.Ada, h.chat, text)
}

func (h *harness) Attach(_ platform.Room, text string, files ...platform.File) string {
	line := telegramtest.Line{Text: text}
	for _, f := range files {
		line.Files = append(line.Files, telegramtest.Attached{File: telegramtest.File{Name: f.Name, Type: f.Type, Data: f.Data}})
	}
	return h.WriteLine(h.Ada, h.chat, line)
}

func (h *harness) Press(_ platform.Room, post, choice string) {
	h.Server.Press(h.Ada, h.chat, post, choice)
}

func (h *harness) Repeat(_ platform.Room, id string) { h.Server.Repeat(h.chat, id) }

func (h *harness) Received(_ platform.Room, id string) <-chan struct{} {
	return h.Server.Received(h.chat, id)
}

// Posts has the messages of a post together: the further files of one come without a text.
func (h *harness) Posts(platform.Room) []platformtest.Post {
	var posts []platformtest.Post
	for _, m := range h.Server.Posts(h.chat) {
		if m.Text == "" && len(posts) > 0 {
			last := &posts[len(posts)-1]
			last.Files = append(last.Files, platform.File{Name: m.File.Name, Data: m.File.Data})
			continue
		}
		p := platformtest.Post{ID: m.IDText(), Text: m.Text}
		if m.File != nil {
			p.Files = append(p.Files, platform.File{Name: m.File.Name, Data: m.File.Data})
		}
		p.Choices = m.Buttons
		posts = append(posts, p)
	}
	return posts
}

func (h *harness) Reactions(_ platform.Room, message string) []string {
	if emoji := h.ReactionOf(h.Bot(), h.chat, message); emoji != "" {
		return []string{emoji}
	}
	return nil
}

func (h *harness) Fail(f platformtest.Fault) {
	h.Server.Fail(map[platformtest.Fault]telegramtest.Fault{
		platformtest.Refuse: {Status: 403, Description: "Forbidden: bot was blocked by the user"},
		platformtest.Limit:  {Status: 429, RetryAfter: platformtest.RetryAfter},
		platformtest.Lose:   {Done: true},
	}[f])
}
