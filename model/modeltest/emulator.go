package modeltest

import (
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/wiretest"
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
	return wiretest.StartEmulator(t, "model/modeltest/testdata/emulator", "@copilotkit/aimock", Key)
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
