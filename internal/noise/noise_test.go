package noise

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCleanTakesOutWhatProgramsPrintAboutTheirWork(t *testing.T) {
	long := strings.Repeat("x", 60)
	tests := []struct{ name, reply, want string }{
		// What a filter must not eat.
		{"Yes.", "Yes.", "Yes."},
		{"No", "No", "No"},
		{"a number", "42", "42"},
		{"a result with a sign", "✅ Tests: 12 passed", "✅ Tests: 12 passed"},
		{"a price", "Total cost: $420", "Total cost: $420"},
		{"tokens as a subject", "Tokens: they are what a text is cut into.", "Tokens: they are what a text is cut into."},
		{"a quotation", "> Running is healthy.\n\nSo he said.", "> Running is healthy.\n\nSo he said."},
		{"a list", "- one\n- two\n\n• three", "- one\n- two\n\n• three"},
		{"a link at the beginning", "[tools](https://example.com) are here", "[tools](https://example.com) are here"},
		{"an answer behind a bullet of a program", "⏺ The answer (maybe) is 42.", "⏺ The answer (maybe) is 42."},
		{"a note with a star", "✳ Note: closed on Monday", "✳ Note: closed on Monday"},
		{"a text in Braille", "⠓⠑⠇⠇⠕", "⠓⠑⠇⠇⠕"},
		{"nothing", "", ""},
		{"space", " \n", " \n"},

		// Noise around an answer.
		{"Yes. behind tools", "⏺ Bash(ls -la)\n  ⎿  README.md\n     main.go\n\nYes.", "Yes."},
		{"tools between texts", "First.\n\n⏺ Read(main.go)\n  ⎿  Read 50 lines\n\nSecond.", "First.\n\nSecond."},
		{"other words for tools", "[tool] ls\n[Tool: Bash]\n[tool_result] ok\n● Update(main.go)\n⏺ github - get_issue (MCP)(id: 1)\n42", "42"},
		{"spinners", "✻ Thinking…\n✶ Pondering... (12s · esc to interrupt)\n⠋ Loading model…\n✻ Churned for 45s\n42", "42"},
		{"a log with times", "[2025-05-01T12:00:00] exec bash -lc ls\n[2025-05-01T12:00:01] thinking\nIt is main.go.", "It is main.go."},
		{"what it has cost", long + "\n\nTokens: 2.1k sent, 1.0k received. Cost: $0.01 message, $0.02 session.", long + "\n"},
		{"what it may have cost", long + "\ntokens used: 1,234\nTotal cost:            $0.0021", long + "\n"},
		{"a quoted call", long + "\n> Running tests…\n" + long, long + "\n" + long},

		// Code is code.
		{"code", "```\n⏺ Bash(ls)\n\n\n  ⎿  x\n```\nThat is how it looks.", "```\n⏺ Bash(ls)\n\n\n  ⎿  x\n```\nThat is how it looks."},
		{"code below a tool", "⏺ Bash(ls)\n```\n✻ Thinking…\n```", "```\n✻ Thinking…\n```"},
		{"code that does not end", "~~~\n⎿ x", "~~~\n⎿ x"},
		{"code in code", "````\n```\n⎿ x\n```\n````\n⎿ y", "````\n```\n⎿ x\n```\n````\n"},

		// If little would be left.
		{"nothing but noise", "⏺ Bash(ls)\n  ⎿  README.md\n", "Done."},
		{"nothing but what may be noise", "Thinking…", "Thinking…"},
		{"little but what may be noise", "⎿ x\nTotal cost:            $0.0021\nTotal code changes:    0 lines added, 0 lines removed\nOK", "Total cost:            $0.0021\nTotal code changes:    0 lines added, 0 lines removed\nOK"},
	}
	for _, test := range tests {
		if got := Clean(test.reply); got != test.want {
			t.Errorf("%s: %q\nbecomes %q\nwant    %q", test.name, test.reply, got, test.want)
		}
	}
}

// replies are made of what matters to the rules.
func replies() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"⏺ Bash(ls)", "  ⎿  out", "     more", "      even more", "✻ Thinking…", "⠋ Loading…", "⠋ x", "[tool] x", "> Running tests…", "Thinking…",
		"Tokens: 1k sent, 2k received.", "Total cost:   $1", "tokens used: 12", "Yes.", "42", "A longer line of an answer, with words in it.",
		"```", "````go", "~~~", "", "", "  ", "· x…", "(12s · esc to interrupt)", "[2025-05-01T12:00:00] exec ls", "●", "⏺", "Total", "total cost", "é",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(piece, rapid.StringMatching(`[ a-zA-Z⏺⎿>.…\x60]{0,8}`)), 0, 12).Draw(t, "lines"), "\n")
	})
}

func TestCleaningOnlyLeavesLinesOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := replies().Draw(t, "reply")
		got := Clean(reply)
		if got == nothingElse && Lines(reply, Certain) != got {
			return
		}
		left := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		for _, line := range strings.Split(reply, "\n") {
			if len(left) > 0 && left[0] == line {
				left = left[1:]
			}
		}
		if len(left) > 0 && got != "" {
			t.Fatalf("%q becomes %q: %q is no line of it", reply, got, left[0])
		}
	})
}

func TestCleaningTwiceIsCleaningOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		once := Clean(replies().Draw(t, "reply"))
		if twice := Clean(once); twice != once {
			t.Fatalf("%q becomes %q", once, twice)
		}
	})
}

func TestCleaningLeavesSomethingOfEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := replies().Draw(t, "reply")
		if strings.TrimSpace(reply) != "" && strings.TrimSpace(Clean(reply)) == "" {
			t.Fatalf("nothing is left of %q", reply)
		}
	})
}

func TestCleaningNeverTouchesCode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inside := strings.ReplaceAll(strings.ReplaceAll(replies().Draw(t, "code"), "`", "'"), "~", "-")
		code := "```\n" + inside + "\n```\n"
		before := strings.ReplaceAll(strings.ReplaceAll(replies().Draw(t, "before"), "`", "'"), "~", "-")
		if got := Clean(before + "\n" + code + "⎿ x"); !strings.Contains(got, code) {
			t.Fatalf("the code %q is not in %q", code, got)
		}
	})
}

func TestEveryRuleBeginsAsTheStreamExpects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := replies().Filter(func(s string) bool { return !strings.Contains(s, "\n") }).Draw(t, "line")
		var r reading
		if r.next(line) == Text {
			return
		}
		var fresh reading
		for i := range line {
			if i > 0 && !fresh.undecided(line[:i]) {
				t.Fatalf("%q is noise, but is shown at %q", line, line[:i])
			}
		}
	})
}
