package slack_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/platform"
)

func TestAPostGoesWhereItsRoomIs(t *testing.T) {
	d := newDesk(t)
	call := d.Server.Write(d.Ada, d.General, "hi")
	direct := d.Direct(d.Ada)
	for _, test := range []struct {
		name   string
		in     *slacktest.Channel
		thread string
	}{
		{"at the top level", d.General, ""},
		{"in a thread", d.General, call},
		{"in a direct chat", direct, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			// What it answers does not begin a thread, and need not even stand there.
			post := platform.Post{Key: test.name, Room: d.room(test.in, test.thread), Text: "**Hello** <!channel>", ReplyTo: "command-1", Created: d.clock.Now()}
			id := d.delivered(d.Post(d.ctx, post))
			m := d.Server.Message(test.in, id)
			if m == nil || m.ThreadTS != test.thread || m.Text != "*Hello* &lt;!channel&gt;" || m.Unfurls != "false false" {
				t.Errorf("it is %+v", m)
			}
		})
	}
	for _, id := range []string{"", "general", "../C1", "C1:2", "U123", d.General.ID + ":"} {
		if r := d.Post(d.ctx, platform.Post{Key: id, Room: platform.Room{Platform: "slack", ID: id}, Text: "x"}); r.Outcome != platform.Refused {
			t.Errorf("a post in %q is %s", id, r.Outcome)
		}
	}
}

// The lesson: accepted by the platform but the response lost, and it is sent again.
func TestAPostWhoseAnswerWasLostStandsThereOnce(t *testing.T) {
	faults := map[string]slacktest.Fault{
		"done, and the connection is cut":       {Done: true},
		"done, and a proxy says 502":            {Done: true, Status: 502},
		"done, and the answer is no JSON":       {Done: true, Status: 200},
		"done, and Slack says internal_error":   {Done: true, Error: "internal_error"},
		"not done, and the connection is cut":   {},
		"not done, and a proxy says 503":        {Status: 503},
		"not done, and Slack says fatal_error":  {Error: "fatal_error"},
		"not done, and the answer is not JSON":  {Status: 200},
		"not done, and Slack asks to wait":      {Status: 429, RetryAfter: 3 * time.Second},
		"done, and a gateway says not modified": {Done: true, Status: 504},
	}
	for name, fault := range faults {
		for _, restarted := range []bool{false, true} {
			for _, threaded := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, restarted %v, in a thread %v", name, restarted, threaded), func(t *testing.T) {
					d := newDesk(t)
					thread := ""
					if threaded {
						thread = d.Server.Write(d.Ada, d.General, "hi")
					}
					post := platform.Post{Key: "one", Room: d.room(d.General, thread), Text: "Did you get this?", Created: d.clock.Now()}
					d.Fail(fault)
					if r := d.Post(d.ctx, post); r.Outcome == platform.Delivered || r.Outcome == platform.Refused || r.Reason == "" {
						t.Errorf("it is %s: %s", r.Outcome, r.Reason)
					} else {
						d.clock.Pass(r.RetryAfter)
					}
					if restarted {
						d.anew()
					}
					post.Text = "Did you get this now?"
					id := d.delivered(d.Post(d.ctx, post))
					posts := d.Posts(d.General, thread)
					if len(posts) != 1 || posts[0].TS != id || posts[0].Text != post.Text {
						t.Errorf("there stands %+v, want %s with the text that was wanted last", posts, id)
					}
				})
			}
		}
	}
}

func TestAPostIsOnlyLookedForWhereItMayHaveBeenMade(t *testing.T) {
	d := newDesk(t)
	in := d.room(d.General, "")
	asked := func() int { return len(d.Requests("conversations.history")) }
	d.delivered(d.Post(d.ctx, platform.Post{Key: "fresh", Room: in, Text: "a", Created: d.clock.Now()}))
	if asked() != 0 {
		t.Error("a post that nobody can have made was looked for")
	}
	d.delivered(d.Post(d.ctx, platform.Post{Key: "old", Room: in, Text: "b", Created: d.clock.Now().Add(-time.Minute)}))
	d.delivered(d.Post(d.ctx, platform.Post{Key: "unsaid", Room: in, Text: "c"}))
	if asked() != 2 {
		t.Errorf("the history was read %d times", asked())
	}
	// The same text with another key is another post, and so is somebody else's.
	d.anew()
	d.Server.Write(d.Ada, d.General, "b")
	d.delivered(d.Post(d.ctx, platform.Post{Key: "other", Room: in, Text: "b", Created: d.clock.Now().Add(-time.Minute)}))
	if posts := d.Posts(d.General, ""); len(posts) != 4 {
		t.Errorf("there are %d posts", len(posts))
	}
}

