//go:build unix

package command_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/command"
)

// shell is a model that is a shell script. The words after it are its arguments.
func shell(script string, arguments ...string) *command.Model {
	return command.New(command.Config{Command: append([]string{"/bin/sh", "-c", script, "sh"}, arguments...), Model: "small-1"})
}

// told is the text and the end of a stream, and the error.
func told(t *testing.T, m model.Model, r model.Request) (string, *model.Error) {
	t.Helper()
	var b strings.Builder
	var e *model.Error
	for d, err := range m.Stream(t.Context(), r) {
		if b.WriteString(d.Text); d.End != "" {
			b.WriteString("[" + string(d.End) + "]")
		}
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("error of type %T", err)
		}
	}
	if e != nil {
		b.WriteString("[" + string(e.Kind) + "]")
	}
	return b.String(), e
}

func ask(texts ...string) model.Request {
	r := model.Request{System: "Be brief."}
	for i, text := range texts {
		role := model.User
		if i%2 == 1 {
			role = model.Assistant
		}
		r.Messages = append(r.Messages, model.Message{Role: role, Text: text})
	}
	return r
}

func TestWhatTheProgramIsTold(t *testing.T) {
	const arguments = `printf '<%s>' "$@"; printf '(%s)' "$(cat)"`
	const conversation = "The conversation so far. Write the next answer of the assistant, and nothing else.\n\nPerson: one\n\nAssistant: two\n\nPerson: three"
	cases := []struct {
		name      string
		arguments []string
		r         model.Request
		want      string
	}{
		{"the prompt is on standard input", nil, ask("one"), "<>(Be brief.\n\none)"},
		{"a conversation says who speaks", nil, ask("one", "two", "three"), "<>(Be brief.\n\n" + conversation + ")"},
		{"the prompt is an argument and not on standard input", []string{"-p", "{{prompt}}"}, ask("one"), "<-p><Be brief.\n\none>()"},
		{"the message is an argument", []string{"{{message}}"}, ask("one", "two", "three"), "<three>()"},
		{"the system prompt is told once", []string{"--system={{system}}"}, ask("one"), "<--system=Be brief.>(one)"},
		{"the model has its name", []string{"-m", "{{model}}"}, ask("one"), "<-m><small-1>(Be brief.\n\none)"},
		{"several in one argument", []string{"{{system}}|{{message}}|{{model}}"}, ask("one"), "<Be brief.|one|small-1>()"},
		{"what a person writes is not replaced again", []string{"{{message}}"}, ask("{{system}} {{model}}"), "<{{system}} {{model}}>()"},
		{"what a person writes is no option", []string{"{{message}}", "--text={{message}}"}, ask("--help"), "< --help><--text=--help>()"},
		{"what a person writes is no command", []string{"{{message}}"}, ask("'; echo $HOME `id` $(id) \"\n"), "<'; echo $HOME `id` $(id) \"\n>()"},
		{"zero bytes are left out", []string{"{{message}}"}, ask("a\x00b"), "<ab>()"},
		{"other braces are left alone", []string{"{{.Name}}", "{prompt}"}, ask("one"), "<{{.Name}}><{prompt}>(Be brief.\n\none)"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, e := told(t, shell(arguments, c.arguments...), c.r); got != c.want+"[done]" {
				t.Errorf("got %q (%v), want %q", got, e, c.want)
			}
		})
	}
}

func TestEndings(t *testing.T) {
	cases := []struct {
		name, script string
		want         string
		message      string // what a person reads
		cause        string // what the log says
	}{
		{"a reply", "echo Hello", "Hello[done]", "", ""},
		{"a program that does not read its input", "exec <&-; echo Hi", "Hi[done]", "", ""},
		{"what it says beside the reply is not part of it", "echo loading >&2; echo Hi", "Hi[done]", "", ""},
		{"lines inside a reply stay", "echo; echo a; echo; echo b; echo; echo", "\na\n\nb[done]", "", ""},
		{"nothing", "echo why >&2", "[broken]", "has answered nothing", "it says: why"},
		{"a failure", "echo oops >&2; exit 3", "[unavailable]", "has failed. The log", "exit status 3; it says: oops"},
		{"a failure half-way", "echo Hel; exit 1", "Hel[unavailable]", "has failed. The log", "exit status 1"},
		{"a signal", "kill -9 $$", "[unavailable]", "was killed", "signal: killed"},
		{"only the end of a long complaint is kept", "i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i+1)); done; exit 1", "[unavailable]", "has failed. The log", "line 1999"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, e := told(t, shell(c.script), ask(strings.Repeat("long ", 100_000)))
			if got != c.want {
				t.Fatalf("got %q (%v), want %q", got, e, c.want)
			}
			if e == nil {
				return
			}
			if !strings.Contains(e.Message, c.message) || !strings.HasSuffix(e.Message, ".") {
				t.Errorf("a person reads %q", e.Message)
			}
			if cause := e.Cause.Error(); !strings.Contains(cause, c.cause) || len(cause) > 3000 {
				t.Errorf("the log says %q", cause)
			}
		})
	}
}

func TestProgramsThatCannotBeRun(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name    string
		command []string
		r       model.Request
		kind    model.Kind
		message string
	}{
		{"one that is not there", []string{"no-such-program-here"}, ask("a"), model.BadRequest, `There is no program called "no-such-program-here".`},
		{"a path that is not there", []string{"/nowhere/agent"}, ask("a"), model.BadRequest, `There is no program called "/nowhere/agent".`},
		{"a file that is no program", []string{plain}, ask("a"), model.BadRequest, "may not be run"},
		{"none at all", nil, ask("a"), model.Unavailable, "cannot be run"},
		{"arguments that are too long", []string{"/bin/echo", "{{prompt}}"}, ask(strings.Repeat("long ", 1<<20)), model.TooLong, "too long for a program's arguments"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, e := told(t, command.New(command.Config{Command: c.command}), c.r)
			if e == nil || e.Kind != c.kind || !strings.Contains(e.Message, c.message) {
				t.Errorf("got %+v", e)
			}
		})
	}
}

