package extract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asidehq/aside/extract"
)

// The cases under testdata read by eye: a name, a reply, and what is expected of
// it. testdata/README says how they are written.

type corpusCase struct {
	name   string
	config extract.Config
	reply  []byte
	want   outcome
}

// An outcome is what a reply comes to, in a form that can be compared and printed.
type outcome struct {
	text, reasoning string
	actions         []string
	controls        []string
	problems        []string
}

func (o outcome) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "text      %q\n", o.text)
	if o.reasoning != "" {
		fmt.Fprintf(&b, "reasoning %q\n", o.reasoning)
	}
	for _, a := range o.actions {
		fmt.Fprintf(&b, "action    %s\n", a)
	}
	for _, c := range o.controls {
		fmt.Fprintf(&b, "control   %s\n", c)
	}
	for _, p := range o.problems {
		fmt.Fprintf(&b, "problem   %s\n", p)
	}
	return b.String()
}

// outcomeOf reads a reply in chunks of the given sizes, over and over.
func outcomeOf(r *extract.Reader, reply []byte, sizes ...int) outcome {
	var result extract.Result
	for i := 0; len(reply) > 0; i++ {
		n := min(len(reply), sizes[i%len(sizes)])
		// The chunk is overwritten afterwards: nothing may refer to it.
		chunk := bytes.Clone(reply[:n])
		for e := range r.Feed(chunk) {
			result.Add(e)
		}
		for i := range chunk {
			chunk[i] = '#'
		}
		reply = reply[n:]
	}
	for e := range r.End() {
		result.Add(e)
	}
	r.Reset()
	return summarise(result)
}

func summarise(result extract.Result) outcome {
	o := outcome{text: string(result.Text), reasoning: string(result.Reasoning)}
	for _, a := range result.Actions {
		o.actions = append(o.actions, a.Dialect.String()+" "+a.Name+" "+canonical(a.Args))
	}
	for _, c := range result.Controls {
		o.controls = append(o.controls, c.Name)
	}
	slices.SortStableFunc(result.Problems, func(a, b extract.Event) int { return a.Pos - b.Pos })
	for _, p := range result.Problems {
		o.problems = append(o.problems, fmt.Sprintf("%s %s %q", p.Name, p.Dialect, p.Raw))
	}
	return o
}

// canonical is JSON with its members in order.
func canonical(raw []byte) string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "not JSON: " + string(raw)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

func TestCorpus(t *testing.T) {
	count := 0
	for _, c := range corpus(t) {
		count++
		t.Run(c.name, func(t *testing.T) {
			r := extract.New(c.config)
			random := rand.New(rand.NewPCG(1, uint64(len(c.reply))))
			cuts := [][]int{{1 << 30}, {1}, {2}, {3}, {4}, {7}}
			for range 20 {
				var sizes []int
				for range 16 {
					sizes = append(sizes, 1+random.IntN(12))
				}
				cuts = append(cuts, sizes)
			}
			for _, sizes := range cuts {
				got := outcomeOf(r, c.reply, sizes...)
				if !reflect.DeepEqual(got, c.want) {
					t.Fatalf("reply %q in chunks of %v\n\ngot\n%v\nwant\n%v", c.reply, sizes, got, c.want)
				}
			}
		})
	}
	if count < 250 {
		t.Errorf("there are %d cases, at least 250 are promised", count)
	}
}

// corpus reads every case under testdata.
func corpus(t testing.TB) []corpusCase {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases under testdata: %v", err)
	}
	var cases []corpusCase
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		topic := strings.TrimSuffix(filepath.Base(file), ".txt")
		for block := range strings.SplitSeq("\n"+strings.TrimSuffix(string(b), "\n"), "\n=== ") {
			if block == "" {
				continue
			}
			name, body, _ := strings.Cut(block, "\n")
			c, err := readCase(body)
			if err != nil {
				t.Fatalf("%s: %s: %v", file, name, err)
			}
			c.name = topic + "/" + name
			cases = append(cases, c)
		}
	}
	return cases
}

func readCase(body string) (corpusCase, error) {
	var c corpusCase
	seen := false
	for section := range strings.SplitSeq("\n"+strings.TrimRight(body, "\n"), "\n--- ") {
		if section == "" {
			continue
		}
		head, content, _ := strings.Cut(section, "\n")
		words := strings.Fields(head)
		if words[len(words)-1] == "quoted" {
			words = words[:len(words)-1]
			var err error
			if content, err = unquote(content); err != nil {
				return c, err
			}
		}
		switch words[0] {
		case "reply":
			c.reply, seen = []byte(content), true
		case "text":
			c.want.text = content
		case "reasoning":
			c.want.reasoning = content
		case "action":
			c.want.actions = append(c.want.actions, words[1]+" "+strings.Join(words[2:], " ")+" "+canonical([]byte(content)))
		case "control":
			c.want.controls = append(c.want.controls, words[1])
		case "problem":
			c.want.problems = append(c.want.problems, fmt.Sprintf("%s %s %q", words[1], words[2], content))
		case "dialects":
			d, err := extract.ParseDialects(words[1])
			if err != nil {
				return c, err
			}
			c.config.Dialects = d
		case "limit":
			n, err := strconv.Atoi(words[1])
			if err != nil {
				return c, err
			}
			c.config.Limit = n
		case "visible-signals":
			c.config.VisibleSignals = true
		default:
			return c, fmt.Errorf("no section is called %q", words[0])
		}
	}
	if !seen {
		return c, fmt.Errorf("there is no reply")
	}
	return c, nil
}

func unquote(lines string) (string, error) {
	var b strings.Builder
	for line := range strings.SplitSeq(lines, "\n") {
		s, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			return "", fmt.Errorf("%s: %w", line, err)
		}
		b.WriteString(s)
	}
	return b.String(), nil
}
