package noise

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/model"
)

// chunks is a model that writes these, and then fails or ends.
type chunks struct {
	texts []string
	err   error
}

// again begins the text with which a reply begins again.
const again = "<again>"

func (c chunks) Stream(context.Context, model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		for _, text := range c.texts {
			text, again := strings.CutPrefix(text, again)
			if !yield(model.Delta{Text: text, Restart: again}, nil) {
				return
			}
		}
		if c.err != nil {
			yield(model.Delta{}, c.err)
			return
		}
		yield(model.Delta{End: model.Done}, nil)
	}
}

// read is what a model's reply comes to, everything that was to be seen on the way, and
// how it ended.
func read(m model.Model) (reply string, seen []string, err error) {
	for delta, failed := range m.Stream(context.Background(), model.Request{}) {
		if failed != nil {
			return reply, seen, failed
		}
		if delta.Restart {
			reply = ""
		}
		reply += delta.Text
		seen = append(seen, reply)
	}
	return reply, seen, nil
}

func TestAStreamIsCleanedToTheSameText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := replies().Draw(t, "reply")
		var texts []string
		for rest := reply; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			texts, rest = append(texts, rest[:n]), rest[n:]
		}
		got, seen, err := read(Filter(chunks{texts: texts}))
		if err != nil || got != Clean(reply) {
			t.Fatalf("%q becomes %q, want %q (%v)", texts, got, Clean(reply), err)
		}
		for i := range seen[:len(seen)-1] {
			if !strings.HasPrefix(seen[i+1], seen[i]) && i+1 < len(seen)-1 {
				t.Fatalf("of %q, %q was seen and then taken back", texts, seen[i])
			}
			for line := range strings.SplitSeq(seen[i], "\n") {
				if strings.HasPrefix(strings.TrimSpace(line), "⎿") && !strings.Contains(Clean(reply), line) {
					t.Fatalf("of %q, %q flashed by", texts, line)
				}
			}
		}
	})
}

func TestPlainTextIsShownAsItIsWritten(t *testing.T) {
	_, seen, _ := read(Filter(chunks{texts: []string{"The answer", " is", " 42. And"}}))
	if len(seen) < 3 || seen[0] != "The answer" || seen[1] != "The answer is" {
		t.Errorf("seen was %q", seen)
	}
}

func TestAReplyThatBreaksOffShowsWhatThereIs(t *testing.T) {
	broken := errors.New("broken")
	got, _, err := read(Filter(chunks{[]string{"⏺ Bash(ls)\n", "Half", " an answer\n> Half"}, broken}))
	if got != "Half an answer\n> Half" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAReplyThatBeginsAgainIsCleanedFromTheBeginning(t *testing.T) {
	got, _, err := read(Filter(chunks{texts: []string{"```\nHalf", again + "⎿ x\nWhole"}}))
	if got != "Whole" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
