package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// authors are those of a room's messages, in order.
func (v *victim) authors(room string) string {
	v.t.Helper()
	var page struct {
		Messages []struct{ Kind, Author string }
	}
	if err := json.Unmarshal([]byte(v.get("/api/v1/rooms/"+room+"/messages")), &page); err != nil {
		v.t.Fatal(err)
	}
	var all []string
	for _, m := range page.Messages {
		if m.Kind == "person" {
			all = append(all, m.Author)
		}
	}
	return strings.Join(all, ", ")
}

func pageName(t *testing.T, b *browser) {
	v := startFaulty(t, &faultyModel{})
	p := b.open(t, v.url, desktop)
	p.ready()
	p.is("nobody has to log out", `document.getElementById('log-out').hidden`)
	p.say("one")
	p.answered(1)
	p.do(chromedp.SendKeys(chromedp.CSS("#my-name"), "  Ada <b>L.</b> "))
	p.press(kb.Enter)
	p.is("one can go on writing", `document.activeElement.id === 'text' && document.getElementById('my-name').value === 'Ada <b>L.</b>'`)
	p.say("two")
	p.answered(2)
	p.attach(onDisk(t, "notes.txt", "Some notes."))
	p.send()
	p.answered(3)
	p.do(chromedp.Reload())
	p.ready()
	p.is("the name is kept", `document.getElementById('my-name').value === 'Ada <b>L.</b>'`)
	p.is("it stands at the messages, as text", `[...document.querySelectorAll('.person .author')].map((a) => a.textContent).join() === 'you,Ada <b>L.</b>,Ada <b>L.</b>'`)
	eval[any](p, `document.getElementById('my-name').select()`)
	p.press(kb.Backspace)
	p.press(kb.Enter)
	p.say("four")
	p.answered(4)
	if got := v.authors("main"); got != "you, Ada <b>L.</b>, Ada <b>L.</b>, you" {
		t.Errorf("the authors are %s", got)
	}
}

func pageLogOut(t *testing.T, b *browser) {
	const secret = "a-token-for-the-test"
	v := startPage(t, "token: "+secret+"\n")
	p := b.open(t, v.url, desktop, "401")
	p.until("the token is asked for", `document.getElementById('login').open`)
	p.do(chromedp.SendKeys(chromedp.CSS("#token"), secret))
	p.loads(chromedp.KeyEvent(kb.Enter))
	p.ready()
	p.do(chromedp.SendKeys(chromedp.CSS("#my-name"), "Ada"))
	p.press(kb.Enter)
	p.say("hello")
	p.answered(1)
	p.click("#theme")
	p.loads(chromedp.Click(chromedp.CSS("#log-out")))
	p.until("the token is asked for again", `document.getElementById('login').open`)
	p.is("nothing of the room is left", `!document.querySelector('.entry') && document.getElementById('room-list').textContent === 'main'`)
	p.is("nor of the person, but for the theme", `Object.keys(localStorage).join() === 'aside.theme' && sessionStorage.length === 0`)
	if status := eval[int](p, `fetch('/api/v1/rooms').then((r) => r.status)`, chromedp.EvalAwaitPromise); status != http.StatusUnauthorized {
		t.Errorf("the cookie is not gone: %d", status)
	}
}
