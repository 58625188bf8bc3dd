package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const ground = `getComputedStyle(document.body).backgroundColor`

func pageDark(t *testing.T, b *browser) {
	v := startPage(t, "")
	night := desktop
	night.dark = true
	p := b.open(t, v.url, night)
	p.ready()
	p.is("it is dark where the system is", ground+` === 'rgb(24, 23, 21)'`)
	p.click("#theme")
	p.is("it can be light", ground+` === 'rgb(252, 251, 249)'`)
	p.do(chromedp.Reload())
	p.ready()
	p.is("it stays light", ground+` === 'rgb(252, 251, 249)'`)
	p.click("#theme")
	p.is("it can be dark again", ground+` === 'rgb(24, 23, 21)'`)
	day := b.open(t, v.url, desktop)
	day.ready()
	day.is("it is light where the system is", ground+` === 'rgb(252, 251, 249)'`)
}

// contrasts lists the texts on the page that stand out too little from what is behind
// them: less than 4.5 to 1.
const contrasts = `(() => {
	const parse = (c) => { const n = c.match(/[\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
	const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
	const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const behind = (e) => { let all = []; for (; e; e = e.parentElement) all.push(parse(getComputedStyle(e).backgroundColor)); return all.reverse().reduce((b, a) => over(a, b), [255, 255, 255, 1]); };
	const weak = [];
	for (const e of document.querySelectorAll('body *')) {
		const says = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== '') || e.placeholder;
		if (!says || !e.checkVisibility({checkVisibilityCSS: true}) || e.closest('.hidden, :disabled, .skip, noscript')) continue;
		const a = light(over(parse(getComputedStyle(e).color), behind(e))), b = light(behind(e));
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) weak.push(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2));
	}
	return weak;
})()`

func pageContrast(t *testing.T, b *browser) {
	v := startPage(t, "")
	for _, text := range []string{"hello", "remember tea", "/say [CALCULATE:1/0] # Title ~~gone~~ `code` > quote", "show code", "broken", "think about tea", "be quiet", wantsToDelete("nothing")} {
		v.settle(v.say("main", text))
	}
	for _, dark := range []bool{false, true} {
		t.Run(fmt.Sprint("dark is ", dark), func(t *testing.T) {
			l := desktop
			l.dark = dark
			p := b.open(t, v.url, l)
			p.ready()
			for n, message := range []string{"think about tea", "broken", "remember tea"} {
				if n > 0 {
					p.press(kb.Escape)
				}
				eval[any](p, `(() => {
					const entries = [...document.querySelectorAll('.entry')];
					const i = entries.findIndex((e) => e.querySelector('.body').textContent === `+quote(message)+`);
					entries[i + 1].querySelector('.details').click();
				})()`)
				p.until("the details are there", `document.querySelector('#drawer .reply')`)
				if weak := eval[[]string](p, contrasts); len(weak) > 0 {
					t.Errorf("hard to read: %s", strings.Join(weak, ", "))
				}
			}
		})
	}
}

func pageRooms(t *testing.T, b *browser) {
	v := startPage(t, "")
	p := b.open(t, v.url, desktop)
	p.ready()
	p.is("there is the room main", `document.querySelector('#room-list a[aria-current=page]').textContent === 'main'`)
	p.do(chromedp.SendKeys(chromedp.CSS("#room-name"), "what/ever"))
	p.press(kb.Enter)
	p.is("a name that cannot be is explained", `document.getElementById('room-problem').textContent === 'Use letters a to z, digits, - _ and . only.'`)
	eval[any](p, `document.getElementById('room-name').value = ''`)
	p.do(chromedp.SendKeys(chromedp.CSS("#room-name"), "my plans"))
	p.press(kb.Enter)
	p.until("the room is open", `document.getElementById('room-title').textContent === 'my-plans' && location.search === '?room=my-plans'`)
	p.ready()
	p.say("hello")
	p.answered(1)
	p.until("it is listed", `document.querySelector('#room-list a[aria-current=page] .room-last')?.textContent.startsWith('Hello!')`)
	v.settle(v.say("main", "hello"))
	p.is("the room shows its own messages only", `document.querySelectorAll('.entry').length === 2`)
	p.say("hello") // the list is read again when it is settled
	p.answered(2)
	p.until("the other room has something new", `document.querySelector('#room-list a[data-room=main].unread .dot')`)
	p.click("#room-list a[data-room=main]")
	p.until("the other room is open", `document.getElementById('room-title').textContent === 'main' && document.querySelectorAll('.entry').length === 2`)
	p.until("nothing is new any more", `!document.querySelector('.unread')`)
	p.do(chromedp.NavigateBack())
	p.until("back is back", `document.getElementById('room-title').textContent === 'my-plans' && document.querySelectorAll('.entry').length === 4`)
}

