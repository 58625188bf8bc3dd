package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// An ended is a process that has ended.
type ended struct {
	code     int
	out, err string
}

// ran runs aside and returns how it ended.
func ran(t *testing.T, args ...string) ended {
	t.Helper()
	var out, message bytes.Buffer
	cmd := process(t, args...)
	cmd.Stdout, cmd.Stderr = &out, &message
	_ = cmd.Run() // the code says it
	if cmd.ProcessState == nil {
		t.Fatalf("aside %s did not run", strings.Join(args, " "))
	}
	return ended{cmd.ProcessState.ExitCode(), out.String(), message.String()}
}

// succeeds runs aside, which must succeed, and returns what it prints.
func succeeds(t *testing.T, args ...string) string {
	t.Helper()
	e := ran(t, args...)
	if e.code != 0 || e.err != "" {
		t.Errorf("aside %s: exit code %d, %s", strings.Join(args, " "), e.code, e.err)
	}
	return e.out
}

// inJSON runs aside, which must print one JSON object that has no unknown members.
func inJSON(t *testing.T, into any, args ...string) {
	t.Helper()
	out := succeeds(t, append(args, "--json")...)
	decoder := json.NewDecoder(strings.NewReader(out))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Errorf("aside %s: %v in %s", strings.Join(args, " "), err, out)
	}
	if decoder.More() {
		t.Errorf("aside %s: there is more than an object in %s", strings.Join(args, " "), out)
	}
}

// isRefused runs aside, which must fail and say so on one line.
func isRefused(t *testing.T, want string, args ...string) {
	t.Helper()
	e := ran(t, args...)
	if e.code != exitFailed || !oneLine(e.err) || !strings.Contains(e.err, want) || e.out != "" {
		t.Errorf("aside %s: exit code %d, %q, printed %q", strings.Join(args, " "), e.code, e.err, e.out)
	}
}

const actingReply = "Hi <action>{\"type\":\"react\",\"emoji\":\"eyes\"}</action> there\x1b[31m " +
	"<action>{\"type\":\"fly\"}</action> <action>{\"type\":\"sendMessage\",\"chat\":\"no room!\",\"content\":\"lost\"}</action>" +
	"<action>{\"type\":\"sendMessage\",\"chat\":\"no room?\",\"content\":\"lost too\"}</action> [CALCULATE:6*7] <action>{\"type\":"

// What an operator can ask is the same whether Aside runs or not.
func TestOperatingAside(t *testing.T) {
	t.Parallel()
	v := startFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{"act": {says(actingReply)}}})
	v.settle(v.say("lobby", "act"))
	v.settle(v.say("attic", "hello"))
	const first, second = "turn-1-action-2", "turn-1-action-3"
	look := func(t *testing.T, dead ...string) {
		where := []string{"--config", v.config}
		on := func(args ...string) []string { return append(args, where...) }

		list := succeeds(t, on("turns", "list")...)
		lines := strings.Split(list, "\n")
		if len(lines) != 4 || !strings.Contains(lines[1], "web/attic") || !strings.Contains(lines[2], "2 done, 3 failed") {
			t.Errorf("the turns are\n%s", list)
		}
		var page struct {
			Turns []map[string]any `json:"turns"`
		}
		inJSON(t, &page, on("turns", "list", "--room", "web/lobby", "--since", "24h", "--limit", "1")...)
		if len(page.Turns) != 1 || page.Turns[0]["text"] != "act" {
			t.Errorf("the turns of the lobby are %v", page.Turns)
		}
		inJSON(t, &page, on("turns", "list", "--state", "waiting")...)
		if page.Turns == nil || len(page.Turns) != 0 {
			t.Errorf("the waiting turns are %v", page.Turns)
		}

		shown := succeeds(t, on("turns", "show", "1")...)
		mentions(t, shown, "Turn 1 in web/lobby: ", "\nMessage\n  act\n", `2. fly {} (blocks): failed, there is no action "fly"`, "\nPosts\n", "turn-1-post-0 in web/lobby: delivered after 1 try\n", "there␛[31m")
		if strings.Contains(shown, "\x1b") {
			t.Errorf("a control character is printed: %q", shown)
		}
		isRefused(t, "there is no turn 99; aside turns list shows those there are", on("turns", "show", "99")...)

		again := succeeds(t, on("replay", "1")...)
		mentions(t, again, "nothing is executed", `Hi ⟦<action>{"type":"react","emoji":"eyes"}</action>⟧ there␛[31m ⟦`,
			"1. action react", "would be run: react is known", "then: done: reacted with 👀", `now:  failed: there is no action "fly"`,
			"not used: ", "✓ it comes to the same as it did then")
		var replay struct {
			Turn         int64            `json:"turn"`
			Parts        []map[string]any `json:"parts"`
			Shown        string           `json:"shown"`
			Instructions []map[string]any `json:"instructions"`
			Differences  []string         `json:"differences"`
		}
		inJSON(t, &replay, on("replay", "1")...)
		if replay.Turn != 1 || len(replay.Instructions) != 6 || len(replay.Differences) != 0 || !strings.HasPrefix(replay.Shown, "Hi there") {
			t.Errorf("the replay is %+v", replay)
		}
		isRefused(t, "there is no turn 99", on("replay", "99")...)

		var letters struct {
			Dead []struct {
				Key, Room, Text, State, Reason, At string
				Turn                               int64
			} `json:"dead"`
		}
		inJSON(t, &letters, on("dead", "list")...)
		var keys []string
		for _, l := range letters.Dead {
			keys = append(keys, l.Key)
		}
		if strings.Join(keys, " ") != strings.Join(dead, " ") {
			t.Errorf("the dead letters are %v, want %v", letters.Dead, dead)
		}
		for _, key := range dead {
			mentions(t, succeeds(t, on("dead", "list")...), key)
			mentions(t, succeeds(t, on("dead", "show", key)...), key, "of turn 1", "lost")
		}
		for _, do := range []string{"show", "resend", "drop"} {
			isRefused(t, `there is no dead letter "smoke"; aside dead list shows those there are`, on("dead", do, "smoke")...)
		}
		mentions(t, ran(t, "__complete", "replay", "--config", v.config, "").out, "1\tweb/lobby: act\n")
		for _, key := range dead {
			mentions(t, ran(t, "__complete", "dead", "drop", "--config", v.config, "").out, key+"\tweb/no room")
		}
		mentions(t, succeeds(t, on("doctor", "--offline")...), "✓ store: the SQLite file is in order")
	}

	t.Run("while it runs", func(t *testing.T) {
		look(t, first, second)
		mentions(t, succeeds(t, "doctor", "--offline", "--config", v.config), "✓ lock: an Aside is running on it", "✓ listen: the running Aside listens at")
		mentions(t, succeeds(t, "dead", "resend", first, "--config", v.config), first+" is queued again\n")
		for range 200 { // it is refused again, soon
			if strings.Contains(succeeds(t, "dead", "list", "--config", v.config), first) {
				break
			}
		}
		mentions(t, succeeds(t, "dead", "drop", first, "--config", v.config), first+" is dropped\n")
		look(t, second)
	})
	v.kill(syscall.SIGTERM)
	t.Run("when it does not run", func(t *testing.T) {
		look(t, second)
		mentions(t, succeeds(t, "dead", "resend", "--all", "--config", v.config), second+" is queued again, and is sent while Aside runs\n")
		mentions(t, succeeds(t, "dead", "list", "--config", v.config), "there are no dead letters")
		var done struct {
			Done []string `json:"done"`
		}
		inJSON(t, &done, "dead", "drop", "--all", "--config", v.config)
		if done.Done == nil || len(done.Done) != 0 {
			t.Errorf("dropped %v", done.Done)
		}
	})
}

