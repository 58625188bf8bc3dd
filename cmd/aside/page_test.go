package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// part sends a piece of a reply in one piece.
func part(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	b, _ := json.Marshal(text) // cannot fail
	fmt.Fprintf(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", b)
	w.(http.Flusher).Flush()
}

// speaks is a step that answers, character by character.
func speaks(reply string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for chunk := range slices.Chunk([]rune(reply), 5) {
			part(w, string(chunk))
		}
		finish(w)
	}
}

// keepsOn is a step that begins, repeats something until it is released, and ends. A
// reply is shown only when more of it comes.
func keepsOn(begin, more string, release <-chan struct{}, end string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		part(w, begin)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				part(w, more)
			case <-release:
				part(w, end)
				finish(w)
				return
			case <-r.Context().Done():
				return
			}
		}
	}
}

// TestPage looks at the page with a browser, as a person would. Every test has a
// server and a tab of its own; no complaint of the browser is let pass in any.
func TestPage(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	tests := []struct {
		name string
		test func(t *testing.T, b *browser)
	}{
		{"an empty room offers things to try, which work", pageEmpty},
		{"an answer grows in place", pageStreams},
		{"it shows that an answer is being written", pageTyping},
		{"an outcome opens, and is not said twice", pageOutcome},
		{"what actions found is shown, and what failed says so", pageResults},
		{"a turn can be stopped", pageStops},
		{"a reload shows the same", pageReloads},
		{"it comes back after the server was killed", pageReconnects},
		{"a message that cannot be sent stays", pageRetries},
		{"a message that is refused can be discarded", pageDiscards},
		{"a hostile reply stays text", pageHostile},
		{"a phone does not scroll sideways", pagePhone},
		{"the keyboard is enough", pageKeyboard},
		{"dark and light", pageDark},
		{"every text can be read", pageContrast},
		{"rooms", pageRooms},
		{"earlier messages", pageEarlier},
		{"the details of a turn", pageDetails},
		{"the token is asked for", pageToken},
		{"a reply that is none says so", pageQuiet},
		{"files are chosen, looked at, sent and received", pageFiles},
		{"what is too much is not taken", pageFileLimits},
		{"a file that could not be sent stays", pageUploads},
		{"hostile files stay files", pageHostileFiles},
		{"a name goes with the messages", pageName},
		{"one can log out", pageLogOut},
		{"people are let in", pagePairing},
		{"what destroys something is confirmed with a button", pageConfirms},
		{"or cancelled, all of it at once", pageCancels},
		{"by the person who asked", pageAsksWhoAsked},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.test(t, b)
		})
	}
}

func pageEmpty(t *testing.T, b *browser) {
	v := startPage(t, "")
	p := b.open(t, v.url, desktop)
	p.ready()
	p.is("the empty room says hello", `!document.getElementById('empty').hidden && document.querySelectorAll('#empty button').length === 3`)
	for n := range 3 {
		// The first goes away with the click, and the room is not empty any more.
		name := fmt.Sprint("try", n)
		p.do(chromedp.Navigate(v.url + "/?room=" + name))
		p.ready()
		p.click(fmt.Sprintf("#empty button:nth-child(%d)", n+1))
		p.answered(1)
		p.is("the offer is gone", `document.getElementById('empty').hidden`)
		p.is("it is not met with ignorance", `!document.querySelector('.agent .body').textContent.includes('I do not know')`)
		p.until("something was done", `document.querySelectorAll('.outcome.is-done').length === 1`)
	}
}

