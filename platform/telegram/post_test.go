package telegram_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/telegram"
)

// versions are all texts that have stood in messages of the bot's, each message's together.
func (f *fixture) versions(c *telegramtest.Chat) []string {
	var all []string
	for _, m := range f.Everything(c) {
		if m.From != f.Bot() {
			continue
		}
		text := strings.Join(m.Seen, ">")
		if m.Deleted {
			text += ">gone"
		}
		all = append(all, text)
	}
	return all
}

func TestATextIsNeverDeliveredTwice(t *testing.T) {
	lost := telegramtest.Fault{Done: true}
	dropped := telegramtest.Fault{}
	broken := telegramtest.Fault{Status: http.StatusBadGateway, Body: "<html>502</html>", Done: true}
	half := telegramtest.Fault{Body: `{"ok":true,"result":`, Done: true}
	wait := telegramtest.Fault{Status: http.StatusTooManyRequests, RetryAfter: time.Second}
	for _, test := range []struct {
		name   string
		faults []telegramtest.Fault
		want   []string
	}{
		{"if nothing happens", nil, []string{"…>Hello."}},
		{"if the placeholder's answer is lost", []telegramtest.Fault{lost}, []string{"…>gone", "…>Hello."}},
		{"if two placeholders' answers are lost", []telegramtest.Fault{lost, lost}, []string{"…>gone", "…>gone", "…>Hello."}},
		{"if the placeholder is never sent", []telegramtest.Fault{dropped, dropped}, []string{"…>Hello."}},
		{"if a server in between breaks", []telegramtest.Fault{broken}, []string{"…>gone", "…>Hello."}},
		{"if half of the answer comes", []telegramtest.Fault{half}, []string{"…>gone", "…>Hello."}},
		{"if it has to wait", []telegramtest.Fault{wait}, []string{"…>Hello."}},
		{"if the text's answer is lost", []telegramtest.Fault{{Method: "editMessageText", Done: true}}, []string{"…>Hello."}},
		{"if the text is never sent", []telegramtest.Fault{{Method: "editMessageText"}}, []string{"…>Hello."}},
		{"if the text has to wait", []telegramtest.Fault{{Method: "editMessageText", Status: 429, RetryAfter: time.Second}}, []string{"…>Hello."}},
		{"if the search for what is left over fails as well", []telegramtest.Fault{{Method: "sendMessage", Done: true}, {Method: "editMessageText"}}, []string{"…>gone", "…>Hello."}},
		{"if the search for what is left over fails again and again", []telegramtest.Fault{{Method: "sendMessage", Done: true}, {Method: "editMessageText"}, {Method: "editMessageText"}}, []string{"…>gone", "…>Hello."}},
		{"if the search for what is left over has to wait", []telegramtest.Fault{{Method: "sendMessage", Done: true}, {Method: "editMessageText", Status: 429, RetryAfter: time.Second}}, []string{"…>gone", "…>Hello."}},
		{"if what is left over cannot be deleted at once", []telegramtest.Fault{{Method: "sendMessage", Done: true}, {Method: "deleteMessage", Status: 429, RetryAfter: time.Second}}, []string{"…>gone", "…>Hello."}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, chat := range []func(*fixture) *telegramtest.Chat{
				func(f *fixture) *telegramtest.Chat { return f.Private },
				func(f *fixture) *telegramtest.Chat { return f.Workshop },
			} {
				f := prepare(t)
				c := chat(f)
				question := f.Write(f.Ada, c, "hi")
				for _, fault := range test.faults {
					f.Fail(fault)
				}
				var r platform.Receipt
				for range 5 { // as the outbox does
					r = f.Post(f.ctx, platform.Post{Key: "key", Room: at(c, 0), Text: "Hello.", ReplyTo: question})
					if r.Outcome == platform.Delivered {
						break
					}
					f.clock.Pass(r.RetryAfter)
				}
				if r.Outcome != platform.Delivered {
					t.Fatalf("%+v", r)
				}
				if got := f.versions(c); !slices.Equal(got, test.want) {
					t.Errorf("there stood %q, want %q", got, test.want)
				}
				if m := f.Message(c, r.ID); m.Text != "Hello." || strconv.Itoa(m.ReplyTo) != question {
					t.Errorf("%+v", m)
				}
			}
		})
	}
}

