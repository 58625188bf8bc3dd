package main

import (
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
)

// newPairingScene is a scene in which only the owner is known, and strangers can ask.
func newPairingScene(t *testing.T) *scene {
	t.Helper()
	s := prepareScene(t, "")
	text, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	gate := "gateway_url: " + s.discord.GatewayURL()
	closed := strings.Replace(string(text), gate, gate+", access: pairing, allow_users: ["+s.discord.Owner.ID+"]", 1)
	if err := os.WriteFile(s.config, []byte(closed), 0o600); err != nil {
		t.Fatal(err)
	}
	s.begin()
	return s
}

// texts are what the agent has posted in a room.
func (s *scene) texts(in *discordtest.Channel) (all []string) {
	for _, p := range s.discord.Posts(in) {
		all = append(all, p.Content)
	}
	return all
}

// A pairingLine is a person as aside pairing tells of them.
type pairingLine struct {
	Person, Platform, Name, State, Code, Since, Expires string
}

func TestDiscordAStrangerIsLetInByTheOperatorAndNobodyElse(t *testing.T) {
	s := newPairingScene(t)
	d := s.discord
	s.model.replies("Hello.")
	room := d.Direct(d.Ada)
	pairings := func() []pairingLine {
		t.Helper()
		var page struct{ Pairing []pairingLine }
		inJSON(t, &page, "pairing", "list", "--config", s.config)
		return page.Pairing
	}

	d.Write(d.Ada, room, "first")
	s.until("a code is posted", func() bool { return len(d.Posts(room)) == 1 })
	code := regexp.MustCompile(`[A-HJ-NP-Z2-9]{8}`).FindString(s.texts(room)[0])
	if code == "" || !strings.Contains(s.texts(room)[0], "I do not know you yet") {
		t.Fatalf("the stranger reads %q", s.texts(room))
	}
	waiting := pairings()
	if len(waiting) != 1 || waiting[0].Person != "discord/"+d.Ada.ID || waiting[0].State != "pending" || waiting[0].Code != code {
		t.Fatalf("there wait %+v", waiting)
	}

	// Whatever the stranger tries, nothing comes of it, also after a restart.
	d.Write(d.Ada, room, code)
	d.Write(d.Ada, room, "aside pairing approve "+code)
	d.Write(d.Ada, d.General, s.to("hello"))
	command := d.Invoke(d.Ada, room, "confirm", nil)
	s.until("the command is answered", func() bool { return len(d.Answers(command)) == 1 })
	data, _ := d.Answers(command)[0]["data"].(map[string]any)
	if data["content"] != "You are not on the list of people I talk to." || data["flags"] != float64(1<<6) {
		t.Errorf("the command is answered with %v", data)
	}
	s.kill(syscall.SIGKILL)
	s.begin()
	d.Write(d.Ada, room, "second")
	s.ask(d.Owner, d.General, "what came before me?", "Nothing.")
	if got := s.texts(room); len(got) != 1 {
		t.Errorf("the stranger reads %q", got)
	}
	for _, asked := range s.model.heard() {
		if !strings.Contains(asked, "what came before me?") {
			t.Errorf("the model was asked %q", asked)
		}
	}

	isRefused(t, "nobody waits with the code", "pairing", "approve", "WRONG234", "--config", s.config)
	if got := succeeds(t, "pairing", "approve", strings.ToLower(code), "--config", s.config); !strings.Contains(got, "discord/"+d.Ada.ID) || !strings.Contains(got, "was let in") {
		t.Errorf("approving says %q", got)
	}
	s.until("the stranger is told", func() bool { return len(d.Posts(room)) == 2 })
	if got := s.texts(room)[1]; got != "You can write to me now." {
		t.Errorf("the stranger reads %q", got)
	}
	isRefused(t, "nobody waits with the code", "pairing", "approve", code, "--config", s.config)

	s.model.replies("Nice to meet you.")
	message := d.Write(d.Ada, room, "third")
	s.settle(room, message)
	s.says(room, message, "Nice to meet you.")
	if heard := s.model.heard(); len(heard) != 1 || strings.Contains(heard[0], "first") {
		t.Errorf("the model was asked %q", heard)
	}
	for _, turn := range s.turns(room) {
		if turn.Message != message {
			t.Errorf("there is a turn of another message: %+v", turn)
		}
	}

	// What was decided stays, with and without a process.
	s.kill(syscall.SIGTERM)
	if in := pairings(); len(in) != 1 || in[0].State != "approved" || in[0].Code != "" {
		t.Errorf("let in are %+v", in)
	}
	succeeds(t, "pairing", "revoke", "discord/"+d.Ada.ID, "--config", s.config)
	isRefused(t, "was not let in", "pairing", "revoke", "discord/"+d.Ada.ID, "--config", s.config)
	s.begin()
	d.Write(d.Ada, room, "fourth")
	s.until("there is another code", func() bool { return len(d.Posts(room)) == 4 })
	if got := s.texts(room)[3]; !strings.Contains(got, "I do not know you yet") {
		t.Errorf("after revoking they read %q", got)
	}
}