// Where nobody can look, a post that may stand there is not made again.
func TestAPostThatCannotBeLookedForIsNotMadeTwice(t *testing.T) {
	d := newDesk(t)
	post := platform.Post{Key: "one", Room: d.room(d.General, ""), Text: "Hello.", Created: d.clock.Now()}
	d.Fail(slacktest.Fault{Done: true})
	d.Post(d.ctx, post)
	d.Remove(d.General, d.Bot())
	for range 3 {
		if r := d.Post(d.ctx, post); r.Outcome != platform.Unknown {
			t.Errorf("it is %s: %s", r.Outcome, r.Reason)
		}
	}
	if n := len(d.Requests("chat.postMessage")); n != 1 {
		t.Errorf("it was posted %d times", n)
	}
}

// The answer was lost, and the event tells that the post stands there.
func TestAnEventTellsThatAPostStandsThere(t *testing.T) {
	d := newDesk(t).start()
	d.await(d.Server.Write(d.Ada, d.General, "hi"))
	post := platform.Post{Key: "one", Room: d.room(d.General, ""), Text: "Hello.", Created: d.clock.Now()}
	d.Fail(slacktest.Fault{Done: true})
	d.Post(d.ctx, post)
	d.await(d.Server.Write(d.Ada, d.General, "next")) // after the post's event
	before := len(d.Requests("conversations.history"))
	d.delivered(d.Post(d.ctx, post))
	if len(d.Requests("conversations.history")) != before || len(d.Posts(d.General, "")) != 1 {
		t.Error("it was looked for, or made again")
	}
}

func TestErrorsOfSlackSayWhatToDo(t *testing.T) {
	d := newDesk(t)
	for i, test := range []struct {
		fault   slacktest.Fault
		outcome platform.Outcome
		says    string
	}{
		{slacktest.Fault{Error: "channel_not_found"}, platform.Refused, "/invite"},
		{slacktest.Fault{Error: "not_in_channel"}, platform.Refused, "/invite"},
		{slacktest.Fault{Error: "is_archived"}, platform.Refused, "archived"},
		{slacktest.Fault{Error: "restricted_action"}, platform.Refused, "admins"},
		{slacktest.Fault{Error: "token_revoked"}, platform.Refused, "platforms.slack.bot_token"},
		{slacktest.Fault{Error: "missing_scope"}, platform.Refused, "lacks the scope"},
		{slacktest.Fault{Error: "something_new"}, platform.Refused, "Slack refused: something new"},
		{slacktest.Fault{Error: "ratelimited"}, platform.Limited, "wait"},
		{slacktest.Fault{Status: 404}, platform.Refused, "api_url"},
	} {
		t.Run(test.says, func(t *testing.T) {
			d.Fail(test.fault)
			r := d.Post(d.ctx, platform.Post{Key: fmt.Sprint(i), Room: d.room(d.General, ""), Text: "x", Created: d.clock.Now()})
			if r.Outcome != test.outcome || !strings.Contains(r.Reason, test.says) {
				t.Errorf("it is %s: %s", r.Outcome, r.Reason)
			}
			d.clock.Pass(r.RetryAfter)
		})
	}
}

// The lesson: retry_after ignored, and one limiter for the whole bot.
func TestALimitIsKeptToInItsChannelAlone(t *testing.T) {
	d := newDesk(t)
	other := d.AddChannel("other", d.Owner, d.Bot())
	d.Fail(slacktest.Fault{Status: 429, RetryAfter: 30 * time.Second})
	post := platform.Post{Key: "a", Room: d.room(d.General, ""), Text: "x", Created: d.clock.Now()}
	for range 3 {
		if r := d.Post(d.ctx, post); r.Outcome != platform.Limited || r.RetryAfter <= 0 || r.RetryAfter > 30*time.Second {
			t.Errorf("it is %s for %v", r.Outcome, r.RetryAfter)
		}
	}
	if n := len(d.Requests("chat.postMessage")); n != 1 {
		t.Errorf("Slack was asked %d times", n)
	}
	d.delivered(d.Post(d.ctx, platform.Post{Key: "b", Room: d.room(other, ""), Text: "x", Created: d.clock.Now()}))
	d.clock.Pass(30 * time.Second)
	d.delivered(d.Post(d.ctx, post))
}

// The lesson: over the length limit, truncated or refused and lost; streamed edits over the
// limit lose their tail.
func TestALongTextIsPostedAndEditedWhole(t *testing.T) {
	d := newDesk(t)
	in := d.room(d.General, "")
	text := strings.Repeat("if a < b && c > d\n", 166) // as long as a post may be
	id := d.delivered(d.Post(d.ctx, platform.Post{Key: "a", Room: in, Text: text, Created: d.clock.Now()}))
	whole := func() string {
		t.Helper()
		m := d.Server.Message(d.General, id)
		if m.Blocks == nil {
			return m.Text
		}
		var blocks []struct{ Text struct{ Text string } }
		if err := json.Unmarshal(m.Blocks, &blocks); err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, b := range blocks {
			all += b.Text.Text + "\n"
		}
		return all
	}
	if n := strings.Count(whole(), "&amp;&amp;"); n != 166 {
		t.Errorf("%d lines stand there", n)
	}
	d.delivered(d.Edit(d.ctx, in, id, text+"\nThe end."))
	if got := whole(); strings.Count(got, "&amp;&amp;") != 166 || !strings.Contains(got, "The end.") {
		t.Error("the edit has lost something")
	}
	d.delivered(d.Edit(d.ctx, in, id, "Short."))
	if got := whole(); got != "Short." {
		t.Errorf("there stands %q", got)
	}
}

