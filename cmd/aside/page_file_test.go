package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// photo is a picture that a browser can show.
func photo(t *testing.T, width, height int) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.Set(x, y, color.RGBA{uint8(x * 255 / width), uint8(y * 255 / height), 140, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// onDisk writes a file that a person could choose.
func onDisk(t *testing.T, name, data string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// attach chooses files.
func (p *tab) attach(files ...string) {
	p.t.Helper()
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#files"), files, chromedp.NodeReady))
}

// tray is what stands there to be sent.
func (p *tab) tray() string {
	p.t.Helper()
	return eval[string](p, `[...document.querySelectorAll('#tray .tray-item')].map((i) => [...i.querySelectorAll('.tray-words > span')].map((s) => s.textContent).join(' ')).join(', ')`)
}

// transfer makes an event with a file, as a drop or a paste does.
const transfer = `(kind, type, name, content, more = {}) => {
	const data = new DataTransfer();
	data.items.add(new File([content], name, {type: 'text/plain'}));
	if (more.text) data.setData('text/plain', more.text);
	const event = kind === 'paste' ? new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}) : new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true});
	document.querySelector(type).dispatchEvent(event);
	return event.defaultPrevented;
}`

func pageFiles(t *testing.T, b *browser) {
	picture := photo(t, 640, 320)
	v, m := startSeeing(t, func(text string) string {
		if strings.HasPrefix(text, "what is\nthis?") {
			return `A sunset. <actions><send-file path="report.csv" caption="In numbers"/></actions>`
		}
		return "I see."
	})
	close(m.hold)
	v.outgoing("report.csv", "colour,part\norange,7\n")
	p := b.open(t, v.url, desktop)
	p.ready()
	p.is("there is nothing to send", `document.getElementById('send').disabled`)
	eval[any](p, `document.getElementById('files').click = () => { window.chooses = true; }`)
	p.press(kb.Tab, chromedp.ModifierShift)
	p.is("the keyboard reaches the paper clip", `document.activeElement.id === 'attach' && getComputedStyle(document.activeElement).outlineStyle === 'solid'`)
	p.press(kb.Enter)
	p.is("it lets one choose", `window.chooses`)
	p.attach(onDisk(t, "sunset.png", picture), onDisk(t, "notes.txt", "Some notes."))
	if got, want := p.tray(), fmt.Sprintf("sunset.png %d KB, notes.txt 11 bytes", (len(picture)+512)>>10); got != want {
		t.Errorf("to be sent stands %q, want %q", got, want)
	}
	p.until("the picture can be seen", `document.querySelector('#tray img')?.naturalWidth === 640`)
	p.is("it can be sent without a word", `!document.getElementById('send').disabled`)
	p.is("it is said", `document.getElementById('announce').textContent === '2 files are attached.'`)
	p.is("a file can be dropped", `(`+transfer+`)('dragover', '#feed', 'drop.txt', 'x') && !document.getElementById('drop').hidden`)
	p.is("a file that was dropped is taken", `(`+transfer+`)('drop', '#feed', 'drop.txt', 'dropped') && document.getElementById('drop').hidden`)
	p.is("a file can be pasted", `(`+transfer+`)('paste', '#text', 'paste.txt', 'pasted')`)
	p.is("a text that is there as a picture too is pasted as text", `!(`+transfer+`)('paste', '#text', 'cells.png', 'x', {text: 'cells'})`)
	if got := p.tray(); !strings.HasSuffix(got, "notes.txt 11 bytes, drop.txt 7 bytes, paste.txt 6 bytes") {
		t.Errorf("to be sent stands %q", got)
	}
	p.click(`button[aria-label="Remove drop.txt"]`)
	p.is("the focus goes on", `document.activeElement.getAttribute('aria-label') === 'Remove paste.txt'`)
	p.press(kb.Enter)
	p.is("another one is removed", `document.activeElement.getAttribute('aria-label') === 'Remove notes.txt'`)
	for _, name := range []string{"notes.txt", "sunset.png"} {
		p.is(name+" is left", `document.querySelector('button[aria-label="Remove `+name+`"]')`)
	}

	p.do(chromedp.SendKeys(chromedp.CSS("#text"), "what is"))
	p.press(kb.Enter, chromedp.ModifierShift)
	p.press("this?")
	p.send()
	p.is("nothing is left to be sent", `document.getElementById('tray').hidden && document.getElementById('send').disabled`)
	eval[any](p, `document.querySelector('.person .picture img').same = true`)
	p.answered(2)
	p.is("the picture stays the one that was there", `document.querySelector('.person .picture img').same`)
	if got := m.seen(); len(got) != 1 || got[0] != picture {
		t.Errorf("the model has seen %d pictures", len(got))
	}
	p.until("the agent's file is there", `document.querySelector('.agent .file')`)
	looks := func() {
		t.Helper()
		p.until("the picture is shown", `document.querySelector('.person .picture img').naturalWidth === 640`)
		p.is("it leads to the picture", `/^\/api\/v1\/files\/f\w+$/.test(document.querySelector('.person .picture').getAttribute('href'))`)
		if got := p.text(".person .file"); got != "notes.txt\n11 bytes" {
			t.Errorf("the other file is %q", got)
		}
		if got := p.text(".agent .file"); got != "report.csv\n21 bytes" {
			t.Errorf("the agent's file is %q", got)
		}
		if got := eval[string](p, `fetch(document.querySelector('.agent .file').href).then((r) => r.text())`, chromedp.EvalAwaitPromise); got != "colour,part\norange,7\n" {
			t.Errorf("the agent's file holds %q", got)
		}
		p.is("the text is as it was written", `document.querySelector('.person .body').textContent === 'what is\nthis?'`)
		p.is("a picture takes as much room before it is there", `(() => {
			const shown = document.querySelector('.person .picture'), height = shown.getBoundingClientRect().height;
			const waiting = shown.cloneNode(true);
			waiting.querySelector('img').src = '';
			shown.after(waiting);
			const same = waiting.getBoundingClientRect().height === height && height > 100 && height < 300;
			waiting.remove();
			return same;
		})()`)
	}
	looks()
	before := p.shown()
	p.do(chromedp.Reload())
	p.ready()
	looks()
	if after := p.shown(); after != before {
		t.Errorf("before the reload:\n%s\nand after it:\n%s", before, after)
	}
	p.say("go on")
	p.answered(3)
}

func pageFileLimits(t *testing.T, b *browser) {
	v := startPage(t, "files: {max_size: 1MB}\n")
	p := b.open(t, v.url, desktop)
	p.ready()
	p.attach(onDisk(t, "film.mp4", strings.Repeat("x", 2<<20)))
	p.is("it is not taken", `document.getElementById('tray').hidden && document.getElementById('send').disabled`)
	if got := p.text("#file-problem"); got != "film.mp4 (2 MB) is too much: the files of a message are at most 1 MB together." {
		t.Errorf("it says %q", got)
	}
	half := strings.Repeat("x", 600<<10)
	p.attach(onDisk(t, "one.bin", half), onDisk(t, "two.bin", half))
	if got := p.tray(); got != "one.bin 600 KB" {
		t.Errorf("taken is %q", got)
	}
	if got := p.text("#file-problem"); !strings.HasPrefix(got, "two.bin (600 KB) is too much") {
		t.Errorf("it says %q", got)
	}
	p.click("#tray button")
	p.is("the box has the focus, and nothing is wrong any more", `document.activeElement.id === 'text' && document.getElementById('file-problem').textContent === ''`)
	var many []string
	for n := range 11 {
		many = append(many, onDisk(t, fmt.Sprint("file", n), "x"))
	}
	p.attach(many...)
	p.is("ten are taken", `document.querySelectorAll('.tray-item').length === 10`)
	if got := p.text("#file-problem"); got != "A message has at most 10 files; file10 is not among them." {
		t.Errorf("it says %q", got)
	}
	p.click("#room-list a") // the same room
	p.ready()
	p.is("what was chosen is kept", `document.querySelectorAll('.tray-item').length === 10`)
	p.send()
	p.answered(1)
	if got := v.fileEntries("main", "person"); len(got) != 1 || len(got[0].Files) != 10 || got[0].Text != "" {
		t.Errorf("in the room stands %+v", got)
	}
}

func pageUploads(t *testing.T, b *browser) {
	v := startPage(t, "")
	p := b.open(t, v.url, desktop, serverGone...)
	p.ready()
	leaving := func(asked bool) {
		t.Helper()
		p.is(fmt.Sprint("who leaves is asked: ", asked), fmt.Sprintf(`!dispatchEvent(new Event('beforeunload', {cancelable: true})) === %v`, asked))
	}
	eval[any](p, `window.way = XMLHttpRequest.prototype.send; XMLHttpRequest.prototype.send = function () { window.held = this; }`)
	large := onDisk(t, "large.bin", strings.Repeat("x", 1<<20))
	p.attach(large)
	leaving(false)
	p.say("first")
	p.until("it is on its way", `window.held && document.querySelector('.pending progress')`)
	eval[any](p, `held.upload.onprogress({lengthComputable: true, loaded: 1, total: 4})`)
	p.is("one can see how far it is", `document.querySelector('.pending progress').value === 0.25 && document.querySelector('.pending .note').textContent === 'sending…25 %Cancel'`)
	leaving(true)
	eval[any](p, `XMLHttpRequest.prototype.send = function () { setTimeout(() => this.onerror()); }; held.onerror()`)
	p.until("it says that it is not sent", `document.querySelector('.entry.failed .note')?.textContent.startsWith('Not sent: the server does not answer')`)
	leaving(true)
	eval[any](p, `window.told = []; XMLHttpRequest.prototype.send = function (body) {
		this.upload.addEventListener('progress', (e) => told.push(e.loaded / e.total));
		way.call(this, body);
	}`)
	p.click(".entry.failed .note button:first-child")
	p.answered(1)
	p.is("the browser tells how far it is", `told.at(-1) === 1`)
	leaving(false)
	v.holds("main", "person", "first", "large.bin", strings.Repeat("x", 1<<20))

	eval[any](p, `XMLHttpRequest.prototype.send = function () {}`)
	p.attach(large)
	p.say("second")
	p.until("it is on its way", `document.querySelector('.pending progress')`)
	eval[any](p, `XMLHttpRequest.prototype.abort = function () { this.onabort(); }`) // one that was not sent has nothing to abort
	p.click(".pending .note button")
	p.until("it is given up", `!document.querySelector('.pending') && document.querySelectorAll('.person').length === 1`)
	leaving(false)

	eval[any](p, `XMLHttpRequest.prototype.send = way`)
	gone := onDisk(t, "gone.txt", "here today")
	p.attach(gone)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	p.say("third")
	p.until("it says what is wrong", `document.querySelector('.failed .note')?.textContent.startsWith('Not sent: gone.txt cannot be read any more. Discard it and attach the file again.')`)
	p.click(".failed .note button:last-child")
	p.say("fourth")
	p.answered(2)
	if n := len(v.entries("main")); n != 4 {
		t.Errorf("%d entries stand in the room", n)
	}
}

func pageHostileFiles(t *testing.T, b *browser) {
	v := startFaulty(t, &faultyModel{})
	const script = "<script>window.hacked = 1</script>"
	for n, f := range [][2]string{
		{"broken.png", picture},
		{"page.html", script},
		{"drawing.svg", `<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked = 2">` + script + `</svg>`},
		{"<img src=x onerror=window.hacked=3>.txt", "text"},
		{strings.Repeat("long", 20) + ".txt", "text"},
	} {
		v.settle(v.upload("main", fmt.Sprint(n), "", f[0], f[1]))
	}
	v.settle(v.upload("main", "photo", "", "photo.png", photo(t, 30, 900)))
	for _, l := range []look{desktop, {width: 360, height: 640, touch: true}} {
		p := b.open(t, v.url, l)
		p.ready()
		eval[any](p, `document.querySelector('.picture').scrollIntoView()`) // pictures are loaded when they are in sight
		p.until("what cannot be shown is a link", `document.querySelectorAll('.file[href]').length === 5`)
		eval[any](p, `document.querySelector('.picture').scrollIntoView()`)
		p.until("what can be shown is", `document.querySelectorAll('.picture img').length === 1 && document.querySelector('.picture img').naturalHeight === 900`)
		p.is("names are text", `document.querySelectorAll('#entries img').length === 1 && [...document.querySelectorAll('.file-name')].some((n) => n.textContent.startsWith('img src=x onerror=window.hacked=3'))`)
		p.is("links are downloads", `[...document.querySelectorAll('.file')].every((a) => a.origin === location.origin && (a.download !== '' || a.textContent.startsWith('broken.png')))`)
		p.is("nothing scrolls sideways", `document.documentElement.scrollWidth <= innerWidth && document.getElementById('feed').scrollWidth <= document.getElementById('feed').clientWidth`)
		p.attach(onDisk(t, "<b onclick=1>"+strings.Repeat("long", 50), "x"), onDisk(t, "drawing.svg", script))
		p.is("a drawing is no picture before it is sent either", `!document.querySelector('#tray img, #tray b') && document.documentElement.scrollWidth <= innerWidth`)
		p.is("what is tapped is large enough", `[...document.querySelectorAll('.composer button:not([hidden])')].every((b) => b.getBoundingClientRect().height >= 36)`)
		if weak := eval[[]string](p, contrasts); len(weak) > 0 {
			t.Errorf("hard to read: %s", strings.Join(weak, ", "))
		}
		p.is("nothing ran", `window.hacked === undefined`)
	}
}
