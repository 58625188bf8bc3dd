package discord_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/discord"
)

// to is a post in general.
func (f *fixture) to(key, text string) platform.Post {
	return platform.Post{Key: key, Room: at(f.General), Text: text, Created: f.clock.Now()}
}

func (f *fixture) stands(want ...string) {
	f.t.Helper()
	var got []string
	for _, m := range f.Posts(f.General) {
		got = append(got, m.Content)
	}
	if !slices.Equal(got, want) {
		f.t.Errorf("in the room stands %q, want %q", got, want)
	}
}

func TestAPostNotifiesNobody(t *testing.T) {
	f := start(t)
	text := "@everyone @here <@" + f.Ada.ID + "> <@&" + f.BotRole.ID + ">"
	r := f.Post(f.ctx, platform.Post{Key: "a", Room: at(f.General), Text: text, ReplyTo: f.Write(f.Ada, f.General, "hello")})
	f.Edit(f.ctx, at(f.General), r.ID, text+"!")
	thread, err := f.CreateThread(f.ctx, platform.NewThread{Room: at(f.AddChannel(f.Guild, "forum", discordtest.Forum)), Name: "x", Text: text})
	must(t, err)
	f.Poll(f.ctx, platform.Poll{Key: "p", Room: at(f.General), Question: text, Answers: []string{"a", "b"}})
	for _, c := range []*discordtest.Channel{f.General, f.Channel(thread.Room.ID)} {
		for _, m := range f.Posts(c) {
			if m.Pinged {
				t.Errorf("%q has notified somebody", m.Content)
			}
		}
	}
	for _, method := range []string{"POST", "PATCH"} {
		for _, r := range f.Requests(method, "/messages") {
			if !strings.Contains(r.Body, `"allowed_mentions":{"parse":[],"replied_user":false}`) {
				t.Errorf("%s %s does not say that nobody is to be notified: %s", method, r.Path, r.Body)
			}
		}
	}
}

func TestAnAnswerToWhatIsGoneIsPosted(t *testing.T) {
	f := start(t)
	id := f.Write(f.Ada, f.General, "never mind")
	answered := f.Post(f.ctx, platform.Post{Key: "a", Room: at(f.General), Text: "one", ReplyTo: id})
	f.Erase(f.General, id)
	lost := f.Post(f.ctx, platform.Post{Key: "b", Room: at(f.General), Text: "two", ReplyTo: id})
	if answered.Outcome != platform.Delivered || lost.Outcome != platform.Delivered {
		t.Errorf("the answers are %+v and %+v", answered, lost)
	}
	f.stands("one", "two")
	if posts := f.Posts(f.General); posts[0].Reference == nil || posts[1].Reference != nil {
		t.Errorf("they answer %v and %v", posts[0].Reference, posts[1].Reference)
	}
}

// The answer to a post is lost, and later it is tried again.
func TestAPostIsMadeOnce(t *testing.T) {
	const text = "Only once."
	for _, test := range []struct {
		name    string
		later   time.Duration // than the first try
		restart bool
		deaf    bool // the gateway does not tell about it either
		want    int
	}{
		{"at once", 0, false, false, 1},
		{"at once, after a restart", 0, true, false, 1},
		{"within Discord's memory", 2 * time.Minute, false, false, 1},
		{"within Discord's memory, after a restart", 2 * time.Minute, true, false, 1},
		{"an hour later", time.Hour, false, false, 1},
		{"an hour later, after a restart", time.Hour, true, false, 1},
		{"an hour later, and the gateway was silent", time.Hour, false, true, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := start(t)
			p := f.to("key", text)
			f.Server.Fail(discordtest.Fault{Status: 500, Done: true})
			var r platform.Receipt
			post := func() { r = f.Post(f.ctx, p) }
			if test.deaf {
				f.Mute(post)
			} else {
				post()
			}
			if r.Outcome != platform.Unknown {
				t.Fatalf("the first try is %s (%s), want unknown", r.Outcome, r.Reason)
			}
			f.sync()
			f.Pass(test.later)
			f.clock.Pass(test.later)
			if test.restart {
				f.again()
				f.run()
			}
			r = f.Post(f.ctx, p)
			posts := f.Posts(f.General)
			if len(posts) != test.want {
				t.Fatalf("it stands there %d times", len(posts))
			}
			if r.Outcome != platform.Delivered || r.ID != posts[0].ID {
				t.Errorf("the second try is %+v, want delivered as %s", r, posts[0].ID)
			}
			// What has the same text is another post.
			if r := f.Post(f.ctx, f.to("other key", text)); r.Outcome != platform.Delivered {
				t.Errorf("another post is %+v", r)
			}
			f.stands(text, text)
		})
	}
}