func pageStreams(t *testing.T, b *browser) {
	release := make(chan struct{})
	v := startFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{"go": {
		keepsOn("# The title\n\nSee [the docs](https://docs.example/a", "a", release, ") and\n\n```go\nx := 1\n```\n\n- **end**"),
	}}})
	p := b.open(t, v.url, desktop)
	p.ready()
	p.say("go")
	p.until("the beginning is shown while the model writes", `document.querySelector('.agent.working h3')?.textContent === 'The title'`)
	p.until("half a link waits", `getComputedStyle(document.querySelector('.agent .half')).display === 'none'`)
	p.is("it can be stopped", `!document.getElementById('stop').hidden && document.getElementById('status').textContent === 'Aside is working'`)
	eval[any](p, `document.querySelector('.agent h3').firstChild.same = true`)
	eval[any](p, `window.heard = []; new MutationObserver(() => heard.push(document.getElementById('announce').textContent)).observe(document.getElementById('announce'), {childList: true, characterData: true, subtree: true})`)
	close(release)
	p.answered(1)
	p.is("what was there already is the same", `document.querySelector('.agent h3').firstChild.same`)
	p.is("the link is one", `/^https:\/\/docs\.example\/a+$/.test(document.querySelector('.agent a').href) && !document.querySelector('.half')`)
	p.is("code can be copied", `document.querySelector('.agent .code .language').textContent === 'go' && document.querySelector('.agent .copy')`)
	p.is("the end is there", `document.querySelector('.agent li strong').textContent === 'end'`)
	p.is("the answer is announced once", `heard.length === 1 && heard[0].startsWith('Aside: The title See the docs')`)
	p.is("the status is at rest", `document.getElementById('status').textContent === ''`)
}

func pageTyping(t *testing.T, b *browser) {
	release := make(chan struct{})
	v := startFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{"go": {func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
			says("Here I am.")(w, r)
		case <-r.Context().Done():
		}
	}}}})
	p := b.open(t, v.url, desktop)
	p.ready()
	p.say("go")
	p.until("it says so", `document.getElementById('status').textContent === 'Aside is writing'`)
	close(release)
	p.answered(1)
	p.until("it says so no more", `document.getElementById('status').textContent === ''`)
}

func pageOutcome(t *testing.T, b *browser) {
	v := startPage(t, "")
	p := b.open(t, v.url, desktop)
	p.ready()
	p.say("remember that I like *green* tea")
	p.answered(1)
	p.until("the outcome is there", `document.querySelector('.agent .outcome.is-done .said')?.textContent === 'Remembered: I like *green* tea'`)
	p.is("it is closed", `!document.querySelector('.outcome').open`)
	p.click(".outcome summary")
	p.until("it opens", `document.querySelector('.outcome').open`)
	if got := p.text(".outcome .facts"); !strings.Contains(got, "REMEMBER") || !strings.Contains(got, "I like *green* tea") {
		t.Errorf("it shows %q", got)
	}
	p.say("calculate 6*7")
	p.answered(2)
	p.until("the outcome is there", `document.querySelector('.entry:last-child .said')?.textContent === '6*7 = 42'`)
	if got := p.text(".entry:last-child .body"); got != "Let me see." {
		t.Errorf("the answer says %q", got)
	}
	p.until("the list of rooms says the same", `document.querySelector('.room-last').textContent === 'Let me see. Done: 6*7 = 42'`)
}

func pageResults(t *testing.T, b *browser) {
	v := startPage(t, "")
	v.settle(v.say("main", "remember that I like tea"))
	p := b.open(t, v.url, desktop)
	p.ready()
	v.settle(v.say("main", "what do you remember?"))
	p.answered(2)
	p.until("what was found is open", `document.querySelector('.entry:last-child .outcome')?.open && document.querySelector('.entry:last-child .values').textContent === 'I like tea'`)
	p.say("/say Trying. [CALCULATE:1/0]")
	p.answered(3)
	p.until("the failure is there", `document.querySelector('.outcome.is-failed .said')?.textContent === 'Failed: 1/0: division by zero'`)
	p.say("hello")
	p.answered(4)
	p.until("there is a reaction", `document.querySelector('.person .chip.reaction')?.textContent === '👋'`)
	p.until("every message says that it was answered", `[...document.querySelectorAll('.person .chip.mark')].filter((m) => m.textContent === '🏆' && m.title === 'Answered' && m.ariaLabel === 'Answered').length === 4`)
	p.is("and nothing else does", `document.querySelectorAll('.chip.mark').length === 4`)
}

