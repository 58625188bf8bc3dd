package modeltest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/model"
)

// StartEmulator starts the emulator, which speaks the protocols of OpenAI, Anthropic
// and Gemini and accepts Key, and returns its address. It is stopped when the test
// ends, and ends by itself when the test's process is killed. What it replies stands
// in testdata/emulator/replies.json.
//
// Where it is not installed the test is skipped.
func StartEmulator(t *testing.T) string {
	t.Helper()
	directory := emulatorDirectory(t)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: the emulator needs node, which is not installed; scripts/setup installs it")
	}
	if _, err := os.Stat(filepath.Join(directory, "node_modules", "@copilotkit", "aimock")); err != nil {
		t.Skip("SKIPPED: the emulator is not installed; scripts/setup installs it, which needs Node.js 20.15 and the npm registry, or says why not")
	}
	command := exec.Command(node, "start.mjs", Key)
	command.Dir = directory
	var said strings.Builder
	command.Stderr = &said
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(30*time.Second, func() { command.Process.Kill() })
	t.Cleanup(func() {
		limit.Stop()
		input.Close()
		command.Process.Kill() // it would wait for connections that are kept
		command.Wait()
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	limit.Stop()
	if err != nil {
		t.Fatalf("the emulator does not start: %v\n%s", err, said.String())
	}
	return strings.TrimSpace(line)
}

// emulatorDirectory is found from the module's root, because the tests of every
// provider run in a directory of their own.
func emulatorDirectory(t *testing.T) string {
	t.Helper()
	at, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return filepath.Join(at, "model", "modeltest", "testdata", "emulator")
		}
		if at == filepath.Dir(at) {
			t.Fatal("there is no go.mod above the test")
		}
	}
}

// RunEmulated has a provider talk to the emulator.
func RunEmulated(t *testing.T, p Provider) {
	address := StartEmulator(t)
	m := p.New(address, Key)
	ask := func(text string) model.Request {
		return model.Request{System: "Be brief.", Messages: []model.Message{{Role: model.User, Text: text}}}
	}
	t.Run("a reply streams", func(t *testing.T) {
		a := Read(t, m.Stream(t.Context(), ask("say hello")))
		if a.Text != "Hello from the emulator: Grüße, 5 €." || a.End != model.Done || a.Usage != (model.Usage{Input: 11, Output: 7}) || a.Deltas < 3 {
			t.Errorf("got %v in %d parts", a, a.Deltas)
		}
	})
	for _, c := range []struct {
		name string
		r    model.Request
		text string
		end  model.End
	}{
		{"a conversation is understood", model.Request{System: "Be brief.", Messages: []model.Message{
			{Role: model.User, Text: "first"}, {Role: model.Assistant, Text: "answer"}, {Role: model.User, Text: "and then"},
		}}, "It has seen the system prompt and one answer.", model.Done},
		{"an image is accepted", model.Request{Messages: []model.Message{
			{Role: model.User, Text: "what is in the picture", Images: []model.Image{{Type: "image/png", Data: []byte("\x89PNG")}}},
		}}, "A picture.", model.Done},
		{"reasoning is left out", ask("think first"), "Thought.", model.Done},
		{"the length is reached", ask("go on for ever"), "And on", model.Length},
		{"the provider cuts the reply", ask("say what may not be said"), "No", model.Filtered},
	} {
		t.Run(c.name, func(t *testing.T) {
			if a := Read(t, m.Stream(t.Context(), c.r)); a.Text != c.text || a.End != c.end {
				t.Errorf("got %v", a)
			}
		})
	}
	for _, c := range []struct {
		name, message string
		kind          model.Kind
		text          string
		wait          time.Duration
	}{
		{"a limit on requests", "be busy", model.Busy, "", 7 * time.Second},
		{"an unknown model", "be another model", model.UnknownModel, "", 0},
		{"a conversation that is too long", "be too long", model.TooLong, "", 0},
		{"an error of its own", "fail", model.Unavailable, "", 0},
		{"a request that is dropped", "drop this", model.Unavailable, "", 0},
		{"an answer that makes no sense", "make no sense", model.Broken, "", 0},
		{"a connection that is closed", "hang up", model.Unavailable, "", 0},
		{"a stream that is cut", "break off", model.Broken, "This is", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Read(t, m.Stream(t.Context(), ask(c.message)))
			if strings.HasPrefix(a.Text, c.text) {
				a.Text = c.text // how much of it comes is the emulator's
			}
			fails(t, a, c.kind, c.text)
			if a.Err.Wait != c.wait {
				t.Errorf("waits %v", a.Err.Wait)
			}
		})
	}
	t.Run("another key is refused", func(t *testing.T) {
		fails(t, Read(t, p.New(address, "sk-another").Stream(t.Context(), ask("say hello"))), model.BadKey, "")
	})
	t.Run("a stream that stalls is given up", func(t *testing.T) {
		slow := model.Watch(m, 100*time.Millisecond, 100*time.Millisecond)
		a := Read(t, slow.Stream(t.Context(), ask("be slow")))
		fails(t, a, model.Stalled, a.Text)
	})
}