// A reply is posted while it is being written. When the program dies before it knows the
// post's id, the next one has more of the text, and the same key.
func TestAPostThatStandsWithAnOlderTextGetsTheNewOne(t *testing.T) {
	f := start(t)
	f.Server.Fail(discordtest.Fault{Done: true})
	f.Post(f.ctx, f.to("key", "The answer"))
	f.again()
	f.run()
	r := f.Post(f.ctx, f.to("key", "The answer is 42."))
	f.stands("The answer is 42.")
	if posts := f.Posts(f.General); r.Outcome != platform.Delivered || r.ID != posts[0].ID {
		t.Errorf("it is %+v", r)
	}
	// White space that Discord takes away is no older text.
	f.Post(f.ctx, f.to("other", " indented\n"))
	if posts := f.Posts(f.General); len(posts[1].Seen) != 1 {
		t.Errorf("it was edited for nothing: %q", posts[1].Seen)
	}
}

func TestALatePostThatWasNeverMadeIsMade(t *testing.T) {
	f := start(t)
	p := f.to("late", "Better late.")
	f.Post(f.ctx, f.to("other", "Better late.")) // known to be another one
	f.clock.Pass(time.Hour)
	f.Pass(time.Hour)
	if r := f.Post(f.ctx, p); r.Outcome != platform.Delivered {
		t.Errorf("it is %+v", r)
	}
	f.stands("Better late.", "Better late.")
}

func TestReceipts(t *testing.T) {
	closed := func(f *fixture) platform.Room {
		return at(f.AddChannel(f.Guild, "closed", discordtest.Text, discordtest.Overwrite{ID: f.Guild.ID, Deny: discordtest.SendMessages}, discordtest.Overwrite{ID: f.BotRole.ID, Deny: discordtest.SendMessages}))
	}
	for _, test := range []struct {
		name  string
		room  func(f *fixture) platform.Room
		fault *discordtest.Fault
		want  platform.Outcome
		words string
	}{
		{"there is no such room", func(*fixture) platform.Room { return platform.Room{Platform: "discord", ID: "1234567890123456789"} }, nil, platform.Refused, "no such room"},
		{"the room is none of Discord's", func(*fixture) platform.Room { return platform.Room{Platform: "discord", ID: "../../users/@me"} }, nil, platform.Refused, "not the id of a room"},
		{"the bot may not write there", closed, nil, platform.Refused, "lacks the permission"},
		{"the bot cannot see it", func(f *fixture) platform.Room {
			return at(f.AddChannel(f.Guild, "hidden", discordtest.Text, discordtest.Overwrite{ID: f.Guild.ID, Deny: discordtest.ViewChannel}, discordtest.Overwrite{ID: f.BotRole.ID, Deny: discordtest.ViewChannel}))
		}, nil, platform.Refused, "View Channel"},
		{"the person has blocked the bot", func(f *fixture) platform.Room { f.Block(f.Ada); return at(f.Direct(f.Ada)) }, nil, platform.Refused, "direct messages"},
		{"it is a category", func(f *fixture) platform.Room { return at(f.AddChannel(f.Guild, "c", discordtest.Category)) }, nil, platform.Refused, "rooms of this kind"},
		{"a reason that nobody knows", nil, &discordtest.Fault{Status: 400, Code: 987654, Message: "Something new"}, platform.Refused, "Something new"},
		{"the token is wrong by now", nil, &discordtest.Fault{Status: 401, Code: 1}, platform.Refused, "token"},
		{"Discord asks to wait", nil, &discordtest.Fault{Status: 429, RetryAfter: 3 * time.Second}, platform.Limited, "wait"},
		{"Discord is broken", nil, &discordtest.Fault{Status: 500}, platform.Unknown, "problem"},
		{"Discord is broken after doing it", nil, &discordtest.Fault{Status: 502, Done: true}, platform.Unknown, "problem"},
		{"the connection breaks", nil, &discordtest.Fault{}, platform.Unknown, "did not answer"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := prepare(t)
			room := at(f.General)
			if test.room != nil {
				room = test.room(f)
			}
			if test.fault != nil {
				f.Server.Fail(*test.fault)
			}
			r := f.Post(f.ctx, platform.Post{Key: "a", Room: room, Text: "hello"})
			if r.Outcome != test.want || !strings.Contains(r.Reason, test.words) {
				t.Errorf("it is %s (%s), want %s with %q", r.Outcome, r.Reason, test.want, test.words)
			}
			if strings.Contains(r.Reason, discordtest.Token) || strings.Contains(r.Reason, "http") {
				t.Errorf("the reason %q says too much", r.Reason)
			}
		})
	}
}