func pageEarlier(t *testing.T, b *browser) {
	v := startFaulty(t, &faultyModel{})
	last := ""
	for n := range 40 {
		last = v.say("main", fmt.Sprint("number ", n))
	}
	v.settle(last)
	p := b.open(t, v.url, desktop)
	p.ready()
	p.is("the end of the room is shown", `document.querySelectorAll('.entry').length === 60`)
	eval[any](p, `document.getElementById('feed').scrollTop = 0`)
	p.until("there is more", `!document.getElementById('earlier').hidden`)
	eval[any](p, `window.first = document.querySelector('.entry article'); window.top_ = first.getBoundingClientRect().top`)
	p.click("#earlier")
	p.until("all of it is there", `document.querySelectorAll('.entry').length === 80 && document.getElementById('earlier').hidden`)
	var ids []string
	for _, e := range v.entries("main") {
		ids = append(ids, e.ID)
	}
	if got := eval[[]string](p, `[...document.querySelectorAll('.entry')].map((e) => e.dataset.id)`); strings.Join(got, " ") != strings.Join(ids, " ") {
		t.Errorf("the page shows %q, the room has %q", got, ids)
	}
	p.is("what was read stays in place", `Math.abs(first.getBoundingClientRect().top - top_) < 2`)
	v.settle(v.say("main", "one more"))
	p.until("there is something new below", `!document.getElementById('newest').hidden`)
	p.click("#newest")
	p.until("it is in sight", `document.getElementById('newest').hidden && document.querySelector('.entry:last-child').getBoundingClientRect().bottom < innerHeight`)
}

func pageDetails(t *testing.T, b *browser) {
	v := startFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{"go": {
		speaks("<think>hm</think>Yes. <actions><react emoji=\"👋\"/></actions>[CALCULATE:1/0]<discord-action>{"),
	}}})
	p := b.open(t, v.url, desktop)
	p.ready()
	p.say("go")
	p.answered(1)
	p.click(".entry:last-child .details")
	p.until("the details are there", `document.querySelector('#drawer .reply')`)
	marks := eval[[]string](p, `[...document.querySelectorAll('#drawer .reply mark')].map((m) => m.className.slice(3) + ' ' + m.textContent)`)
	want := `markup <think>|reasoning hm|markup </think>|markup <actions>|action <react emoji="👋"/>|markup </actions>|action [CALCULATE:1/0]|problem <discord-action>{`
	if got := strings.Join(marks, "|"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got := p.text("#drawer-body")
	for _, part := range []string{"settled", "What the model wrote", "What was shown", "Actions", "Reacted with 👋", "Failed: 1/0: division by zero", "Problems", "Receipts", "delivered", "web/main", "Times", "Generate"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is missing in %q", part, got)
		}
	}
	p.click("#drawer-close")
	p.until("it is closed", `!document.querySelector('dialog[open]')`)
}

func pageToken(t *testing.T, b *browser) {
	const secret = "a-token-for-the-test"
	v := startPage(t, "token: "+secret+"\n")
	p := b.open(t, v.url, desktop, "401")
	p.until("the token is asked for", `document.getElementById('login').open`)
	p.press(kb.Escape)
	p.is("there is no way around", `document.getElementById('login').open`)
	p.do(chromedp.SendKeys(chromedp.CSS("#token"), "not it"))
	p.press(kb.Enter)
	p.until("a wrong token is refused", `document.getElementById('login-problem').textContent === 'That is not the token.'`)
	p.is("it can be typed over", `getSelection().toString() !== '' || document.activeElement.selectionEnd === 6`)
	p.press(secret)
	p.loads(chromedp.KeyEvent(kb.Enter))
	p.ready()
	p.is("the form is gone", `!document.getElementById('login').open`)
	p.say("hello")
	p.answered(1)
	p.is("the token is nowhere", `!JSON.stringify([localStorage, sessionStorage, location.href]).includes(`+quote(secret)+`)`)
}

func pageQuiet(t *testing.T, b *browser) {
	v := startPage(t, "")
	p := b.open(t, v.url, desktop)
	p.ready()
	p.say("be quiet")
	p.until("it says that there is no reply", `document.querySelector('.person .note')?.textContent === 'No reply'`)
	p.click(".person .details")
	p.until("the details are there", `document.querySelector('#drawer .reply mark')?.textContent === '<no-reply/>'`)
}
