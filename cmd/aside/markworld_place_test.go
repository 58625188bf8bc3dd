package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform"
)

// A markPlace is a platform's server for tests, as the world of marks sees it.
type markPlace struct {
	name string
	yaml string // of the platform
	one  bool   // a bot has one reaction on a message

	// connected waits until somebody is connected who was not when it was called.
	connected func(ctx context.Context) (wait func() error)

	rooms  func() []markRoom // new ones: with several people, and with one
	until  func(context.Context, func() bool) error
	refuse func()               // the next new post
	fail   func(what markFault) // the next request that writes something
}

// A markRoom is a room at such a server. Its people are numbered.
type markRoom struct {
	platform.Room
	write   func(who int, text string) (id string)
	rewrite func(who int, id, text string)
	react   func(who int, id, emoji string)
	on      func(id string) []string     // the agent's emoji
	posts   func() (ids, texts []string) // of the agent, that stand there
}

// A markFault is what becomes of a request.
type markFault int

const (
	limited markFault = iota
	broken
	dropped // before it was done
	unheard // it was done, and nobody hears of it
	faults  // how many there are
)

func markPlaces() map[string]func(*testing.T) *markPlace {
	return map[string]func(*testing.T) *markPlace{"discord": discordPlace, "telegram": telegramPlace, "slack": slackPlace}
}

func discordPlace(t *testing.T) *markPlace {
	d := discordtest.New(t)
	room := func(c *discordtest.Channel, people ...*discordtest.User) markRoom {
		return markRoom{
			Room:    platform.Room{Platform: "discord", ID: c.ID},
			write:   func(who int, text string) string { return d.Write(people[who%len(people)], c, text) },
			rewrite: func(_ int, id, text string) { d.Rewrite(c, id, text) },
			react:   func(who int, id, emoji string) { d.React(people[who%len(people)], c, id, emoji) },
			on:      func(id string) []string { return d.Reactions(d.Bot(), c, id) },
			posts: func() (ids, texts []string) {
				for _, m := range d.Posts(c) {
					ids, texts = append(ids, m.ID), append(texts, m.Content)
				}
				return ids, texts
			},
		}
	}
	count := 0
	return &markPlace{
		name: "discord", yaml: fmt.Sprintf("{token: %s, api_url: %s, gateway_url: %s}", discordtest.Token, d.APIURL(), d.GatewayURL()),
		until: d.Until,
		connected: func(ctx context.Context) func() error {
			before, _ := d.Starts()
			return func() error {
				if err := d.Identified(ctx, before+1); err != nil {
					return err
				}
				return d.Connected(ctx)
			}
		},
		rooms: func() []markRoom {
			count++
			grace := d.AddUser(fmt.Sprint("grace", count))
			d.AddMember(d.Guild, grace)
			return []markRoom{room(d.AddChannel(d.Guild, fmt.Sprint("marks", count), discordtest.Text), d.Ada, grace), room(d.Direct(grace), grace)}
		},
		refuse: func() {
			d.Fail(discordtest.Fault{Method: "POST", Part: "/messages", Status: 403, Code: 50013, Message: "Missing Permissions"})
		},
		fail: func(what markFault) {
			d.Fail([faults]discordtest.Fault{{Status: 429, RetryAfter: 20 * time.Millisecond}, {Status: 502}, {}, {Done: true}}[what])
		},
	}
}

func telegramPlace(t *testing.T) *markPlace {
	g := telegramtest.New(t)
	room := func(c *telegramtest.Chat, people ...*telegramtest.User) markRoom {
		return markRoom{
			Room:    platform.Room{Platform: "telegram", ID: strconv.FormatInt(c.ID, 10)},
			write:   func(who int, text string) string { return g.Write(people[who%len(people)], c, text) },
			rewrite: func(who int, id, text string) { g.Edit(people[who%len(people)], c, id, text) },
			react:   func(who int, id, emoji string) { g.React(people[who%len(people)], c, id, emoji) },
			on: func(id string) []string {
				if emoji := g.ReactionOf(g.Bot(), c, id); emoji != "" {
					return []string{emoji}
				}
				return nil
			},
			posts: func() (ids, texts []string) {
				for _, m := range g.Posts(c) {
					ids, texts = append(ids, m.IDText()), append(texts, m.Text)
				}
				return ids, texts
			},
		}
	}
	count := 0
	return &markPlace{
		name: "telegram", yaml: fmt.Sprintf("{token: %q, api_url: %s}", telegramtest.Token, g.URL()), one: true,
		until:     g.Until,
		connected: func(ctx context.Context) func() error { return func() error { return g.Connected(ctx) } },
		rooms: func() []markRoom {
			count++
			grace := g.AddUser("Grace", fmt.Sprint("grace", count))
			group := g.AddChat("supergroup", fmt.Sprint("Marks ", count), g.Owner)
			g.Join(group, g.Ada)
			g.Join(group, grace)
			return []markRoom{room(group, g.Ada, grace), room(g.Direct(grace), grace)}
		},
		refuse: func() {
			g.Fail(telegramtest.Fault{Method: "sendMessage", Status: 403, Description: "Forbidden: bot was kicked from the group chat"})
		},
		fail: func(what markFault) {
			g.Fail([faults]telegramtest.Fault{
				{Status: 429, Description: "Too Many Requests: retry after 1", RetryAfter: time.Second}, {Status: 502, Body: "Bad Gateway"}, {}, {Done: true},
			}[what])
		},
	}
}

func slackPlace(t *testing.T) *markPlace {
	s := slacktest.New(t)
	room := func(c *slacktest.Channel, people ...*slacktest.User) markRoom {
		return markRoom{
			Room:    platform.Room{Platform: "slack", ID: c.ID},
			write:   func(who int, text string) string { return s.Write(people[who%len(people)], c, text) },
			rewrite: func(_ int, id, text string) { s.Rewrite(c, id, text) },
			react:   func(who int, id, _ string) { s.React(people[who%len(people)], c, id, "tada") },
			on: func(id string) (all []string) {
				for _, r := range s.Message(c, id).Reactions {
					if slices.Contains(r.Users, s.Bot().ID) {
						all = append(all, slacktest.Character(r.Name))
					}
				}
				return all
			},
			posts: func() (ids, texts []string) {
				for _, m := range s.Posts(c, "") {
					ids, texts = append(ids, m.TS), append(texts, m.Text)
				}
				return ids, texts
			},
		}
	}
	count := 0
	return &markPlace{
		name: "slack", yaml: fmt.Sprintf("{bot_token: %s, app_token: %s, api_url: %s}", slacktest.BotToken, slacktest.AppToken, s.APIURL()),
		until: s.Until,
		connected: func(ctx context.Context) func() error {
			before := s.Opened()
			return func() error {
				return s.Until(ctx, func() bool { return s.Opened() > before && s.Connections() > 0 })
			}
		},
		rooms: func() []markRoom {
			count++
			grace := s.AddUser(fmt.Sprint("grace", count))
			return []markRoom{room(s.AddChannel(fmt.Sprint("marks", count), s.Ada, grace, s.Bot()), s.Ada, grace), room(s.Direct(grace), grace)}
		},
		refuse: func() { s.Fail(slacktest.Fault{Method: "chat.postMessage", Status: 200, Error: "is_archived"}) },
		fail: func(what markFault) {
			s.Fail([faults]slacktest.Fault{{Status: 429, RetryAfter: time.Second}, {Status: 502}, {}, {Done: true}}[what])
		},
	}
}

// has tells whether a word stands in one of the agent's posts in a room.
func (r markRoom) has(word string) bool {
	_, texts := r.posts()
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, word) })
}