func TestNobodyThereIsFailed(t *testing.T) {
	f := prepare(t, func(o *discord.Options) { o.APIURL = "http://127.0.0.1:1" })
	if r := f.Post(f.ctx, f.to("a", "hello")); r.Outcome != platform.Failed {
		t.Errorf("it is %s (%s), want failed", r.Outcome, r.Reason)
	}
	ctx, cancel := context.WithCancel(f.ctx)
	cancel()
	f = prepare(t)
	if r := f.Post(ctx, f.to("a", "hello")); r.Outcome != platform.Failed {
		t.Errorf("what was not tried because it was time to go is %s (%s), want failed", r.Outcome, r.Reason)
	}
	f.stands()
}

// A request ends with its context, also while Discord thinks about it.
func TestARequestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	end := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		cancel()
		<-end
	}))
	defer server.Close()
	defer close(end)
	f := prepare(t, func(o *discord.Options) { o.APIURL = server.URL })
	if r := f.Post(ctx, f.to("a", "hello")); r.Outcome != platform.Unknown {
		t.Errorf("it is %s (%s), want unknown", r.Outcome, r.Reason)
	}
}

func TestTooLongSaysSo(t *testing.T) {
	f := prepare(t)
	r := f.Post(f.ctx, f.to("a", strings.Repeat("x", 2001)))
	if r.Outcome != platform.Refused || !strings.Contains(r.Reason, "content: Must be 2000 or fewer") {
		t.Errorf("it is %s (%s)", r.Outcome, r.Reason)
	}
	// Discord counts characters, whatever they are made of.
	full := strings.Repeat("👍", 2000)
	if n := f.Limits().Count.Of(full); n != f.Limits().Text {
		t.Errorf("%d is the length of 2000 characters", n)
	}
	if r := f.Post(f.ctx, f.to("b", full)); r.Outcome != platform.Delivered {
		t.Errorf("2000 characters are %s (%s)", r.Outcome, r.Reason)
	}
}

// How many are left is read from the answers, so that Discord is not asked in vain.
func TestLimitsAreKept(t *testing.T) {
	f := prepare(t)
	f.LimitPosts(2, time.Minute)
	other := f.AddChannel(f.Guild, "other", discordtest.Text)
	for i := range 2 {
		if r := f.Post(f.ctx, f.to(fmt.Sprint(i), "hello")); r.Outcome != platform.Delivered {
			t.Fatalf("post %d is %+v", i, r)
		}
	}
	for range 3 {
		r := f.Post(f.ctx, f.to("3", "hello"))
		if r.Outcome != platform.Limited || r.RetryAfter <= 50*time.Second || r.RetryAfter > time.Minute {
			t.Errorf("a post too many is %+v", r)
		}
	}
	if n := len(f.Requests("POST", "/messages")); n != 2 {
		t.Errorf("Discord was asked %d times, want twice", n)
	}
	if r := f.Post(f.ctx, platform.Post{Key: "o", Room: at(other), Text: "hello"}); r.Outcome != platform.Delivered {
		t.Errorf("a post in another room is %+v", r)
	}
	f.clock.Pass(time.Minute)
	f.Pass(time.Minute)
	if r := f.Post(f.ctx, f.to("3", "hello")); r.Outcome != platform.Delivered {
		t.Errorf("a post after the wait is %+v", r)
	}
}

