package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take for anything. A machine that is busy needs it;
// nothing waits for it to be over.
const patience = 30 * time.Second

// A browser is Chromium without a window.
type browser struct{ ctx context.Context }

// startBrowser starts one for a test and all its subtests.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("there is no Chromium, so nobody has looked at the page; scripts/setup installs it")
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-component-update", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), flags...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("Chromium does not start: %v", err)
	}
	return &browser{ctx}
}

// A tab is a page in a browser that knows nothing of the others.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	problems []string // what the browser complains about
	expected []string // parts of complaints that belong to the test
}

// A look is how a tab sees the page.
type look struct {
	width, height int
	dark, touch   bool
}

var desktop = look{width: 1200, height: 800}

// open opens an address in a new tab. Whatever the browser complains about by the end
// of the test fails it: errors, violations of the policy, exceptions.
func (b *browser) open(t *testing.T, address string, l look, expected ...string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	p := &tab{t: t, ctx: ctx, expected: expected}
	var hearing sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		hearing.Wait()
		for _, problem := range p.problems {
			t.Errorf("the browser complains: %s", problem)
		}
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("no new tab: %v", err)
	}
	entries, exceptions, calls := chromedp.Events(ctx, log.EntryAdded), chromedp.Events(ctx, runtime.ExceptionThrown), chromedp.Events(ctx, runtime.ConsoleAPICalled)
	hearing.Go(func() {
		for e, err := range entries {
			if err == nil && (e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning) {
				p.complain(e.Entry.Text + " " + e.Entry.URL)
			}
		}
	})
	hearing.Go(func() {
		for e, err := range exceptions {
			if err == nil {
				p.complain(e.ExceptionDetails.Text + " " + e.ExceptionDetails.URL)
			}
		}
	})
	hearing.Go(func() {
		for e, err := range calls {
			if err == nil && (e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning) {
				p.complain(fmt.Sprintf("console.%s with %d values", e.Type, len(e.Args)))
			}
		}
	})
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	p.do(
		browse(log.Enable, cdp.Empty{}),
		browse(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: int64(l.width), Height: int64(l.height), DeviceScaleFactor: 1, Mobile: l.touch,
		}),
		browse(emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: l.touch}),
		browse(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}}),
		chromedp.Navigate(address),
	)
	return p
}

// browse is a command of the browser's protocol.
func browse[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// complain takes note of a complaint.
func (p *tab) complain(complaint string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, part := range p.expected {
		if strings.Contains(complaint, part) {
			return
		}
	}
	p.problems = append(p.problems, complaint)
}

// do does something within its time.
func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience+5*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.t.Fatalf("the browser: %v\n%s", err, p.outline())
	}
}

// click clicks on an element.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.do(chromedp.Click(chromedp.CSS(selector)))
}

// press presses keys.
func (p *tab) press(keys string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
}

// eval is the value of an expression.
func eval[T any](p *tab, expression string, options ...chromedp.EvaluateOption) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience+5*time.Second)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, options...))
	if err != nil {
		p.t.Fatalf("%s: %v\n%s", expression, err, p.outline())
	}
	return value
}

// is asks that an expression holds now.
func (p *tab) is(what, expression string) {
	p.t.Helper()
	if !eval[bool](p, "Boolean("+expression+")") {
		p.t.Errorf("it does not hold that %s\n%s", what, p.outline())
	}
}

// until waits for an expression to hold.
func (p *tab) until(what, expression string) {
	p.t.Helper()
	// The page's own policy forbids it to evaluate texts, so it is a program that
	// looks again by itself.
	program := fmt.Sprintf(`new Promise((done) => {
		const end = performance.now() + %d;
		const look = () => {
			let holds = false;
			try { holds = Boolean(%s); } catch {}
			if (holds || performance.now() > end) done(holds); else setTimeout(look, 10);
		};
		look();
	})`, patience.Milliseconds(), expression)
	if !eval[bool](p, program, chromedp.EvalAwaitPromise) {
		p.t.Fatalf("it never held that %s\n%s", what, p.outline())
	}
}

// outline is what stands on the page, for a message about what went wrong.
func (p *tab) outline() string {
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string]("document.body?.innerText ?? ''"))
	if err != nil {
		return err.Error()
	}
	return text
}

// text is what an element says.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return eval[string](p, "document.querySelector("+quote(selector)+")?.innerText ?? '(not there)'")
}

// ready waits until a room is shown.
func (p *tab) ready() {
	p.t.Helper()
	p.until("the room is shown", `document.getElementById('feed')?.getAttribute('aria-busy') === 'false'`)
}

// say types a message and sends it. A long one is pasted: thousands of keys take a browser
// half a minute.
func (p *tab) say(text string) {
	p.t.Helper()
	if len(text) > 100 {
		p.do(chromedp.Focus(chromedp.CSS("#text")), browse(input.InsertText, input.InsertTextParams{Text: text}))
	} else {
		p.do(chromedp.SendKeys(chromedp.CSS("#text"), text))
	}
	p.send()
}

// send presses Enter in the message box. The driver's own way to press it writes a
// line break even if the page has taken the key for itself, which no keyboard does.
func (p *tab) send() {
	p.t.Helper()
	enter := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, NativeVirtualKeyCode: 13}
	release := enter
	release.Type = input.DispatchKeyEventTypeKeyUp
	p.do(browse(input.DispatchKeyEvent, enter), browse(input.DispatchKeyEvent, release))
}

// loads waits for the page to be loaded anew by an action.
func (p *tab) loads(action chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.WaitEvent(page.LoadEventFired, nil, action)); err != nil {
		p.t.Fatalf("the page was not loaded anew: %v\n%s", err, p.outline())
	}
}

// idle waits until nothing is on its way and nothing is being worked on.
func (p *tab) idle() {
	p.t.Helper()
	p.until("everything is settled", `document.getElementById('stop').hidden && !document.querySelector('.pending')`)
}

// answered waits for so many answers, and for everything to be settled.
func (p *tab) answered(n int) {
	p.t.Helper()
	p.until(fmt.Sprint(n, " answers are there"), fmt.Sprintf(`document.querySelectorAll('.entry.agent').length === %d`, n))
	p.idle()
}

// quote is a text in JavaScript.
func quote(text string) string {
	b, _ := json.Marshal(text) // cannot fail
	return string(b)
}

// newPage is a victim with the rehearsal model and further lines of configuration.
func newPage(t *testing.T, more string) *victim {
	t.Helper()
	dir := t.TempDir()
	v := &victim{t: t, config: filepath.Join(dir, "aside.yaml"), data: filepath.Join(dir, "data"), output: new(transcript)}
	address := freeAddress(t)
	v.url = "http://" + address
	text := fmt.Sprintf("data: %s\nlisten: %s\n%s", v.data, address, more)
	if err := os.WriteFile(v.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return v
}

// startPage is one that runs.
func startPage(t *testing.T, more string) *victim {
	t.Helper()
	v := newPage(t, more)
	v.start()
	return v
}