func TestWhatWasOpenedBeforeACrashIsFilledAfterIt(t *testing.T) {
	f := prepare(t)
	post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Hello."}
	opened := f.Open(f.ctx, post)
	f.adapter()
	if r := f.Telegram.Edit(f.ctx, post.Room, opened.ID, "Hello."); r.Outcome != platform.Delivered || r.ID != opened.ID {
		t.Errorf("%+v", r)
	}
	if got := f.versions(f.Private); !slices.Equal(got, []string{"…>Hello."}) {
		t.Errorf("there stood %q", got)
	}
}

func TestWhatADeadProcessLeftIsTakenAwayAndNothingElse(t *testing.T) {
	f := prepare(t)
	created := f.clock.Now()
	question := f.Write(f.Ada, f.Workshop, "hi")
	// A post of before, which is stored, and a placeholder whose id nobody has.
	stored := f.posts(f.Workshop, "before", "An older answer.")
	f.knows(f.Workshop, platform.Message{Room: at(f.Workshop, 0), ID: stored.ID}, true)
	f.Open(f.ctx, platform.Post{Key: "lost", Room: at(f.Workshop, 0), Text: "Hello."})
	f.Write(f.Ada, f.Workshop, "…") // a person's
	f.clock.Pass(time.Minute)
	f.adapter()
	r := f.Post(f.ctx, platform.Post{Key: "lost", Room: at(f.Workshop, 0), Text: "Hello.", ReplyTo: question, Created: created})
	if r.Outcome != platform.Delivered {
		t.Fatalf("%+v", r)
	}
	if got := f.versions(f.Workshop); !slices.Equal(got, []string{"…>An older answer.", "…>gone", "…>Hello."}) {
		t.Errorf("there stood %q", got)
	}
	for _, m := range f.Everything(f.Workshop) {
		if m.From == f.Ada && (m.Deleted || len(m.Seen) != 1) {
			t.Errorf("a person's message was touched: %+v", m)
		}
	}
}

func TestWhereNobodyKnowsWhereToBeginNothingOfAnEarlierProcessIsTouched(t *testing.T) {
	f := prepare(t)
	created := f.clock.Now()
	f.posts(f.Workshop, "before", "A text that nobody has stored.")
	f.Open(f.ctx, platform.Post{Key: "lost", Room: at(f.Workshop, 0), Text: "Hello."})
	f.clock.Pass(time.Minute)
	f.adapter()
	f.Post(f.ctx, platform.Post{Key: "lost", Room: at(f.Workshop, 0), Text: "Hello.", Created: created})
	if got := f.versions(f.Workshop); !slices.Equal(got, []string{"…>A text that nobody has stored.", "…", "…>Hello."}) {
		t.Errorf("there stood %q", got)
	}
}

