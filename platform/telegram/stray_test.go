package telegram_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform"
)

func TestWhatOneProcessCouldNotTakeAwayTheNextOneDoes(t *testing.T) {
	wait := telegramtest.Fault{Status: 429, RetryAfter: time.Second}
	broken := telegramtest.Fault{Status: 502, Body: "<html>"}
	of := func(method string, f telegramtest.Fault) telegramtest.Fault { f.Method = method; return f }
	lost := telegramtest.Fault{Method: "sendMessage", Done: true}
	refused := telegramtest.Fault{Method: "editMessageText", Status: 400, Description: "Bad Request: no such text"}
	for _, test := range []struct {
		name   string
		faults []telegramtest.Fault
		before []string // what one process leaves
	}{
		{"its id is not known, and the next placeholder has to wait", []telegramtest.Fault{lost, of("sendMessage", wait)}, []string{"…"}},
		{"nobody answers whether it is one", []telegramtest.Fault{lost, of("editMessageText", broken), of("editMessageText", broken), refused}, []string{"…", "…>gone"}},
		{"to ask whether it is one has to wait", []telegramtest.Fault{lost, of("editMessageText", wait)}, []string{"…", "…"}},
		{"to delete it has to wait", []telegramtest.Fault{refused, of("deleteMessage", wait)}, []string{"…"}},
		{"nobody answers whether it was deleted", []telegramtest.Fault{refused, of("deleteMessage", broken), of("deleteMessage", broken)}, []string{"…"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := prepare(t)
			question := f.Write(f.Ada, f.Private, "hi")
			for _, fault := range test.faults {
				f.Fail(fault)
			}
			post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Hello.", ReplyTo: question, Created: f.clock.Now()}
			waits := "" // the placeholder of a post that is still to come
			if post.Opened = f.Open(f.ctx, post).ID; post.Opened != "" && f.Post(f.ctx, post).Outcome != platform.Refused {
				waits = post.Opened
				f.knows(f.Private, platform.Message{Room: post.Room, ID: waits}, true)
			}
			if got := f.versions(f.Private); !slices.Equal(got, test.before) {
				t.Fatalf("there stood %q, want %q", got, test.before)
			}
			f.clock.Pass(time.Minute)
			f.adapter()
			f.posts(f.Private, "another", "Hello again.")
			for i, text := range f.versions(f.Private)[:len(test.before)] {
				if id := f.Everything(f.Private)[i+1].IDText(); text == "…" && id != waits {
					t.Errorf("message %s is still there", id)
				}
			}
		})
	}
}

func TestWhatADeadProcessLeftIsLookedForBehindWhatIsOlder(t *testing.T) {
	for _, test := range []struct {
		name string
		age  time.Duration // of what is stored, when the post is made
		want []string
	}{
		{"a message of before the post", time.Minute, []string{"…>gone", "…>Hello."}},
		{"a message of after it", -time.Second, []string{"…", "…>Hello."}},
		{"a message of about the same time", time.Second, []string{"…", "…>Hello."}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := prepare(t)
			created := f.clock.Now()
			id := f.Write(f.Ada, f.Private, "hi")
			f.knows(f.Private, platform.Message{Room: at(f.Private, 0), ID: id, At: created.Add(-test.age)}, false)
			post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Hello.", Created: created}
			f.Open(f.ctx, post)
			later := f.Write(f.Ada, f.Private, "and then")
			f.knows(f.Private, platform.Message{Room: at(f.Private, 0), ID: later, At: created.Add(time.Second)}, false)
			f.clock.Pass(time.Minute)
			f.adapter()
			if r := f.Post(f.ctx, post); r.Outcome != platform.Delivered {
				t.Fatalf("%+v", r)
			}
			if got := f.versions(f.Private); !slices.Equal(got, test.want) {
				t.Errorf("there stood %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhatStandsInAnotherChatIsNotAskedFor(t *testing.T) {
	f := prepare(t)
	question := f.Write(f.Ada, f.Private, "hi")
	post := platform.Post{Key: "key", Room: at(f.Private, 0), Text: "Hello.", ReplyTo: question}
	f.Fail(telegramtest.Fault{Method: "sendMessage", Done: true})
	f.Fail(telegramtest.Fault{Method: "sendMessage", Status: 429, RetryAfter: time.Second})
	f.Open(f.ctx, post)
	other := f.Direct(f.Owner)
	for i := range 50 {
		f.posts(other, fmt.Sprint(i), "Something else.")
	}
	f.clock.Pass(time.Minute)
	if r := f.Post(f.ctx, post); r.Outcome != platform.Delivered {
		t.Fatalf("%+v", r)
	}
	if got := f.versions(f.Private); !slices.Equal(got, []string{"…>gone", "…>Hello."}) {
		t.Errorf("there stood %q", got)
	}
	asked := 0
	for _, r := range f.Requests("editMessageText") {
		if fmt.Sprint(r.Params["chat_id"]) == fmt.Sprint(f.Private.ID) {
			asked++
		}
	}
	if asked != 2 { // for what was lost, and the text
		t.Errorf("there were %d edits", asked)
	}
}

func TestAnAlbumIsOpenedWithoutAMessage(t *testing.T) {
	f := prepare(t)
	post := platform.Post{Key: "key", Room: at(f.Workshop, 0), Text: "Look.", Files: pictures("a.png", "b.png")}
	before := f.posts(f.Workshop, "before", "Here they are.")
	r := f.Open(f.ctx, post)
	if r.Outcome != platform.Delivered || r.ID != "after "+before.ID || len(f.versions(f.Workshop)) != 1 {
		t.Errorf("%+v: %q", r, f.versions(f.Workshop))
	}
	if gone := f.Telegram.Delete(f.ctx, post.Room, r.ID); gone.Outcome != platform.Delivered || len(f.Posts(f.Workshop)) != 1 {
		t.Errorf("%+v: %q", gone, f.versions(f.Workshop))
	}
	if edited := f.Telegram.Edit(f.ctx, post.Room, r.ID, "Hello."); edited.Outcome != platform.Refused {
		t.Errorf("%+v", edited)
	}

	// Where no id is known there is a placeholder for a moment.
	f.adapter()
	post.Room = at(f.Private, 0)
	if r := f.Open(f.ctx, post); r.Outcome != platform.Delivered || !strings.HasPrefix(r.ID, "after ") || !slices.Equal(f.versions(f.Private), []string{"…>gone"}) {
		t.Errorf("%+v: %q", r, f.versions(f.Private))
	}
}

func TestAnAlbumThatHadToWaitIsFound(t *testing.T) {
	f := prepare(t)
	post := platform.Post{Key: "key", Room: at(f.Workshop, 0), Text: "Look.", Files: pictures("a.png", "b.png")}
	f.posts(f.Workshop, "before", "Here they are.")
	post.Opened = f.Open(f.ctx, post).ID
	for i := range 50 {
		f.posts(f.Workshop, fmt.Sprint(i), "Something else.")
	}
	f.Fail(telegramtest.Fault{Method: "sendMediaGroup", Done: true})
	if r := f.Post(f.ctx, post); r.Outcome != platform.Delivered || len(f.Requests("sendMediaGroup")) != 1 {
		t.Errorf("%+v", r)
	}
}