func pageStops(t *testing.T, b *browser) {
	for name, stop := range map[string]func(p *tab){
		"with Esc":        func(p *tab) { p.press(kb.Escape) },
		"with the button": func(p *tab) { p.click("#stop") },
	} {
		t.Run(name, func(t *testing.T) {
			v := startFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{"go": {keepsOn("It begins", " and goes on", nil, "")}}})
			p := b.open(t, v.url, desktop)
			p.ready()
			p.say("go")
			p.until("it goes on", `document.querySelector('.agent .body')?.textContent.includes('goes on')`)
			stop(p)
			p.until("it has stopped", `document.querySelectorAll('.agent').length === 2 && document.querySelector('.agent .body').textContent.includes('Stopped.')`)
			p.idle()
			p.is("the box can be written in", `document.activeElement.id === 'text'`)
			p.say("again")
			p.answered(3)
		})
	}
}

// shown is what stands in the room, message by message.
func (p *tab) shown() string {
	p.t.Helper()
	return eval[string](p, `[...document.querySelectorAll('.entry')].map((e) => e.dataset.id + ' ' + e.querySelector('article').innerText).join('\n')`)
}

func pageReloads(t *testing.T, b *browser) {
	v := startPage(t, "")
	p := b.open(t, v.url+"/?room=tea", desktop)
	p.ready()
	for n, text := range []string{"hello", "remember that I like tea", "show code", "what do you remember?"} {
		p.say(text)
		p.answered(n + 1)
	}
	p.until("the outcomes are there", `document.querySelectorAll('.outcome').length === 3`)
	before := p.shown()
	p.do(chromedp.Reload())
	p.ready()
	p.answered(4)
	if after := p.shown(); after != before {
		t.Errorf("before the reload:\n%s\nand after it:\n%s", before, after)
	}
	p.is("it is the same room", `document.getElementById('room-title').textContent === 'tea'`)
	p.is("the end is in sight", `(() => { const f = document.getElementById('feed'); return f.scrollHeight - f.scrollTop - f.clientHeight < 2; })()`)
}

// serverGone are the complaints of a browser whose server is gone, or starts.
var serverGone = []string{"net::ERR_", "status of 503"}

func pageReconnects(t *testing.T, b *browser) {
	v := startPage(t, "")
	p := b.open(t, v.url, desktop, serverGone...)
	p.ready()
	p.say("hello")
	p.answered(1)
	eval[any](p, `document.querySelectorAll('.entry').forEach((e) => e.same = true)`)
	eval[any](p, `window.gone = 0; new MutationObserver((all) => { for (const m of all) gone += m.removedNodes.length; }).observe(document.getElementById('entries'), {childList: true})`)
	// The time after which it says so is over when the test wants it to be.
	eval[any](p, `window.after = setTimeout; window.waiting = []; window.setTimeout = (f, ms, ...more) => ms === 2000 ? waiting.push(f) : after(f, ms, ...more)`)
	v.kill(syscall.SIGKILL)
	p.say("remember that it was dark")
	p.until("it is on its way", `document.querySelector('.entry.pending .note')?.textContent === 'sending…'`)
	p.is("there is no fuss yet", `document.getElementById('banner').hidden`)
	p.until("it has noticed", `waiting.length === 1`)
	eval[any](p, `window.setTimeout = after; waiting[0]()`)
	p.until("it says so after a while", `document.getElementById('banner').textContent === 'Reconnecting…' && !document.getElementById('banner').hidden`)
	v.start()
	p.answered(2)
	p.until("it is back", `document.getElementById('banner').hidden`)
	v.settle(v.say("main", "from elsewhere"))
	p.answered(3)
	p.is("nothing was taken away and drawn again", `gone === 0 && [...document.querySelectorAll('.entry')].slice(0, 2).every((e) => e.same)`)
	var ids []string
	for _, e := range v.entries("main") {
		ids = append(ids, e.ID)
	}
	if got := eval[[]string](p, `[...document.querySelectorAll('.entry')].map((e) => e.dataset.id)`); !slices.Equal(got, ids) || len(ids) != 6 {
		t.Errorf("the page shows %q, the room has %q", got, ids)
	}
}