// The program waits for a file that is made only when its first words have come.
func TestTheReplyStreams(t *testing.T) {
	next := filepath.Join(t.TempDir(), "next")
	m := shell(`printf 'first \342\202'; until [ -e "$1" ]; do sleep 0.01; done; printf '\254 second'`, next)
	var got []string
	for d, err := range m.Stream(t.Context(), ask("a")) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Text == "" {
			continue
		}
		if got = append(got, d.Text); len(got) == 1 {
			if err := os.WriteFile(next, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if strings.Join(got, "|") != "first |€ second" {
		t.Errorf("got %q", got)
	}
}

func TestAProgramThatWritesWithoutEndIsKilled(t *testing.T) {
	m := shell("while :; do echo more; done")
	command.Bound(m, 1000, time.Second)
	if got, e := told(t, m, ask("a")); e == nil || e.Kind != model.Broken || !strings.Contains(e.Message, "without end") || len(got) > 1100 {
		t.Errorf("got %v", e)
	}
}

func TestOutputThatSomethingElseHoldsOpenIsNotWaitedFor(t *testing.T) {
	stop := filepath.Join(t.TempDir(), "stop") // so that nothing is left behind
	m := shell(`(until [ -e "$1" ]; do sleep 0.05; done) & echo $!`, stop)
	command.Bound(m, 1000, 10*time.Millisecond)
	got, e := told(t, m, ask("a"))
	if err := os.WriteFile(stop, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	child, ok := strings.CutSuffix(got, "[done]")
	if !ok {
		t.Fatalf("got %q (%v)", got, e)
	}
	gone(t, child)
}

// gone waits until no process has that id.
func gone(t *testing.T, id string) {
	t.Helper()
	var pid int
	if _, err := fmt.Sscan(id, &pid); err != nil {
		t.Fatalf("%q is no process id", id)
	}
	deadline := time.Now().Add(10 * time.Second)
	for !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		if zombie(pid) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d goes on", pid)
		}
	}
}

// zombie tells whether a process has ended and only waits for its parent to notice,
// which in a container may never happen.
func zombie(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(status), ") Z ")
}

func TestCancellingKillsEverythingThatWasStarted(t *testing.T) {
	for _, c := range []struct {
		name  string
		leave func(cancel func()) bool // what the caller does at the first words
	}{
		{"by the context", func(cancel func()) bool { cancel(); return true }},
		{"by leaving", func(func()) bool { return false }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := shell(`sleep 600 & echo $!; wait`)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var child string
			var e *model.Error
			for d, err := range m.Stream(ctx, ask("a")) {
				if err != nil {
					errors.As(err, &e)
					continue
				}
				child += d.Text
				if !c.leave(cancel) {
					break
				}
			}
			if ctx.Err() != nil && (e == nil || e.Kind != model.Cancelled) {
				t.Errorf("got %v", e)
			}
			gone(t, child)
		})
	}
}

func TestAStalledProgramIsGivenUp(t *testing.T) {
	m := model.Watch(shell(`echo $$; exec sleep 600`), 50*time.Millisecond, time.Minute)
	got, e := told(t, m, ask("a"))
	if e == nil || e.Kind != model.Stalled {
		t.Fatalf("got %q, %v", got, e)
	}
	gone(t, got)
}

func TestTheProgramHasTheEnvironmentItIsGiven(t *testing.T) {
	m := command.New(command.Config{Command: []string{"/bin/sh", "-c", `echo "$A-$HOME"`}, Environment: []string{"A=b"}})
	if got, e := told(t, m, ask("a")); got != "b-[done]" {
		t.Errorf("got %q (%v)", got, e)
	}
}

func TestTheOutputOfAProgramIsWhatItWrites(t *testing.T) {
	run := func(script string, limit int) ([]byte, error) {
		return command.Output(t.Context(), command.Config{Command: []string{"/bin/sh", "-c", script}}, []byte("{{prompt}}"), limit)
	}
	for _, c := range []struct{ name, script, want, fails string }{
		{"byte for byte", `cat; printf '\033[1m\377\000\n\n'`, "{{prompt}}\x1b[1m\xff\x00\n\n", ""},
		{"nothing", `cat >/dev/null`, "", ""},
		{"up to the limit", `printf 12345678901234567890`, "12345678901234567890", ""},
		{"and not more", `printf 123456789012345678901`, "", "The model's program writes without end."},
		{"unless it fails", `echo half; exit 3`, "", "The model's program has failed. The log says why."},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := run(c.script, 20)
			if string(got) != c.want || c.fails == "" && err != nil || c.fails != "" && (err == nil || err.Error() != c.fails) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestAProgramWithoutReplyIsKilledWithAllThatItHasStarted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	child := filepath.Join(t.TempDir(), "child")
	if err := syscall.Mkfifo(child, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := command.Output(ctx, command.Config{Command: []string{"/bin/sh", "-c", `sleep 600 & echo $! > "$1"; wait`, "sh", child}}, nil, 1000)
		ended <- err
	}()
	id, err := os.ReadFile(child)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	var e *model.Error
	if err := <-ended; !errors.As(err, &e) || e.Kind != model.Cancelled {
		t.Errorf("got %v", err)
	}
	gone(t, strings.TrimSpace(string(id)))
}
