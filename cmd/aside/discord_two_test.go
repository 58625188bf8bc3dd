package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// twoScenes are two processes that share a database and the bot's token, of which the first
// runs.
func twoScenes(t *testing.T) (first, second *scene) {
	t.Helper()
	first = prepareScene(t, "")
	first.reconfigure("models:", "database: "+postgres.Server(t).Database(t)+"\nmodels:")
	first.flags = []string{"--log-level", "info"}

	other := *first
	second = &other
	second.victim = newVictim(t, "sqlite", first.url)
	second.flags = first.flags
	text, err := os.ReadFile(first.config)
	if err != nil {
		t.Fatal(err)
	}
	own := strings.NewReplacer(first.data, second.data, strings.TrimPrefix(first.url, "http://"), strings.TrimPrefix(second.url, "http://")).Replace(string(text))
	if err := os.WriteFile(second.config, []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	first.begin()
	return first, second
}

// logs waits until a process has said something so many times.
func (v *victim) logs(what string, times int) {
	v.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); strings.Count(v.output.String(), what) < times; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			v.t.Fatalf("it does not say %q %d times:\n%s", what, times, v.output.String())
		}
	}
}

// standby starts a process and waits until it stands by.
func (s *scene) standby() {
	s.t.Helper()
	times := strings.Count(s.output.String(), "stands by")
	s.start()
	s.logs("stands by", times+1)
}

// takesOver waits until a process that stood by is connected. identified is how often
// anybody was.
func (s *scene) takesOver(identified int) {
	s.t.Helper()
	if err := s.discord.Identified(s.ctx, identified); err != nil {
		s.t.Fatalf("nobody takes over: %v\n%s", err, s.output.String())
	}
	if err := s.discord.Connected(s.ctx); err != nil {
		s.t.Fatalf("nobody is connected: %v\n%s", err, s.output.String())
	}
}

// Reactions have no ids of their own: only one process may be told of them.
func TestDiscordOfTwoProcessesOneIsConnectedAndTheOtherTakesOver(t *testing.T) {
	first, second := twoScenes(t)
	d := first.discord
	second.standby()
	question := first.ask(d.Ada, d.General, "is it ready?", "It is ready.")
	post := first.answer(d.General, question).ID
	reactions := func(s *scene, emoji string, want int) {
		t.Helper()
		s.model.replies("Glad to hear it.")
		d.React(d.Ada, d.General, post, emoji)
		s.settleAll(d.General, isReaction)
		// What came with it has been looked at when what came after it has.
		s.ask(d.Ada, d.General, "anything else?", "No.")
		if turns := s.settleAll(d.General, isReaction); len(turns) != want {
			t.Errorf("there are %d turns for reactions, want %d: %+v", len(turns), want, turns)
		}
	}
	reactions(second, "🎉", 1)
	if n, _ := d.Starts(); n != 1 {
		t.Errorf("%d connections were made", n)
	}

	first.kill(syscall.SIGKILL)
	first.model.replies("Here I am.")
	missed := d.Write(d.Ada, d.General, first.to("is anybody there?"))
	second.takesOver(2)
	second.settle(d.General, missed)
	second.says(d.General, missed, "Here I am.")
	reactions(second, "👍", 2)

	// The other way round: whoever goes in an orderly manner lets the next one in at once.
	first.standby()
	second.kill(syscall.SIGTERM)
	first.takesOver(3)
	reactions(first, "👀", 3)
	if n, _ := d.Starts(); n != 3 {
		t.Errorf("%d connections were made", n)
	}
}

// A process that stands still is thought dead. When it goes on, it has been told of the same
// reactions as the one that took over.
func TestDiscordAProcessThatStoodStillDoesNotStoreAReactionASecondTime(t *testing.T) {
	first, second := twoScenes(t)
	d := first.discord
	second.standby()
	question := first.ask(d.Ada, d.General, "is it ready?", "It is ready.")
	post := first.answer(d.General, question).ID
	if err := first.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	second.takesOver(2)
	second.model.replies("Glad to hear it.")
	d.React(d.Ada, d.General, post, "🎉")
	second.settleAll(d.General, isReaction)
	if err := first.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	first.logs("this one stands by", 1)
	second.ask(d.Ada, d.General, "anything else?", "No.")
	if turns := second.settleAll(d.General, isReaction); len(turns) != 1 {
		t.Errorf("there are %d turns for one reaction: %+v", len(turns), turns)
	}
}
