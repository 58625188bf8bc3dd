package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/asidehq/aside/internal/telegramtest"
)

// speaksOpus makes the program speak in a way that Telegram shows as a voice message.
const speaksOpus = `speech: {provider: command, command: [/bin/sh, -c, "printf OggS........OpusHead; cat"]}` + "\n"

var somePicture = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\xff\xfe")

// outbound puts pictures where files are sent from.
func (s *telegramScene) outbound(names ...string) {
	s.t.Helper()
	dir := filepath.Join(s.data, "outbound")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		s.t.Fatal(err)
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), somePicture, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

const (
	sendsAlbum = `Here you are. <actions><send-file path="one.png" caption="The garden"/><send-file path="two.png"/></actions>`
	sendsVoice = `Here you are. <actions><voice>Good morning</voice></actions>`
)

// sentOnce are the albums and voice messages that have ever stood in a chat: how many parts
// each album has, and 1 for each voice.
func sentOnce(d *telegramtest.Server, chat *telegramtest.Chat, text string) []int {
	var parts []int
	album := ""
	for _, m := range d.Everything(chat) {
		switch {
		case m.From != d.Bot() || m.File == nil:
		case m.Kind == "voice" && strings.Contains(string(m.File.Data), text):
			parts = append(parts, 1)
		case m.Album != "" && m.Seen[0] == text:
			album = m.Album
			parts = append(parts, 1)
		case m.Album != "" && m.Album == album:
			parts[len(parts)-1]++
		}
	}
	return parts
}

func TestTelegramAlbumsAndVoiceMessages(t *testing.T) {
	s := newTelegramScene(t, "", "actions: {followup_depth: 0}\n"+speaksOpus)
	d := s.telegram
	s.outbound("one.png", "two.png", "three.png")
	message := s.ask(d.Ada, d.Private, "show me", sendsAlbum)
	if got := sentOnce(d, d.Private, "The garden"); fmt.Sprint(got) != "[2]" {
		t.Errorf("albums: %v", got)
	}
	message2 := s.ask(d.Ada, d.Private, "speak", sendsVoice)
	if got := sentOnce(d, d.Private, "Good morning"); fmt.Sprint(got) != "[1]" {
		t.Errorf("voices: %v", got)
	}
	for _, id := range []string{message, message2} {
		if got := s.answer(d.Private, id).Text; got != "Here you are." {
			t.Errorf("it says %q", got)
		}
	}
	// A file with a text of its own begins anew, and one that is missing is told of.
	s.ask(d.Ada, d.Private, "more", `<actions><send-file path="one.png" caption="A"/><send-file path="two.png"/><send-file path="gone.png"/><send-file path="three.png" caption="B"/><send-file path="one.png"/></actions>Done.`)
	if a, b := sentOnce(d, d.Private, "A"), sentOnce(d, d.Private, "B"); fmt.Sprint(a, b) != "[2] [2]" {
		t.Errorf("albums: %v and %v", a, b)
	}
	posts := d.Posts(d.Private)
	if last := posts[len(posts)-1].Text; last != "Done.\n\nFailed: could not send gone.png: there is no such file in the directories that files may be sent from" {
		t.Errorf("it says %q", last)
	}
	for _, m := range posts {
		if m.Text == "…" {
			t.Errorf("left is %+v", m)
		}
	}
}

func TestTelegramKilledWhileSomethingIsSentThatCannotBeRepeated(t *testing.T) {
	for _, test := range []struct {
		name, method, reply string
		done                bool
		text, answer        string
		times               string
	}{
		{"an album that arrived stands there once", "sendMediaGroup", sendsAlbum, true, "The garden", "Here you are.", "[2]"},
		{
			"an album that did not arrive is told of", "sendMediaGroup", sendsAlbum, false, "The garden",
			"Here you are.\n\nUnclear: one.png, two.png may not have arrived (Telegram did not answer); look whether you see them before you ask again", "[]",
		},
		{"a voice message that arrived stands there once", "sendVoice", sendsVoice, true, "Good morning", "Here you are.", "[1]"},
		{
			"a voice message that did not arrive is told of", "sendVoice", sendsVoice, false, "Good morning",
			"Here you are.\n\nGood morning\n\nUnclear: the voice message may not have arrived (Telegram did not answer), so it is here in writing as well", "[]",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTelegramScene(t, "", "actions: {followup_depth: 0}\n"+speaksOpus)
			d := s.telegram
			s.outbound("one.png", "two.png")
			s.model.replies(test.reply)
			arrived := d.Hold(test.method, test.done)
			message := d.Write(d.Ada, d.Private, "please")
			select {
			case <-arrived:
			case <-s.ctx.Done():
				t.Fatalf("it is not sent\n%s", s.output.String())
			}
			s.kill(syscall.SIGKILL)
			s.begin()
			s.settle(d.Private, message)
			if got := sentOnce(d, d.Private, test.text); fmt.Sprint(got) != test.times {
				t.Errorf("it stood there %v, want %s", got, test.times)
			}
			if n := len(d.Requests(test.method)); n != 1 {
				t.Errorf("it was sent %d times", n)
			}
			if got := s.answer(d.Private, message).Text; got != test.answer {
				t.Errorf("it says %q, want %q", got, test.answer)
			}
			for _, m := range d.Posts(d.Private) {
				if m.Text == "…" {
					t.Errorf("left is %+v", m)
				}
			}
			dead := succeeds(t, "dead", "list", "--config", s.config)
			if listed := strings.Contains(dead, "nobody can tell whether it has arrived"); listed == test.done {
				t.Errorf("dead letters are\n%s", dead)
			}
			if test.done {
				return
			}
			// To send it again is a person's decision.
			succeeds(t, "dead", "resend", "--all", "--config", s.config)
			if err := d.Until(s.ctx, func() bool { return len(sentOnce(d, d.Private, test.text)) == 1 }); err != nil {
				t.Errorf("it is not sent again: %v\n%s", err, s.output.String())
			}
		})
	}
}
