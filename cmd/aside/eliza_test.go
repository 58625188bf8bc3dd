package main

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/model"
)

// What agents that were written for Eliza do at real platforms.

// onlyEnvelopes reads replies as such agents write them.
const onlyEnvelopes = "dialects: [envelope, reasoning]\nactions: {followup_depth: 0}\n"

// byteByByte is a model that writes a reply for each message, a byte at a time.
type byteByByte map[string]string

func (m byteByByte) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		asked := r.Messages[len(r.Messages)-1].Text
		for question, reply := range m {
			if !strings.HasSuffix(asked, question) {
				continue
			}
			for i := range len(reply) {
				if !yield(model.Delta{Text: reply[i : i+1]}, ctx.Err()) {
					return
				}
			}
		}
		yield(model.Delta{End: model.Done}, nil)
	}
}

func TestDiscordAnEnvelopeThatArrivesByteByByteShowsItsTextAndNothingElse(t *testing.T) {
	const want = "Tea is green, \"Ada\" said, and {coffee} is not. 🎉 Größe done."
	const escaped = `Tea is green, \"Ada\" said, and {coffee} is not. \ud83c\udf89 Gr\u00f6\u00DFe done.`
	replies := byteByByte{
		"as agents write it": `{"user":"Eliza","text":"` + escaped + `","action":"NONE"}`,
		"with the text last": `{"action":"REPLY","meta":{"text":"not {this}"},"text":"` + escaped + `"}`,
		"in a fence":         "```json\n{\"text\":\"" + escaped + "\",\"action\":\"NONE\"}\n```",
		"over several lines": "{\n  \"text\": \"" + escaped + "\",\n  \"action\": \"REPLY\"\n}\n",
		"as XML":             "<response><thought>{hm}</thought><actions>REPLY</actions><text>" + strings.ReplaceAll(want, `"`, "&quot;") + "</text></response>",
		"with a like in it":  `{"text":"` + strings.Replace(escaped, "and ", "and [LIKE] ", 1) + `","action":"SOCIAL_ENGAGE"}`,
		"that ignores":       `{"text":"` + escaped + `","action":"IGNORE"}`,
	}
	s := prepareScene(t, onlyEnvelopes)
	d := s.discord
	clock := &hastyClock{now: time.Now()}
	settled := inProcess(t, s, replies, clock.Now)
	for question := range replies {
		message := d.Write(d.Ada, d.General, s.to(question))
		select {
		case <-settled:
		case <-s.ctx.Done():
			t.Fatalf("%q is not answered\n%s", question, s.output.String())
		}
		grown := 0
		for _, m := range d.Everything(d.General) {
			if m.Reference == nil || m.Reference.MessageID != message {
				continue
			}
			grown = len(m.Seen)
			for _, seen := range m.Seen {
				if !strings.HasPrefix(want, seen) {
					t.Errorf("%s: people saw %q", question, seen)
				}
			}
			if question != "that ignores" && m.Content != want {
				t.Errorf("%s: in the end there is %q", question, m.Content)
			}
		}
		if grown < 20 {
			t.Errorf("%s: it was seen in %d steps only", question, grown)
		}
		for _, m := range d.Posts(d.General) {
			if question == "that ignores" && m.Reference != nil && m.Reference.MessageID == message {
				t.Errorf("what is to be ignored is answered with %q", m.Content)
			}
		}
	}
}

// An engagement is what an envelope wants done with the person's message.
type engagement struct {
	name, reply string
	said        string // in the room; "" is nothing at all
	liked       bool
	reposted    bool
}

// engagements are what each platform is asked for that can read old messages. quotation is
// how the person's message is quoted there.
func engagements(quotation string) []engagement {
	return []engagement{
		{"a plain reply", `{"user":"Eliza","text":"So {true}!","action":"NONE"}`, "So {true}!", false, false},
		{"a like", `{"user":"Eliza","text":"So true! [LIKE]","action":"SOCIAL_ENGAGE"}`, "So true!", true, false},
		{"a like beside a reply", `{"text":"So true! [LIKE]","action":"REPLY"}`, "So true!", true, false},
		{"a repost", `{"text":"So true! [RETWEET]","action":"SOCIAL_ENGAGE"}`, "So true!", false, true},
		{"a quotation", `{"text":"So true! [QUOTE]","action":"SOCIAL_ENGAGE"}`, "So true!\n\n" + quotation, false, false},
		{"everything", `{"text":"So true! [LIKE] [REPOST] [QUOTE] [REPLY]","action":"SOCIAL_ENGAGE"}`, "So true!\n\n" + quotation, true, true},
		{"several actions", `<response><actions>REPLY,LIKE,RETWEET</actions><text>So true!</text></response>`, "So true!\n\nDone: reposted a message of ", true, true},
		{"silence", `{"text":"","action":"IGNORE"}`, "", false, false},
		{"silence and a like", `{"text":"[LIKE]","action":"SOCIAL_ENGAGE"}`, "", true, false},
	}
}

