package slack_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/platformtest"
	"github.com/asidehq/aside/platform/slack"
)

func TestPlatform(t *testing.T) {
	platformtest.Run(t, platformtest.Harness{
		Start: func(suite platformtest.T) platformtest.Server {
			return &harness{Server: slacktest.New(suite), t: suite, clock: &platformtest.Clock{}, bookmark: &platformtest.Bookmark{}}
		},
		Edit: platformtest.Can, Delete: platformtest.Can, React: platformtest.Can,
		Type:   platformtest.Cannot, // Slack does not let bots
		Open:   platformtest.Cannot, // its posts have keys
		Choose: platformtest.Can,
		Upload: platformtest.Can, Attach: platformtest.Can,
		IDs: platformtest.Can, Keys: platformtest.Can, Refuse: platformtest.Can, Acks: platformtest.Can,
	})
}

// A harness is a Slack as the suite wants it.
type harness struct {
	*slacktest.Server
	t        platformtest.T
	clock    *platformtest.Clock
	bookmark *platformtest.Bookmark
}

func (h *harness) Adapter() platform.Platform {
	s, err := slack.New(slack.Options{
		BotToken: slacktest.BotToken, AppToken: slacktest.AppToken, APIURL: h.APIURL(), Bookmark: h.bookmark,
		Now: h.clock.Now, Wait: h.clock.Wait, FileSize: 1 << 20,
	})
	if err != nil {
		h.t.Fatalf("%v", err)
	}
	return s
}

func (h *harness) PassTime(d time.Duration) { h.clock.Pass(d) }

func (h *harness) Room() platform.Room {
	return platform.Room{Platform: "slack", ID: h.General.ID}
}

func (h *harness) Write(_ platform.Room, text string) string {
	return h.Server.Write(h.Ada, h.General, text)
}

func (h *harness) Attach(_ platform.Room, text string, files ...platform.File) string {
	line := slacktest.Line{Text: text}
	for _, f := range files {
		line.Files = append(line.Files, slacktest.File{Name: f.Name, Type: f.Type, Data: f.Data})
	}
	return h.WriteLine(h.Ada, h.General, line)
}

func (h *harness) Press(_ platform.Room, post, choice string) {
	h.Server.Press(h.Ada, h.General, post, "aside-choice-0", choice)
}

// choicesOf are the values of the buttons in blocks.
func choicesOf(blocks []byte) (all []string) {
	var read []struct {
		Elements []struct{ Type, Value string }
	}
	_ = json.Unmarshal(blocks, &read) // without blocks there are none
	for _, b := range read {
		for _, e := range b.Elements {
			if e.Type == "button" {
				all = append(all, e.Value)
			}
		}
	}
	return all
}

func (h *harness) Repeat(_ platform.Room, id string) { h.Server.Repeat(h.General, id) }

func (h *harness) Received(_ platform.Room, id string) <-chan struct{} {
	return h.Server.Received(h.General, id)
}

func (h *harness) Posts(platform.Room) []platformtest.Post {
	var posts []platformtest.Post
	for _, m := range h.Server.Posts(h.General, "") {
		p := platformtest.Post{ID: m.TS, Text: strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(m.Text)}
		for _, f := range m.Files {
			p.Files = append(p.Files, platform.File{Name: f.Name, Data: f.Data})
		}
		p.Choices = choicesOf(m.Blocks)
		posts = append(posts, p)
	}
	return posts
}

func (h *harness) Reactions(_ platform.Room, message string) []string {
	var all []string
	for _, r := range h.Message(h.General, message).Reactions {
		for _, who := range r.Users {
			if who == h.Bot().ID {
				all = append(all, slacktest.Character(r.Name))
			}
		}
	}
	return all
}

func (h *harness) Fail(f platformtest.Fault) {
	h.Server.Fail(map[platformtest.Fault]slacktest.Fault{
		platformtest.Refuse: {Error: "restricted_action"},
		platformtest.Limit:  {Status: 429, RetryAfter: platformtest.RetryAfter},
		platformtest.Lose:   {Done: true},
	}[f])
}
