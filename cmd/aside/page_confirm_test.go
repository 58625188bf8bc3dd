package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// wantsToDelete has the agent ask whether a message is to be deleted.
func wantsToDelete(message string) string {
	return fmt.Sprintf(`/say Sure. <action>{"type":"deleteMessage","message":%q}</action>`, message)
}

const confirmButtons = `[...document.querySelectorAll('.asking:not([hidden]) button')].map((b) => b.textContent).join()`

func pageConfirms(t *testing.T, b *browser) {
	v := startPage(t, "")
	target := v.say("main", "delete me")
	v.settle(target)
	p := b.open(t, v.url, desktop)
	p.ready()
	p.is("the message is there", `document.querySelector('[data-id="`+target+`"]')`)
	p.say(wantsToDelete(target))
	p.answered(2)
	p.until("it asks", confirmButtons+` === 'Confirm,Cancel'`)
	p.is("it shows what about", `document.querySelector('.outcome.is-asked').open && document.querySelector('.outcome.is-asked .facts').innerText.includes(`+quote(target)+`)`)
	p.is("it does not ask twice", `!document.querySelector('.entry:last-child .body').innerText.includes('Confirm:')`)
	p.do(chromedp.Reload())
	p.ready()
	p.until("it still asks after a reload", confirmButtons+` === 'Confirm,Cancel'`)
	p.click(".asking:not([hidden]) .confirm")
	p.answered(3)
	p.until("the message is gone", `!document.querySelector('[data-id="`+target+`"]')`)
	p.until("so are the buttons", confirmButtons+` === ''`)
	p.until("it says that it was confirmed, and done", `document.querySelector('.outcome.is-confirmed') && document.querySelector('.entry:last-child .outcome.is-done .said').textContent === 'Deleted a message'`)
	p.is("one can go on writing", `document.activeElement.id === 'text'`)
	for _, e := range v.entries("main") {
		if e.ID == target {
			t.Errorf("the room still has %+v", e)
		}
	}
}

func pageCancels(t *testing.T, b *browser) {
	v := startPage(t, "")
	first, second := v.say("main", "keep me"), v.say("main", "and me")
	v.settle(second)
	p := b.open(t, v.url, desktop)
	p.ready()
	p.say(wantsToDelete(first))
	p.answered(3)
	p.until("it asks", confirmButtons+` === 'Confirm,Cancel'`)
	p.say(wantsToDelete(second))
	p.answered(4)
	p.until("it asks once, for both", confirmButtons+` === 'Confirm all 2,Cancel'`)
	p.say("hello")
	p.answered(5)
	p.until("everything stands where it stays", `document.querySelector('.entry:last-child .outcome.is-done')`)
	p.is("something else does not answer it", confirmButtons+` === 'Confirm all 2,Cancel'`)
	p.click(".asking:not([hidden]) .cancel")
	p.answered(6)
	p.until("the buttons are gone", confirmButtons+` === ''`)
	p.until("it says why nothing was done", `[...document.querySelectorAll('.outcome.is-refused .said')].map((s) => s.textContent).join() === 'Refused: the person said no,Refused: the person said no'`)
	p.is("nothing was deleted", `document.querySelector('[data-id="`+first+`"]') && document.querySelector('[data-id="`+second+`"]')`)
}

func pageAsksWhoAsked(t *testing.T, b *browser) {
	v := startPage(t, "")
	target := v.say("main", "delete me")
	v.settle(v.sayAs("main", wantsToDelete(target), "Ada"))
	p := b.open(t, v.url, desktop)
	p.ready()
	p.until("it is said that something waits", `document.querySelector('.outcome.is-asked')`)
	p.is("it does not wait for anybody else", confirmButtons+` === ''`)
	p.do(chromedp.SendKeys(chromedp.CSS("#my-name"), "Ada\r"))
	p.until("it waits for Ada", confirmButtons+` === 'Confirm,Cancel'`)
	p.click(".asking:not([hidden]) .confirm")
	p.until("the message is gone", `!document.querySelector('[data-id="`+target+`"]')`)
}