func TestAPostThatIsNewIsNotLookedFor(t *testing.T) {
	f := prepare(t)
	question := f.Write(f.Ada, f.Private, "hi")
	f.Post(f.ctx, platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Hello.", ReplyTo: question, Created: f.clock.Now()})
	if n := len(f.Requests("editMessageText")); n != 1 {
		t.Errorf("there were %d edits", n)
	}
}

func TestWithoutAStoreNothingOfAnEarlierProcessIsTouched(t *testing.T) {
	f := prepare(t, func(o *telegram.Options) { o.Find = nil })
	f.posts(f.Private, "one", "An older answer.")
	f.adapter(func(o *telegram.Options) { o.Find = nil })
	f.Fail(telegramtest.Fault{Done: true})
	f.Post(f.ctx, platform.Post{Key: "two", Room: at(f.Private, 0), Text: "Hello.", Created: f.clock.Now().Add(-time.Hour)})
	if got := f.versions(f.Private); !slices.Equal(got, []string{"…>An older answer.", "…", "…>Hello."}) {
		t.Errorf("there stood %q", got)
	}
}

func TestEditsThatTelegramComplainsAbout(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(f *fixture, id string)
		outcome platform.Outcome
		gone    bool
		reason  string
	}{
		{"nothing has changed", func(f *fixture, id string) { f.Telegram.Edit(f.ctx, at(f.Private, 0), id, "Second.") }, platform.Delivered, false, ""},
		{"somebody has deleted it", func(f *fixture, id string) { f.Server.Delete(f.Private, id) }, platform.Refused, true, "there is no such message on Telegram any more"},
		{"the person has blocked the bot", func(f *fixture, _ string) { f.Ada.Blocked = true }, platform.Refused, false, "this person has blocked the bot"},
		{"Telegram is broken", func(f *fixture, _ string) {
			f.Fail(telegramtest.Fault{Status: 500, Description: "Internal Server Error"})
		}, platform.Unknown, false, "Telegram has a problem at the moment"},
		{"it cannot be read", func(f *fixture, _ string) { f.Fail(telegramtest.Fault{Body: "[]"}) }, platform.Unknown, false, "Telegram's answer could not be read"},
		{"something that nobody knows", func(f *fixture, _ string) {
			f.Fail(telegramtest.Fault{Status: 400, Description: "Bad Request: strange " + telegramtest.Token})
		}, platform.Refused, false, "Telegram refused: strange …"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := prepare(t)
			id := f.posts(f.Private, "key", "First.").ID
			test.prepare(f, id)
			r := f.Telegram.Edit(f.ctx, at(f.Private, 0), id, "Second.")
			if r.Outcome != test.outcome || r.Gone != test.gone || r.Reason != test.reason {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestAPostThatSomebodyDeletesIsPostedAnew(t *testing.T) {
	f := prepare(t)
	post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Hello."}
	f.Server.Delete(f.Private, f.Post(f.ctx, post).ID)
	if r := f.Post(f.ctx, post); !r.Gone {
		t.Errorf("%+v", r)
	}
	if r := f.Post(f.ctx, post); r.Outcome != platform.Delivered {
		t.Errorf("%+v", r)
	}
	f.stand(f.Private, "Hello.")
}

func TestATextThatTelegramCannotReadIsSentAsItIs(t *testing.T) {
	f := prepare(t)
	id := f.posts(f.Private, "key", "First.").ID
	f.Fail(telegramtest.Fault{Status: 400, Description: `Bad Request: can't parse entities: Unsupported start tag "x" at byte offset 0`})
	if r := f.Telegram.Edit(f.ctx, at(f.Private, 0), id, "**Second** <x>"); r.Outcome != platform.Delivered {
		t.Errorf("%+v", r)
	}
	f.stand(f.Private, "**Second** <x>")
}

func TestAPlaceholderThatCannotBeFilledDoesNotStay(t *testing.T) {
	f := prepare(t)
	for name, text := range map[string]string{"an empty one": "\u00a0", "one of nothing but markup": "&#8203;\u2060"} {
		f.Fail(telegramtest.Fault{Method: "editMessageText", Status: 400, Description: "Bad Request: message text is empty"})
		if r := f.posts(f.Private, name, text); r.Outcome != platform.Refused {
			t.Errorf("%s: %+v", name, r)
		}
	}
	f.stand(f.Private)
}

func TestLinksAreNotShownAsPictures(t *testing.T) {
	f := prepare(t)
	f.posts(f.Private, "key", "https://example.org")
	for _, r := range f.Requests("editMessageText") {
		if telegramtest.JSON(r.Params["link_preview_options"]) != `{"is_disabled":true}` {
			t.Errorf("%+v", r)
		}
	}
}

func TestWhatIsSentIsWithinTelegramsLimits(t *testing.T) {
	f := prepare(t)
	for _, test := range []struct {
		name, text string
		outcome    platform.Outcome
	}{
		{"a text of 4096 characters", strings.Repeat("x", 4096), platform.Delivered},
		{"one that HTML makes longer", strings.Repeat("<", 4000), platform.Delivered},
		{"2048 characters that count twice", strings.Repeat("😀", 2048), platform.Delivered},
		{"2049 of them", strings.Repeat("😀", 2049), platform.Refused},
		{"a table that padding makes longer", "| a | b |\n|---|---|\n" + strings.Repeat("| c | d |\n", 300) + "| " + strings.Repeat("e", 500) + " | f |\n", platform.Delivered},
		{"nothing", " \n", platform.Refused},
	} {
		if r := f.posts(f.Private, test.name, test.text); r.Outcome != test.outcome {
			t.Errorf("%s: %+v", test.name, r)
		}
	}
}

func TestWhatIsSentIntoATopicStandsThere(t *testing.T) {
	f := prepare(t)
	forum := f.AddChat("supergroup", "Forum", f.Owner)
	topic := f.AddTopic(forum, "plans")
	if r := f.Post(f.ctx, platform.Post{Key: "key", Room: at(forum, topic), Text: "Hello."}); r.Outcome != platform.Delivered {
		t.Fatalf("%+v", r)
	}
	if m := f.Posts(forum)[0]; m.Thread != topic || m.Text != "Hello." {
		t.Errorf("%+v", m)
	}
	if r := f.Post(f.ctx, platform.Post{Key: "other", Room: at(forum, 99), Text: "Hello."}); r.Outcome != platform.Refused || r.Reason != "there is no such topic on Telegram any more" {
		t.Errorf("%+v", r)
	}
}

func TestAReplyToWhatIsGoneIsSentAllTheSame(t *testing.T) {
	f := prepare(t)
	if r := f.Post(f.ctx, platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Hello.", ReplyTo: "99"}); r.Outcome != platform.Delivered {
		t.Errorf("%+v", r)
	}
}

func TestOneChatThatHasTooMuchHoldsUpNoOther(t *testing.T) {
	f := prepare(t)
	f.Fail(telegramtest.Fault{Status: 429, RetryAfter: 30 * time.Second})
	if r := f.posts(f.Private, "one", "Hello."); r.Outcome != platform.Limited || r.RetryAfter != 30*time.Second {
		t.Errorf("%+v", r)
	}
	// It is not asked again before that.
	asked := len(f.Requests("sendMessage"))
	if r := f.posts(f.Private, "one", "Hello."); r.Outcome != platform.Limited || r.RetryAfter > 30*time.Second || len(f.Requests("sendMessage")) != asked {
		t.Errorf("%+v", r)
	}
	if r := f.posts(f.Workshop, "two", "Hello."); r.Outcome != platform.Delivered {
		t.Errorf("%+v", r)
	}
	f.clock.Pass(30 * time.Second)
	if r := f.posts(f.Private, "one", "Hello."); r.Outcome != platform.Delivered {
		t.Errorf("%+v", r)
	}
}

func TestTheTokenIsInNoError(t *testing.T) {
	_, secret, _ := strings.Cut(telegramtest.Token, ":")
	for name, change := range map[string]func(*telegram.Options){
		"nobody is there":         func(o *telegram.Options) { o.APIURL = "http://127.0.0.1:1" },
		"there is no such name":   func(o *telegram.Options) { o.APIURL = "http://nobody.invalid" },
		"the address is none":     func(o *telegram.Options) { o.APIURL = "http://[::1" },
		"somebody leads us away":  func(o *telegram.Options) { o.APIURL += "/elsewhere" },
		"the connection is shut":  func(*telegram.Options) {},
		"Telegram says the token": func(*telegram.Options) {},
	} {
		t.Run(name, func(t *testing.T) {
			f := prepare(t, change)
			if name == "the connection is shut" {
				f.Fail(telegramtest.Fault{})
				f.Fail(telegramtest.Fault{})
			}
			if name == "Telegram says the token" {
				f.Fail(telegramtest.Fault{Status: 400, Description: "Bad Request: /bot" + telegramtest.Token + "/sendMessage"})
			}
			r := f.posts(f.Private, "key", "Hello.")
			if r.Outcome == platform.Delivered || r.Reason == "" || strings.Contains(fmt.Sprintf("%+v", r), secret) {
				t.Errorf("%+v", r)
			}
			if name == "nobody is there" && r.Outcome != platform.Failed {
				t.Errorf("%+v, and it certainly does not stand there", r)
			}
		})
	}
}

func TestIDsThatAreNoneAreNotAskedFor(t *testing.T) {
	f := prepare(t)
	for _, room := range []string{"", "general", "0", "1:", "1:x", "../1", "99999999999999999999"} {
		in := platform.Room{Platform: "telegram", ID: room}
		if r := f.Post(f.ctx, platform.Post{Key: "key", Room: in, Text: "Hello."}); r.Outcome != platform.Refused {
			t.Errorf("room %q: %+v", room, r)
		}
	}
	for _, id := range []string{"", "x", "-1", "1,x"} {
		if r := f.Telegram.Edit(f.ctx, at(f.Private, 0), id, "Hello."); r.Outcome != platform.Refused {
			t.Errorf("message %q: %+v", id, r)
		}
		if r := f.Telegram.React(f.ctx, at(f.Private, 0), id, "👍"); r.Outcome != platform.Refused {
			t.Errorf("message %q: %+v", id, r)
		}
	}
	if got := f.Requests("sendMessage"); len(got) != 0 {
		t.Errorf("Telegram was asked for %+v", got)
	}
}
