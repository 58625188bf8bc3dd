package discord_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform"
)

func said(all []platform.Message) []string {
	var texts []string
	for _, m := range all {
		texts = append(texts, m.Text)
	}
	return texts
}

func TestHistory(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		room := at(f.General)
		var ids []string
		for i := range 5 {
			ids = append(ids, f.Write(f.Ada, f.General, fmt.Sprint(i)))
		}
		f.Post(f.ctx, f.to("a", "mine"))
		for _, test := range []struct {
			name string
			page platform.Page
			want []string
		}{
			{"the latest", platform.Page{Most: 2}, []string{"mine", "4"}},
			{"before one", platform.Page{Most: 2, Before: ids[2]}, []string{"1", "0"}},
			{"after one", platform.Page{Most: 2, After: ids[2]}, []string{"4", "3"}},
			{"no number is one", platform.Page{}, []string{"mine"}},
		} {
			all, err := f.Discord.Messages(f.ctx, room, test.page)
			if got := said(all); err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%s: %q, %v; want %q", test.name, got, err, test.want)
			}
		}
		m, err := f.Discord.Message(f.ctx, room, ids[3])
		if err != nil || m.Text != "3" || m.Room != room || m.Direct || m.Author.ID != f.Ada.ID {
			t.Errorf("a message is %+v, %v", m, err)
		}
		_, err = f.Discord.Message(f.ctx, room, "1234567890123456789")
		refused(t, err, "no such message")
		_, err = f.Discord.Messages(f.ctx, room, platform.Page{Before: "yesterday"})
		refused(t, err, "not the id of a message")
	})
}

func TestPins(t *testing.T) {
	f := prepare(t)
	room := at(f.General)
	one, two := f.Write(f.Ada, f.General, "one"), f.Write(f.Ada, f.General, "two")
	for range 2 {
		must(t, f.Pin(f.ctx, room, one))
	}
	must(t, f.Pin(f.ctx, room, two))
	pins, err := f.Pins(f.ctx, room)
	if got := said(pins); err != nil || !slices.Equal(got, []string{"two", "one"}) {
		t.Errorf("pinned are %q, %v", got, err)
	}
	for range 2 {
		must(t, f.Unpin(f.ctx, room, one))
	}
	pins, _ = f.Pins(f.ctx, room)
	if got := said(pins); !slices.Equal(got, []string{"two"}) {
		t.Errorf("pinned are %q", got)
	}
	f.ChangeRole(f.Guild, f.BotRole, func(r *discordtest.Role) { r.Permissions &^= discordtest.PinMessages })
	refused(t, f.Pin(f.ctx, room, one), "lacks the permission")
}

func TestSweepLeavesWhatIsTooOld(t *testing.T) {
	f := prepare(t)
	f.Write(f.Ada, f.General, "old")
	later := 15 * 24 * time.Hour
	f.Pass(later)
	f.clock.Pass(later)
	for i := range 3 {
		f.Write(f.Ada, f.General, fmt.Sprint(i))
	}
	for _, test := range []struct{ count, want int }{{2, 2}, {10, 1}, {10, 0}} {
		if n, err := f.Sweep(f.ctx, at(f.General), test.count); err != nil || n != test.want {
			t.Errorf("of %d it has deleted %d, %v; want %d", test.count, n, err, test.want)
		}
	}
	if all := f.Server.Messages(f.General); len(all) != 1 || all[0].Content != "old" {
		t.Errorf("left are %v", all)
	}
}

func TestCrosspost(t *testing.T) {
	f := prepare(t)
	news := f.AddChannel(f.Guild, "news", discordtest.Announcement)
	id := f.Post(f.ctx, platform.Post{Key: "a", Room: at(news), Text: "news"}).ID
	for range 2 {
		must(t, f.Crosspost(f.ctx, at(news), id))
	}
	refused(t, f.Crosspost(f.ctx, at(f.General), f.Write(f.Ada, f.General, "no news")), "rooms of this kind")
}

