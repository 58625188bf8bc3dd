package main

import (
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func pagePairing(t *testing.T, b *browser) {
	v := newPage(t, "")
	s, err := store.Open(t.Context(), "sqlite", v.data, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for person, name := range map[string]string{"1": `<img src=x onerror="document.title='broken'">`, "2": "Bob"} {
		m := platform.Message{Room: platform.Room{Platform: "telegram", ID: person}, Author: platform.Person{ID: person, Name: name}, Direct: true}
		if _, err := s.Knock(t.Context(), m, "ABCD234"+person, time.Hour, 3); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	v.start()
	p := b.open(t, v.url+"/pairing", desktop)
	p.until("two people wait", `document.querySelectorAll('#waiting li button').length === 4`)
	p.is("a name is text", `!document.querySelector('main img') && document.title.startsWith('Let people in') && document.getElementById('waiting').textContent.includes('<img src=x onerror=')`)
	p.is("the code stands there", `document.getElementById('waiting').textContent.includes('ABCD2341')`)
	eval[any](p, `[...document.querySelectorAll('#waiting li')].find((li) => li.textContent.includes('telegram/1')).querySelector('button.primary').click()`)
	p.until("one is let in", `document.querySelectorAll('#in li button').length === 1 && document.getElementById('in').textContent.includes('telegram/1')`)
	eval[any](p, `document.querySelector('#waiting li button.quiet').click()`)
	p.until("nobody waits", `document.getElementById('waiting').textContent === 'Nobody waits.'`)
	eval[any](p, `document.querySelector('#in li button').click()`)
	p.until("nobody is let in any more", `document.getElementById('in').textContent === 'Nobody was let in yet.'`)
}
