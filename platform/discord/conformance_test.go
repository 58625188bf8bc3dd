package discord_test

import (
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/discord"
	"github.com/asidehq/aside/platform/platformtest"
)

func TestPlatform(t *testing.T) {
	platformtest.Run(t, platformtest.Harness{
		Start: func(suite platformtest.T) platformtest.Server {
			return &harness{Server: discordtest.New(suite), t: suite, clock: &platformtest.Clock{}, bookmark: &platformtest.Bookmark{}}
		},
		Edit: platformtest.Can, Delete: platformtest.Can, React: platformtest.Can, Type: platformtest.Can,
		Open: platformtest.Cannot, Choose: platformtest.Cannot,
		Upload: platformtest.Can, Attach: platformtest.Can,
		IDs: platformtest.Can, Keys: platformtest.Can, Refuse: platformtest.Can,
		Acks: platformtest.Cannot, // Discord is not told what was received; catchup_test.go has what that means
	})
}

// A harness is a Discord as the suite wants it.
type harness struct {
	*discordtest.Server
	t        platformtest.T
	clock    *platformtest.Clock
	bookmark *platformtest.Bookmark
}

func (h *harness) Adapter() platform.Platform {
	d, err := discord.New(discord.Options{
		Token: discordtest.Token, APIURL: h.APIURL(), Bookmark: h.bookmark, Now: h.clock.Now, Wait: h.clock.Wait,
	})
	if err != nil {
		h.t.Fatalf("%v", err)
	}
	return d
}

func (h *harness) PassTime(d time.Duration) { h.clock.Pass(d) }

func (h *harness) Room() platform.Room { return at(h.General) }

func (h *harness) Write(_ platform.Room, text string) string {
	return h.Server.Write(h.Ada, h.General, text)
}

func (h *harness) Attach(_ platform.Room, text string, files ...platform.File) string {
	line := discordtest.Line{Text: text}
	for _, f := range files {
		line.Files = append(line.Files, discordtest.File{Name: f.Name, Type: f.Type, Data: f.Data})
	}
	return h.WriteLine(h.Ada, h.General, line)
}

func (h *harness) Repeat(_ platform.Room, id string) { h.Server.Repeat(h.General, id) }

func (h *harness) Received(platform.Room, string) <-chan struct{} { return nil }

func (h *harness) Posts(platform.Room) []platformtest.Post {
	var posts []platformtest.Post
	for _, m := range h.Server.Posts(h.General) {
		p := platformtest.Post{ID: m.ID, Text: m.Content}
		for _, a := range m.Attachments {
			p.Files = append(p.Files, platform.File{Name: a.Filename, Data: h.Content(a)})
		}
		posts = append(posts, p)
	}
	return posts
}

func (h *harness) Reactions(_ platform.Room, message string) []string {
	return h.Server.Reactions(h.Bot(), h.General, message)
}

func (h *harness) Fail(f platformtest.Fault) {
	h.Server.Fail(map[platformtest.Fault]discordtest.Fault{
		platformtest.Refuse: {Status: 403, Code: 50013, Message: "Missing Permissions"},
		platformtest.Limit:  {Status: 429, RetryAfter: platformtest.RetryAfter},
		platformtest.Lose:   {Done: true},
	}[f])
}

func (h *harness) Drop() { h.DropAll() }