func TestAShortWaitIsWaited(t *testing.T) {
	var waited time.Duration
	f := prepare(t)
	f.adapter(func(o *discord.Options) {
		o.Wait = func(ctx context.Context, d time.Duration) error {
			waited += d
			f.Pass(d)
			return f.clock.Wait(ctx, d)
		}
	})
	f.LimitPosts(1, 500*time.Millisecond)
	for i := range 3 {
		if r := f.Post(f.ctx, f.to(fmt.Sprint(i), "hello")); r.Outcome != platform.Delivered {
			t.Errorf("post %d is %+v", i, r)
		}
	}
	if waited == 0 || waited > 2*time.Second {
		t.Errorf("it has waited %v", waited)
	}
}

func TestAGlobalLimitHoldsEverywhere(t *testing.T) {
	f := prepare(t)
	f.Server.Fail(discordtest.Fault{Status: 429, RetryAfter: 30 * time.Second, Global: true})
	f.Post(f.ctx, f.to("a", "hello"))
	r := f.Discord.React(f.ctx, at(f.General), f.Write(f.Ada, f.General, "hi"), "👀")
	if r.Outcome != platform.Limited || r.RetryAfter < 29*time.Second {
		t.Errorf("a reaction is %+v, want limited", r)
	}
}

func TestEmoji(t *testing.T) {
	f := prepare(t)
	id := f.Write(f.Ada, f.General, "hello")
	for _, test := range []struct {
		name, emoji string
		want        string // or words of the refusal
		refused     bool
	}{
		{"a character", "👀", "👀", false},
		{"one that is known only as colourful", "❤", "❤\ufe0f", false},
		{"one that is known only as bare", "👍\ufe0f", "👍", false},
		{"a server's own", "party:1234567890123456789", "party:1234567890123456789", false},
		{"a server's own as people write it", "<:party:1234567890123456789>", "party:1234567890123456789", false},
		{"a server's own that moves", "<a:party:1234567890123456789>", "party:1234567890123456789", false},
		{"a word", "eyes", "does not know this emoji", true},
		{"a path", "../../@me", "does not know this emoji", true},
		{"a path as a server's own", "x:../../@me", "no emoji", true},
		{"nothing", " ", "no emoji", true},
		{"a novel", strings.Repeat("👀", 100), "no emoji", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := f.Discord.React(f.ctx, at(f.General), id, test.emoji)
			if test.refused {
				if r.Outcome != platform.Refused || !strings.Contains(r.Reason, test.want) {
					t.Errorf("it is %s (%s)", r.Outcome, r.Reason)
				}
				return
			}
			if got := f.Server.Reactions(f.Bot(), f.General, id); r.Outcome != platform.Delivered || !slices.Equal(got, []string{test.want}) {
				t.Errorf("it is %s (%s), and on the message is %q", r.Outcome, r.Reason, got)
			}
			if r := f.Discord.Unreact(f.ctx, at(f.General), id, test.emoji); r.Outcome != platform.Delivered {
				t.Errorf("taking it off is %s (%s)", r.Outcome, r.Reason)
			}
			if got := f.Server.Reactions(f.Bot(), f.General, id); len(got) > 0 {
				t.Errorf("after taking it off, on the message is %q", got)
			}
		})
	}
}

func TestWhatIsGoneIsGone(t *testing.T) {
	f := prepare(t)
	id := f.Post(f.ctx, f.to("a", "hello")).ID
	for range 2 {
		if r := f.Discord.Delete(f.ctx, at(f.General), id); r.Outcome != platform.Delivered {
			t.Errorf("a delete is %s (%s)", r.Outcome, r.Reason)
		}
	}
	if r := f.Edit(f.ctx, at(f.General), id, "hello again"); r.Outcome != platform.Refused || !strings.Contains(r.Reason, "no such message") {
		t.Errorf("an edit is %s (%s)", r.Outcome, r.Reason)
	}
	if r := f.Edit(f.ctx, at(f.General), f.Write(f.Ada, f.General, "mine"), "yours"); r.Outcome != platform.Refused || !strings.Contains(r.Reason, "only messages of the bot") {
		t.Errorf("an edit of somebody's message is %s (%s)", r.Outcome, r.Reason)
	}
}
