package chat

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A terminal understands what a Screen writes and nothing else. Rows above its height
// cannot be reached any more.
type terminal struct {
	rows   []string
	at     int // the row of the cursor
	height int
	wrong  string
}

var sequence = regexp.MustCompile(`^\x1b\[([0-9]*)([AJm])`)

func (v *terminal) write(text string) {
	if v.rows == nil {
		v.rows = []string{""}
	}
	column := len(v.rows[v.at])
	for text != "" {
		if found := sequence.FindStringSubmatch(text); found != nil {
			n, _ := strconv.Atoi(found[1])
			switch found[2] {
			case "A":
				v.at -= n
				if v.at < 0 || len(v.rows)-v.at > v.height {
					v.wrong = "it goes above the screen"
					return
				}
			case "J":
				v.rows = v.rows[:v.at+1]
				v.rows[v.at] = v.rows[v.at][:column]
			}
			text = text[len(found[0]):]
			continue
		}
		switch text[0] {
		case '\r':
			column = 0
		case '\n':
			v.at++
			column = 0
			if v.at == len(v.rows) {
				v.rows = append(v.rows, "")
			}
		case '\x1b':
			v.wrong = fmt.Sprintf("an unknown sequence: %q", text)
			return
		default:
			if column != len(v.rows[v.at]) {
				v.wrong = "it writes over something"
				return
			}
			v.rows[v.at] += text[:1]
			column++
		}
		text = text[1:]
	}
}

func texts(rows []row) []string {
	var all []string
	for _, r := range rows {
		all = append(all, r.text)
	}
	return all
}

func TestWhatWasDrawnLastStandsAtTheEndOfTheTerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := &terminal{height: rapid.IntRange(2, 6).Draw(t, "height")}
		var out bytes.Buffer
		s := &Screen{Out: &out, Size: func() (int, int) { return 20, v.height }, Cursor: true, Colour: rapid.Bool().Draw(t, "colour")}
		line := rapid.Custom(func(t *rapid.T) row {
			return row{rapid.StringMatching(`[ab]{0,4}`).Draw(t, "text"), rapid.Bool().Draw(t, "dim")}
		})
		above := 0
		for range rapid.IntRange(1, 8).Draw(t, "draws") {
			rows := rapid.SliceOfN(line, 0, 8).Draw(t, "rows")
			s.draw(rows)
			v.write(out.String())
			out.Reset()
			if v.wrong != "" {
				t.Fatalf("drawing %v: %s", rows, v.wrong)
			}
			want := texts(rows)
			if len(want) == 0 {
				want = []string{""}
			}
			if len(v.rows) < len(want) || !slices.Equal(v.rows[len(v.rows)-len(want):], want) || v.at != len(v.rows)-1 {
				t.Fatalf("the terminal shows %q with the cursor in row %d, want %q at the end", v.rows, v.at, want)
			}
			if rapid.Bool().Draw(t, "end") {
				s.end()
				v.write(out.String())
				out.Reset()
				above = len(v.rows) - 1
			}
			if len(v.rows) < above {
				t.Fatal("what was ended was taken away")
			}
		}
	})
}

func TestOnlyWhatIsNewIsWritten(t *testing.T) {
	tests := []struct {
		name          string
		before, after []string
		want          string
	}{
		{"the text grows", []string{"Hello"}, []string{"Hello there"}, " there"},
		{"the text grows into further rows", []string{"a", "b"}, []string{"a", "bc", "d"}, "c\nd"},
		{"rows come below", []string{"a"}, []string{"a", "b"}, "\nb"},
		{"nothing changes", []string{"a"}, []string{"a"}, ""},
		{"a word goes to the next row", []string{"one tw"}, []string{"one", "two"}, "\r\x1b[Jone\ntwo"},
		{"the text was changed", []string{"a", "b", "c"}, []string{"a", "x"}, "\r\x1b[1A\x1b[Jx"},
		{"the text was taken away", []string{"a", "b"}, nil, "\r\x1b[1A\x1b[J"},
		{"an accent comes behind its letter", []string{"e"}, []string{"e\u0301"}, "\r\x1b[Je\u0301"},
		{"the change is out of reach", []string{"1", "2", "3", "4"}, []string{"x", "2", "3", "4"}, "\n↻ changed:\nx\n2\n3\n4"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			s := &Screen{Out: &out, Size: func() (int, int) { return 20, 4 }, Cursor: true}
			plain := func(texts []string) []row {
				var rows []row
				for _, text := range texts {
					rows = append(rows, row{text: text})
				}
				return rows
			}
			s.draw(plain(test.before))
			out.Reset()
			s.draw(plain(test.after))
			if got := out.String(); got != test.want {
				t.Errorf("wrote %q, want %q", got, test.want)
			}
		})
	}
}

func TestNoColour(t *testing.T) {
	for _, colour := range []bool{true, false} {
		var out bytes.Buffer
		s := &Screen{Out: &out, Size: func() (int, int) { return 20, 4 }, Cursor: true, Colour: colour}
		s.draw([]row{{"a", true}})
		if got := strings.Contains(out.String(), "\x1b["); got != colour {
			t.Errorf("with colour %t it wrote %q", colour, out.String())
		}
	}
}
