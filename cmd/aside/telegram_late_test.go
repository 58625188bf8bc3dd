package main

import (
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/asidehq/aside/internal/telegramtest"
)

// Killed while it tells of an answer that came too late: people read the line once, and
// nothing stands there any more for the answer itself.
func TestTelegramKilledWhileItTellsOfALateAnswer(t *testing.T) {
	t.Parallel()
	const line = "An answer could not be delivered in time. Write /missed to see it."
	for _, test := range []struct {
		name, method string
		done         bool
		stands       []string
	}{
		{"before the placeholder", "sendMessage", false, []string{line}},
		{"after the placeholder, of which nobody knows where it stands", "sendMessage", true, []string{line}},
		{"before the text", "editMessageText", false, []string{line}},
		{"after the text", "editMessageText", true, []string{line}},
		{"before what stood for the answer is taken away", "deleteMessage", false, []string{"…", line}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTelegramScene(t, "", "deliver: {max_age: 3s}\n")
			d := s.telegram
			s.model.replies("Hello.")
			d.Chaos(func(method string) *telegramtest.Fault {
				if method == "sendMessage" {
					return nil // so that there is a placeholder
				}
				return &telegramtest.Fault{Status: 502, Body: "<html>"}
			})
			s.settle(d.Private, d.Write(d.Ada, d.Private, "hi"))
			if dead := s.get("/api/v1/dead"); !strings.Contains(dead, `"late"`) {
				t.Fatalf("the dead letters are %s\n%s", dead, s.output.String())
			}
			texts := func() (all []string) {
				for _, m := range d.Posts(d.Private) {
					all = append(all, m.Text)
				}
				return all
			}
			if got := texts(); !slices.Equal(got, []string{"…"}) {
				t.Fatalf("there stand %q", got)
			}
			s.kill(syscall.SIGKILL)
			d.Chaos(nil)
			arrived := d.Hold(test.method, test.done)
			s.start()
			select {
			case <-arrived:
			case <-s.ctx.Done():
				t.Fatalf("Telegram was not asked\n%s", s.output.String())
			}
			s.kill(syscall.SIGKILL)
			s.start()
			if err := d.Until(s.ctx, func() bool { return slices.Contains(texts(), line) }); err != nil {
				t.Fatalf("there stand %q\n%s", texts(), s.output.String())
			}
			s.model.replies("Hello again.")
			question := d.Write(d.Ada, d.Private, "and now?")
			s.settle(d.Private, question)
			want := append(slices.Clone(test.stands), "Hello again.")
			if err := d.Until(s.ctx, func() bool { return slices.Equal(texts(), want) }); err != nil {
				t.Errorf("there stand %q, want %q\n%s", texts(), want, s.output.String())
			}
			times := 0
			for _, m := range d.Everything(d.Private) {
				if slices.Contains(m.Seen, line) {
					times++
				}
			}
			if times != 1 {
				t.Errorf("the line stood in %d messages", times)
			}
		})
	}
}
