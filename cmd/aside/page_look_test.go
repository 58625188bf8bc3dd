package main

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func pageRetries(t *testing.T, b *browser) {
	v := startPage(t, "")
	p := b.open(t, v.url, desktop, serverGone...)
	p.ready()
	const failed = `document.querySelector('.entry.failed .note')?.textContent.startsWith('Not sent: the server does not answer')`
	eval[any](p, `window.way = fetch; window.fetch = () => Promise.reject(new TypeError('no way'))`)
	p.say("hello" + strings.Repeat(" and hello", 300))
	p.until("it says that it is not sent", failed)
	p.until("one can see that", `document.querySelector('.failed .note').getBoundingClientRect().bottom <= document.getElementById('feed').getBoundingClientRect().bottom`)
	eval[any](p, `window.fetch = way`)
	p.click(".entry.failed .note button:first-child")
	p.answered(1)
	v.kill(syscall.SIGKILL)
	p.say("hello again")
	p.until("it says that it is not sent", failed)
	v.start()
	p.do(chromedp.Reload()) // maybe before the page has noticed that it can go on
	p.ready()
	p.answered(2)
	if n := len(v.entries("main")); n != 4 {
		t.Errorf("%d entries stand in the room", n)
	}
}

func pageDiscards(t *testing.T, b *browser) {
	v := startPage(t, "")
	p := b.open(t, v.url, desktop, "413")
	p.ready()
	eval[any](p, `document.getElementById('text').value = 'x'.repeat(1100000)`)
	p.say("y")
	p.until("it is refused, with a reason", `document.querySelector('.entry.failed .note')?.textContent.startsWith('Not sent: the body is larger than 1024 KiB')`)
	p.click(".entry.failed .note button:last-child")
	p.until("it is gone", `!document.querySelector('.entry')`)
	p.say("hello")
	p.answered(1)
}

const hostileReply = `<script>window.hacked = 1</script>
<img src=x onerror="window.hacked = 2">
<svg onload="window.hacked = 3"><style>* { display: none }</style>
[a](javascript:window.hacked=4) [b](JaVaScRiPt:window.hacked=5) [c](data:text/html,<script>window.hacked=6</script>)
![d](http://127.0.0.1:1/pixel.png) ![e](javascript:window.hacked=7)
<a href="javascript:window.hacked=8">f</a> <iframe src="/"></iframe> <base href="http://127.0.0.1:1/">
[g](https://example.org/" onmouseover="window.hacked=9)

| broken | table
|---

**never closed, ` + "`" + `nor this, <!-- nor this

` + "```" + `"><script>window.hacked = 10</script>
</code></pre><script>window.hacked = 11</script>`

func pageHostile(t *testing.T, b *browser) {
	v := startFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{"go": {speaks(hostileReply)}}})
	p := b.open(t, v.url, desktop)
	p.ready()
	p.say("<script>window.hacked = 12</script> <img src=x onerror=window.hacked=13>")
	p.answered(1)
	p.say("go")
	p.answered(2)
	p.click(".entry:last-child .details")
	p.until("the details are there", `document.querySelector('#drawer .reply')`)
	p.press(kb.Escape)
	p.do(chromedp.Reload())
	p.ready()
	p.is("nothing ran", `window.hacked === undefined`)
	p.is("nothing is there that could", `!document.querySelector('#entries :is(script, img, iframe, svg, style, base, object, form, input)')`)
	p.is("links lead to the web only", `[...document.querySelectorAll('#entries a')].every((a) => a.protocol === 'https:' || a.protocol === 'http:')`)
	p.is("links tell nothing", `[...document.querySelectorAll('#entries a')].every((a) => a.rel === 'noopener noreferrer' && a.target === '_blank')`)
	p.is("nothing was fetched from elsewhere", `performance.getEntriesByType('resource').every((r) => new URL(r.name).origin === location.origin)`)
	p.is("nothing has attributes that run", `[...document.querySelectorAll('#entries *')].every((e) => [...e.attributes].every((a) => !a.name.startsWith('on')))`)
	for _, part := range []string{"<script>window.hacked = 1</script>", `<img src=x onerror="window.hacked = 2">`, "**never closed", "</code></pre><script>window.hacked = 11</script>"} {
		if got := p.text(".entry:last-child .body"); !strings.Contains(got, part) {
			t.Errorf("%q is missing in %q", part, got)
		}
	}
	if got := p.text(".entry.person .body"); got != "<script>window.hacked = 12</script> <img src=x onerror=window.hacked=13>" {
		t.Errorf("the person's message became %q", got)
	}
}

