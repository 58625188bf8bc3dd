package extract_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/asidehq/aside/extract"
)

// A writer makes up what an assistant might write. The same seed gives the same
// bytes, so that measurements can be compared.
type writer struct {
	bytes.Buffer
	rand *rand.Rand
}

func newWriter(seed uint64) *writer {
	return &writer{rand: rand.New(rand.NewPCG(seed, 20))}
}

var (
	// words are common ones, the commonest more than once.
	words = strings.Fields(`the the the a a of of to to and and in in is it that for on with as
		this be you you your can will we have when which from or if so by at not but then
		before after until each other more less first next last only also even still again
		server client message room channel thread reply request answer queue worker test
		file folder branch change review release version setting account button page list
		time minute week morning deadline meeting plan budget report draft question
		small large quick slow simple careful different important likely possible ready
		open close read write send start stop check keep move show find explain remember
		works needs takes makes means looks helps happens depends doesn't that's you'll`)

	// nearMisses look like the beginning of an instruction and are none.
	nearMisses = []string{
		"make it <b>bold</b> if you like",
		"the item is a[i] and the next one a[i+1]",
		"that holds as long as 3 < 5",
		"write to ada.lovelace@example.com or <grace@example.org>",
		"see [1] and [2] for the numbers",
		"a List<String> is enough here",
		"tick the box [x] once it is done",
		"use {braces} around the name",
	}
	codeSpans = []string{"`go test ./...`", "`config.yaml`", "`x[0] < y`", "`<actions>`", "`git log`", "`[SEARCH:…]`"}
	links     = []string{"[the guide](https://example.com/guide)", "[this issue](https://example.com/issues/42)", "https://example.com/a_b?c=d"}
	code      = []string{
		"```go\nfor i := 0; i < len(items); i++ {\n\tif items[i] != nil && counts[items[i].ID] < limit {\n\t\tout <- items[i]\n\t}\n}\n```\n\n",
		"```html\n<ul class=\"rooms\">\n  <li><a href=\"/room/1\">General</a></li>\n  <li><a href=\"/room/2\">Random</a></li>\n</ul>\n```\n\n",
		"```json\n{\"rooms\": [{\"id\": 1, \"tags\": [\"a\", \"b\"]}, {\"id\": 2, \"tags\": []}]}\n```\n\n",
	}
)

func (w *writer) pick(from []string) string { return from[w.rand.IntN(len(from))] }

// sentence writes a sentence, perhaps with something in it besides words.
func (w *writer) sentence(extra string) {
	n := 6 + w.rand.IntN(12)
	at := w.rand.IntN(n)
	for i := range n {
		word := w.pick(words)
		if i == 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		} else {
			w.WriteByte(' ')
		}
		w.WriteString(word)
		if i == at && extra != "" {
			w.WriteString(" " + extra)
		} else if i < n-1 && w.rand.IntN(9) == 0 {
			w.WriteByte(',')
		}
	}
	w.WriteByte('.')
}

// extra is what a sentence of a reply has besides words: mostly nothing.
func (w *writer) extra() string {
	switch w.rand.IntN(16) {
	case 0:
		return w.pick(nearMisses)
	case 1, 2:
		return w.pick(codeSpans)
	case 3:
		return w.pick(links)
	case 4:
		return "**" + w.pick(words) + "**"
	}
	return ""
}

func (w *writer) paragraph(extra func() string) {
	for range 2 + w.rand.IntN(4) {
		w.sentence(extra())
		w.WriteByte(' ')
	}
	w.Truncate(w.Len() - 1)
	w.WriteString("\n\n")
}

func (w *writer) list() {
	for range 3 + w.rand.IntN(3) {
		w.WriteString("- ")
		w.sentence(w.extra())
		w.WriteByte('\n')
	}
	w.WriteByte('\n')
}

// fill writes words until there are n bytes.
func (w *writer) fill(n int) {
	for w.Len() < n {
		w.WriteString(w.pick(words) + " ")
	}
	w.Truncate(n)
}

// realisticReply is a reply of n bytes, at least 1,000, with three instructions
// of different dialects in it, however long it is.
func realisticReply(n int) []byte {
	const (
		opening = "<actions><react emoji=\"eyes\"/></actions>\n"
		middle  = "Noted. [REMEMBER:prefers short answers, with examples]\n\n"
		closing = "\n\n<discord-action>{\"type\":\"threadCreate\",\"name\":\"Follow-up\",\"autoArchive\":60}</discord-action>\n"
	)
	w := newWriter(1)
	w.WriteString(opening)
	w.paragraph(w.extra)
	remembered := false
	// The largest piece is well below 800 bytes; what is left is filled with words.
	for w.Len() < n-len(closing)-800 {
		if !remembered && w.Len() > n/3 {
			w.WriteString(middle)
			remembered = true
		}
		switch w.rand.IntN(14) {
		case 0:
			w.WriteString(w.pick(code))
		case 1, 2:
			w.list()
		default:
			w.paragraph(w.extra)
		}
	}
	if !remembered {
		w.WriteString(middle)
	}
	w.fill(n - len(closing))
	w.WriteString(closing)
	return w.Bytes()
}

// prose is n bytes of paragraphs without anything special in them.
func prose(n int) []byte {
	w := newWriter(2)
	for w.Len() < n {
		w.paragraph(func() string { return "" })
	}
	w.Truncate(n)
	return w.Bytes()
}

// A fence or a span left open by mistake would turn the rest of a reply into
// code, and the benchmarks would measure something else.
func TestMadeUpRepliesAreWhatTheyShouldBe(t *testing.T) {
	for _, size := range sizes {
		t.Run(size.name, func(t *testing.T) {
			reply := realisticReply(size.bytes)
			result := extract.Read(extract.Config{}, reply)
			if len(reply) != size.bytes || len(result.Actions) != 3 || len(result.Problems) != 0 {
				t.Errorf("%d bytes, %d actions, %d problems; want %d, 3 and 0",
					len(reply), len(result.Actions), len(result.Problems), size.bytes)
			}
			plain := prose(size.bytes)
			if result := extract.Read(extract.Config{}, plain); !bytes.Equal(result.Text, plain) {
				t.Error("prose does not come back as it was")
			}
		})
	}
}