// The address in the configuration may be another Aside's, with other data.
func TestOnlyTheAsideThatHoldsTheDataIsAsked(t *testing.T) {
	t.Parallel()
	mine, other := startFaulty(t, &faultyModel{}), startFaulty(t, &faultyModel{})
	mine.settle(mine.say("mine", "hello"))
	other.settle(other.say("other", "hello"))
	out := succeeds(t, "turns", "list", "--config", other.config, "--data", mine.data)
	if !strings.Contains(out, "web/mine") || strings.Contains(out, "web/other") {
		t.Errorf("the turns are\n%s", out)
	}
}

func TestABackupOfARunningAsideIsRestored(t *testing.T) {
	t.Parallel()
	v := startFaulty(t, &faultyModel{})
	v.isAnswered("lobby", v.say("lobby", "one"), "Answer to one")
	file := filepath.Join(t.TempDir(), "aside.tar.gz")
	mentions(t, succeeds(t, "backup", file, "--config", v.config), file+" holds 1 messages and 1 turns of ", "and was checked")
	isRefused(t, "is there already; choose another name, or write over it with --force", "backup", file, "--config", v.config)
	var manifest struct {
		Format, Schema, Size          int64
		Aside, Time, Database, SHA256 string
		Counts                        map[string]int64
	}
	inJSON(t, &manifest, "backup", file, "--force", "--config", v.config)
	if manifest.Counts["message"] != 1 || len(manifest.SHA256) != 64 {
		t.Errorf("the manifest is %+v", manifest)
	}
	v.isAnswered("lobby", v.say("lobby", "two"), "Answer to two")

	isRefused(t, "another Aside is running on this data directory", "restore", file, "--force", "--config", v.config)
	v.kill(syscall.SIGKILL)
	isRefused(t, "there is data in "+v.data+" already", "restore", file, "--config", v.config)
	out := succeeds(t, "restore", file, "--force", "--config", v.config)
	mentions(t, out, v.data+" holds 1 messages and 1 turns of ", "the old database is in "+v.data)
	v.start()
	v.isAnswered("lobby", v.say("lobby", "three"), "Answer to three")
	var texts []string
	for _, e := range v.entries("lobby") {
		texts = append(texts, e.Text)
	}
	if got := strings.Join(texts, ", "); got != "one, Answer to one, three, Answer to three" {
		t.Errorf("in the room stand %s", got)
	}
	v.kill(syscall.SIGTERM)

	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, whole[:len(whole)-100], 0o600); err != nil {
		t.Fatal(err)
	}
	isRefused(t, "this is no complete backup of Aside", "restore", file, "--data", filepath.Join(t.TempDir(), "data"))
}

func TestCommandsWhoseReaderHasGone(t *testing.T) {
	t.Parallel()
	v := startFaulty(t, &faultyModel{})
	v.settle(v.say("lobby", "hello"))
	for _, args := range [][]string{
		{"turns", "list"},
		{"turns", "list", "--json"},
		{"turns", "show", "1"},
		{"replay", "1"},
		{"dead", "list"},
		{"doctor", "--offline"},
		{"doctor", "--offline", "--json"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			read.Close()
			defer write.Close()
			var message strings.Builder
			cmd := process(t, append(args, "--config", v.config)...)
			cmd.Stdout, cmd.Stderr = write, &message
			err = cmd.Run()
			if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exitFailed {
				t.Errorf("ended with %v, want exit code %d", err, exitFailed)
			}
			if got := message.String(); !strings.Contains(got, "broken pipe") || !oneLine(got) {
				t.Errorf("said %q", got)
			}
		})
	}
}