func pagePhone(t *testing.T, b *browser) {
	long := strings.Repeat("incomprehensibilities", 20)
	v := startFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{"go": {speaks(
		long + "\n\n| a | b |\n|---|---|\n| " + long + " | " + long + " |\n\n```\n" + long + "\n```\n\n`" + long + "`\n\n[CALCULATE:" + strings.Repeat("1+", 80) + "1]")}}})
	p := b.open(t, v.url+"/?room="+strings.Repeat("r", 100), look{width: 360, height: 640, touch: true})
	p.ready()
	noSideways := func(when string) {
		t.Helper()
		p.is("nothing scrolls sideways "+when, `document.documentElement.scrollWidth <= innerWidth && document.getElementById('feed').scrollWidth <= document.getElementById('feed').clientWidth && innerWidth === 360`)
	}
	noSideways("in an empty room")
	p.say(long)
	p.answered(1)
	p.say("go")
	p.answered(2)
	p.until("the outcome is there", `document.querySelector('.outcome')`)
	eval[any](p, `document.querySelectorAll('.outcome').forEach((o) => o.open = true)`)
	noSideways("with long words")
	p.is("the rooms are out of the way", `getComputedStyle(document.getElementById('rooms')).visibility === 'hidden'`)
	p.click("#menu")
	p.until("the rooms are there", `document.getElementById('rooms').contains(document.activeElement)`)
	p.press(kb.Escape)
	p.until("the rooms are gone", `document.activeElement.id === 'menu' && getComputedStyle(document.getElementById('rooms')).visibility === 'hidden'`)
	p.click(".entry:last-child .details")
	p.until("the details are there", `document.querySelector('#drawer .reply')`)
	p.is("the details fit", `document.getElementById('drawer-body').scrollWidth <= innerWidth`)
	p.is("what is tapped is large enough", `[...document.querySelectorAll('.bar button, .composer button:not([hidden])')].every((b) => b.getBoundingClientRect().height >= 36)`)
}

func pageKeyboard(t *testing.T, b *browser) {
	v := startPage(t, "")
	p := b.open(t, v.url, desktop)
	p.ready()
	p.is("one can write at once", `document.activeElement.id === 'text'`)
	p.press("remember tea")
	p.press(kb.Enter, chromedp.ModifierShift)
	p.press("and milk")
	p.is("Shift and Enter make a line", `document.getElementById('text').value === 'remember tea\nand milk' && document.getElementById('text').clientHeight > 50`)
	p.send()
	p.answered(1)
	p.press(kb.ArrowUp)
	p.is("the last message is back", `document.getElementById('text').value === 'remember tea\nand milk'`)
	eval[any](p, `document.getElementById('text').select()`)
	p.press(kb.Backspace)
	p.until("the outcome is there", `document.querySelector('.outcome')`)
	// Backwards from the box: what belongs to the last message.
	reach := func(what, selector string) {
		t.Helper()
		for range 40 {
			p.press(kb.Tab, chromedp.ModifierShift)
			if eval[bool](p, "document.activeElement.matches("+quote(selector)+")") {
				p.is(what+" shows that it is reached", `getComputedStyle(document.activeElement).outlineStyle === 'solid'`)
				return
			}
		}
		t.Fatalf("%s cannot be reached", what)
	}
	reach("the details", ".entry:last-child .details")
	p.press(kb.Enter)
	p.until("the drawer is open", `document.querySelector('#drawer[open] .reply')`)
	for n := range 12 {
		p.press(kb.Tab)
		p.is(fmt.Sprint("the focus stays in the drawer after ", n, " steps"), `document.activeElement === document.body || document.getElementById('drawer').contains(document.activeElement)`)
	}
	p.press(kb.Escape)
	p.until("the drawer is closed and the focus is back", `!document.querySelector('dialog[open]') && document.activeElement.matches('.entry:last-child .details')`)
	reach("the outcome", ".entry:last-child .outcome summary")
	p.press(kb.Enter)
	p.until("the outcome is open", `document.querySelector('.outcome').open`)
	reach("a name for a new room", "#room-name")
	p.press("second")
	p.press(kb.Enter)
	p.until("the room is open", `document.getElementById('room-title').textContent === 'second' && document.activeElement.id === 'text'`)
}