func TestSearch(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		cellar := f.AddChannel(f.Guild, "cellar", discordtest.Text, discordtest.Overwrite{ID: f.Guild.ID, Deny: discordtest.ViewChannel}, discordtest.Overwrite{ID: f.BotRole.ID, Allow: discordtest.ViewChannel})
		thread := f.AddThread(f.General, "thread", discordtest.PublicThread)
		secret := f.AddThread(f.General, "secret", discordtest.PrivateThread, f.Owner)
		f.Write(f.Ada, f.General, "the fox of old")
		f.Pass(time.Hour)
		f.Write(f.Ada, f.General, "the quick fox")
		f.Write(f.Owner, cellar, "a hidden fox")
		f.Write(f.Owner, secret, "a secret fox")
		f.Write(f.Owner, thread, "a fox aside")
		f.Write(f.Ada, f.General, "a dog")
		f.settle()
		now := time.Now()
		for _, test := range []struct {
			name   string
			who    *discordtest.User
			search platform.Search
			want   []string
		}{
			{"everywhere they may read", f.Ada, platform.Search{Text: "fox", Most: 10}, []string{"a fox aside", "the quick fox", "the fox of old"}},
			{"the owner reads more", f.Owner, platform.Search{Text: "fox", Most: 10}, []string{"a fox aside", "a secret fox", "a hidden fox", "the quick fox", "the fox of old"}},
			{"not more than wanted", f.Ada, platform.Search{Text: "fox", Most: 1}, []string{"a fox aside"}},
			{"in a room", f.Ada, platform.Search{Text: "fox", Most: 10, Room: at(thread)}, []string{"a fox aside"}},
			{"before a time", f.Ada, platform.Search{Text: "fox", Most: 10, Before: now.Add(30 * time.Minute)}, []string{"the fox of old"}},
			{"after a time", f.Ada, platform.Search{Text: "dog", Most: 10, After: now.Add(30 * time.Minute)}, []string{"a dog"}},
		} {
			all, err := f.Search(f.ctx, at(f.General), test.who.ID, test.search)
			if got := said(all); err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%s: %q, %v; want %q", test.name, got, err, test.want)
			}
		}
		_, err := f.Search(f.ctx, at(f.General), f.Ada.ID, platform.Search{Text: "fox", Most: 10, Room: at(cellar)})
		refused(t, err, "no room here")
		f.Indexing(true)
		if _, err := f.Search(f.ctx, at(f.General), f.Ada.ID, platform.Search{Text: "fox", Most: 10}); err == nil {
			t.Errorf("a search that is not ready finds nothing, and does not say so")
		}
	})
}

func TestSearchReadsOn(t *testing.T) {
	f := prepare(t)
	for i := range 60 {
		f.Write(f.Ada, f.General, fmt.Sprintf("fox %d", i))
	}
	for _, test := range []struct{ pages, want int }{{1, 25}, {2, 50}, {10, 60}} {
		all, err := f.Search(f.ctx, at(f.General), f.Ada.ID, platform.Search{Text: "fox", Most: 100, Pages: test.pages})
		if err != nil || len(all) != test.want {
			t.Errorf("on %d pages are %d, %v; want %d", test.pages, len(all), err, test.want)
		}
	}
}

func TestPoll(t *testing.T) {
	f := prepare(t)
	p := platform.Poll{Key: "p", Room: at(f.General), Question: "Tea?", Answers: []string{"yes", "no"}, Several: true, For: 90 * time.Minute}
	first, second := f.Poll(f.ctx, p), f.Poll(f.ctx, p)
	if first.Outcome != platform.Delivered || second != first {
		t.Errorf("the polls are %+v and %+v", first, second)
	}
	posts := f.Posts(f.General)
	if len(posts) != 1 || posts[0].Poll == nil || posts[0].Poll.Question.Text != "Tea?" || len(posts[0].Poll.Answers) != 2 || !posts[0].Poll.Several {
		t.Fatalf("in the room stands %+v", posts)
	}
	if left := time.Until(*posts[0].Poll.Expiry); left < 119*time.Minute || left > 2*time.Hour {
		t.Errorf("it goes on for %v", left)
	}
}