func TestButtonsStandBelowAPostAndGo(t *testing.T) {
	d := newDesk(t).start()
	call := d.Server.Write(d.Ada, d.General, "<@"+d.Bot().ID+"> delete it")
	d.await(call)
	in := d.room(d.General, call)
	id := d.delivered(d.Post(d.ctx, platform.Post{Key: "a", Room: in, Text: "Really?", Created: d.clock.Now(), Choices: []string{"✅", "❌"}}))
	if m := d.Server.Message(d.General, id); !strings.Contains(string(m.Blocks), `"aside-choice-1"`) || !strings.Contains(string(m.Blocks), "Really?") || m.Text != "Really?" {
		t.Errorf("it is %+v", m)
	}
	if _, err := d.Press(d.Ada, d.General, id, "aside-choice-0", "✅")(d.ctx); err != nil {
		t.Fatal(err)
	}
	m := d.next(func(m platform.Message) bool { return m.Reaction != nil })
	if r := m.Reaction; m.Room != in || m.ReplyTo != id || r.Emoji != "✅" || !r.ToAgent || r.Removed || m.Author.Name != "ada" || !strings.HasPrefix(m.ID, "choice-") {
		t.Errorf("it is %+v with %+v", m, m.Reaction)
	}
	d.delivered(d.EditChoices(d.ctx, in, id, "Really really?", []string{"👍"}))
	if m := d.Server.Message(d.General, id); strings.Contains(string(m.Blocks), "aside-choice-1") || !strings.Contains(string(m.Blocks), "👍") {
		t.Errorf("it is %+v", m)
	}
	d.delivered(d.Edit(d.ctx, in, id, "Done."))
	if m := d.Server.Message(d.General, id); m.Blocks != nil || m.Text != "Done." {
		t.Errorf("it is %+v", m)
	}
	// Buttons of others, and what is none, are acknowledged and nothing else.
	for _, press := range [][2]string{{"other-app", "✅"}, {"aside-choice-0", ""}} {
		if _, err := d.Press(d.Ada, d.General, id, press[0], press[1])(d.ctx); err != nil {
			t.Fatal(err)
		}
	}
	d.await(d.Server.Write(d.Ada, d.General, "after"))
	for _, m := range d.inbox.Messages() {
		if m.Reaction != nil {
			t.Errorf("%+v was handed over", m)
		}
	}
}

func TestEditsAndDeletesOfWhatIsGone(t *testing.T) {
	d := newDesk(t)
	in := d.room(d.General, "")
	id := d.delivered(d.Post(d.ctx, platform.Post{Key: "a", Room: in, Text: "x", Created: d.clock.Now()}))
	theirs := d.Server.Write(d.Ada, d.General, "mine")
	for range 2 {
		d.delivered(d.Delete(d.ctx, in, id))
	}
	for name, r := range map[string]platform.Receipt{
		"an edit of what is gone":         d.Edit(d.ctx, in, id, "y"),
		"an edit of what is another's":    d.Edit(d.ctx, in, theirs, "y"),
		"a deletion of what is another's": d.Delete(d.ctx, in, theirs),
		"an edit of no message":           d.Edit(d.ctx, in, "command-1", "y"),
		"an edit into nothing":            d.Edit(d.ctx, in, theirs, " "),
		"a reaction to no message":        d.Slack.React(d.ctx, in, "command-1", "👍"),
		"a reaction with no emoji":        d.Slack.React(d.ctx, in, theirs, "certainly not"),
		"a reaction that Slack lacks":     d.Slack.React(d.ctx, in, theirs, ":no_such_thing:"),
	} {
		if r.Outcome != platform.Refused || r.Reason == "" {
			t.Errorf("%s is %s: %s", name, r.Outcome, r.Reason)
		}
	}
}

// The lesson: a glyph that the platform rejects, eleven tries, none arrived.
func TestEveryMarkCanBePutOnAMessage(t *testing.T) {
	d := newDesk(t)
	message := d.Server.Write(d.Ada, d.General, "hi")
	for _, glyph := range []string{"👀", "⚡", "🤔", "🔥", "🏆", "😱", "✅", "❌", "🛑", "👍", "❤", "❤️", "👋🏽", "🥰", "🤨", ":party_parrot:", "1️⃣", "🔟", "🇩🇪", "👨‍💻"} {
		if r := d.Slack.React(d.ctx, d.room(d.General, ""), message, glyph); r.Outcome != platform.Delivered {
			t.Errorf("%s is %s: %s", glyph, r.Outcome, r.Reason)
		}
		d.delivered(d.Slack.Unreact(d.ctx, d.room(d.General, ""), message, glyph))
	}
	if left := d.Server.Message(d.General, message).Reactions; len(left) > 0 {
		t.Errorf("%+v are left", left)
	}
}
