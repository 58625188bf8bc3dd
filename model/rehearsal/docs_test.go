package rehearsal_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/asidehq/aside/model/rehearsal"
)

var update = flag.Bool("update", false, "write docs/rehearsal.md")

const page = "../../docs/rehearsal.md"

func TestDocs(t *testing.T) {
	want := docs(t)
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/rehearsal.md is stale; run: go test ./model/rehearsal -run TestDocs -update")
	}
}

const intro = `# The rehearsal model

<!-- This page is written by a test from the table in model/rehearsal; do not edit it.
     go test ./model/rehearsal -run TestDocs -update -->

The rehearsal model needs no key and no network. It knows the requests below and
nothing else, and answers them with replies that carry real instructions, so that
everything can be tried offline. It is used when no model is configured, and says
what it is. The same request always gets the same reply.

Upper and lower case do not matter, nor does punctuation behind the words; ` + "`…`" + ` is
whatever you like. To anything else it answers with this list.

| say | and it |
|---|---|
`

const results = `
## Results

A message that begins with ` + "`[results]`" + ` carries what came of earlier actions. It is
summed up in one sentence without instructions, so that it leads to nothing further.

`

// docs is the page.
func docs(t *testing.T) string {
	var b strings.Builder
	b.WriteString(intro)
	for _, r := range rehearsal.Requests() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", r.Say, r.Does)
	}
	b.WriteString("\n## The replies, as the model writes them\n")
	for _, r := range rehearsal.Requests() {
		in := ""
		if r.Dialect != "" {
			in = ", in [" + r.Dialect + "](dialects.md#" + r.Dialect + ")"
		}
		fmt.Fprintf(&b, "\n### %s\n\n", r.Say)
		exchange(&b, r.Example, answer(t, r.Example), in)
	}
	b.WriteString(results)
	const message = "[results]\n- memoryShow: 2 notes\n- CALCULATE: 42"
	exchange(&b, message, answer(t, message), "")
	return b.String()
}

func exchange(b *strings.Builder, message, reply, in string) {
	fmt.Fprintf(b, "You say:\n\n%s\nThe reply%s:\n\n%s", block(message), in, block(shorten(reply)))
}

// block sets text apart. Indentation is used, because replies have fences.
func block(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) != "" {
			b.WriteString("    ")
		}
		b.WriteString(strings.TrimRight(line, "\n") + "\n")
	}
	return b.String()
}

// shorten leaves out most of a reply that would fill the page.
func shorten(s string) string {
	n := utf8.RuneCountInString(s)
	if n < 2000 {
		return s
	}
	first, _, _ := strings.Cut(s, "\n")
	return fmt.Sprintf("%s\n\n(and so on: %d characters in all)", first, n)
}