func TestDiscordAnEnvelopeEngages(t *testing.T) {
	s := prepareScene(t, onlyEnvelopes)
	d := s.discord
	wall := d.AddChannel(d.Guild, "wall", discordtest.Text)
	s.configured("social: {reposts: discord/" + wall.ID + "}\n")
	s.begin()
	for _, test := range engagements("> <@" + d.Bot().ID + "> tea is green\n— grace") {
		t.Run(test.name, func(t *testing.T) {
			s := s.is(t)
			before := len(d.Posts(wall))
			message := s.ask(s.mod, d.General, "tea is green", test.reply)
			var said []string
			for _, m := range d.Posts(d.General) {
				if m.Reference != nil && m.Reference.MessageID == message {
					said = append(said, m.Content)
				}
			}
			test.check(t, said, slices.Contains(d.Reactions(d.Bot(), d.General, message), "❤️"), len(d.Posts(wall))-before)
		})
	}
}

func TestSlackAnEnvelopeEngages(t *testing.T) {
	d := slacktest.New(t) // ids are given in order: those of the next Slack are the same
	wallID := d.AddChannel("wall", d.Owner, d.Ada, d.Bot()).ID
	s := prepareSlackScene(t, "app_token: "+slacktest.AppToken, onlyEnvelopes+"social: {reposts: slack/"+wallID+"}\n")
	d = s.slack
	wall := d.AddChannel("wall", d.Owner, d.Ada, d.Bot())
	s.begin()
	for _, test := range engagements("> @aside tea is green\n> — ada") {
		t.Run(test.name, func(t *testing.T) {
			before := len(d.Posts(wall, ""))
			s.model.replies(test.reply)
			message := d.Write(d.Ada, d.General, s.to("tea is green"))
			s.settle(roomIn(d.General, message), message)
			var said []string
			for _, m := range d.Posts(d.General, message) {
				said = append(said, m.Text)
			}
			liked := slices.ContainsFunc(d.Message(d.General, message).Reactions, func(r slacktest.Reaction) bool { return r.Name == "heart" })
			test.check(t, said, liked, len(d.Posts(wall, ""))-before)
		})
	}
}

// Telegram has no way to read old messages: what is quoted is answered, and what is to be
// reposted is told to be impossible. A bot has one reaction on a message, so that a like
// stands in place of the mark.
func TestTelegramAnEnvelopeEngages(t *testing.T) {
	s := newTelegramScene(t, "", onlyEnvelopes)
	d := s.telegram
	var liked []string
	cannot := "Failed: telegram cannot crosspost messages, and there is no room for reposts"
	for _, test := range []engagement{
		{"a plain reply", `{"user":"Eliza","text":"So {true}!","action":"NONE"}`, "So {true}!", false, false},
		{"a like", `{"user":"Eliza","text":"So true! [LIKE]","action":"SOCIAL_ENGAGE"}`, "So true!", true, false},
		{"a quotation", `{"text":"So true! [QUOTE]","action":"SOCIAL_ENGAGE"}`, "So true!", false, false},
		{"a repost", `{"text":"So true! [RETWEET]","action":"SOCIAL_ENGAGE"}`, "So true!\n\n" + cannot, false, false},
		{"a like beside what cannot be done", `{"text":"So true! [LIKE] [RETWEET]","action":"SOCIAL_ENGAGE"}`, "So true!\n\nFailed: liked a message; " + strings.TrimPrefix(cannot, "Failed: "), true, false},
		{"silence", `{"text":"","action":"IGNORE"}`, "", false, false},
		{"silence and a like", `{"text":"[LIKE]","action":"SOCIAL_ENGAGE"}`, "", true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			message := s.ask(d.Ada, d.Workshop, "@aside_bot tea is green", test.reply)
			var said []string
			for _, m := range d.Posts(d.Workshop) {
				if strconv.Itoa(m.ReplyTo) == message {
					said = append(said, m.Text)
				}
			}
			mark := "🏆"
			switch {
			case test.liked:
				mark = "❤"
				liked = append(liked, message)
			case test.said == "":
				mark = "👍"
			}
			s.markIs(d.Workshop, message, mark)
			test.check(t, said, test.liked, 0)
		})
	}
	for _, message := range liked { // no mark has come late
		s.markIs(d.Workshop, message, "❤")
	}
}

// check fails the test if something else was done.
func (e engagement) check(t *testing.T, said []string, liked bool, reposted int) {
	t.Helper()
	if e.said == "" && len(said) > 0 || e.said != "" && (len(said) != 1 || !strings.HasPrefix(said[0], e.said)) {
		t.Errorf("it says %q, want %q", said, e.said)
	}
	if liked != e.liked || (reposted == 1) != e.reposted || reposted > 1 {
		t.Errorf("it was liked: %t; it was reposted %d times", liked, reposted)
	}
}
