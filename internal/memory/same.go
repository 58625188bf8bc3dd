package memory

import (
	"slices"
	"strings"
	"unicode"

	"github.com/asidehq/aside/internal/store"
)

// Two facts are the same where one says everything that the other does: the same words, in
// whatever form and in the same order, without the small ones. A number, a name or a "not" that
// only one of them has makes them two, and so does another order: "Tom is taller than Ann".
// Where the words differ at all nobody can know which of them matters.

// small words say nothing by themselves.
var small = set("a an the is are am was were be been being do does did has have had of in on at to for with from by and or that this these those it its i you he she they we my your his her their our me him them us as so very really also person user")

// denials turn a sentence round.
var denials = set("not no never nor none neither without cannot can't don't doesn't didn't isn't aren't wasn't won't wouldn't shouldn't hasn't haven't stopped quit dislikes dislike hates hate")

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
}

// meaning are the words of a text that matter, in order.
func meaning(text string) (words []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\''
	}) {
		w = strings.Trim(strings.TrimSuffix(w, "'s"), "'")
		switch {
		case w == "" || small[w]:
		case denials[w]:
			words = append(words, w)
		default:
			words = append(words, stem(w))
		}
	}
	return words
}

// denied are the words among some that turn a sentence round.
func denied(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !denials[w] })
}

// stem takes off the endings that change least.
func stem(w string) string {
	for _, ending := range []string{"ies", "es", "s"} {
		if rest, ok := strings.CutSuffix(w, ending); ok && len(rest) >= 3 && !strings.HasSuffix(rest, "s") {
			if ending == "ies" {
				return rest + "y"
			}
			return strings.TrimSuffix(rest, "e")
		}
	}
	return strings.TrimSuffix(w, "e")
}

// merge is the text that says what two say, where one of them does: the second if they say
// the same.
func merge(old, new string) (text string, same bool) {
	was, is := meaning(old), meaning(new)
	switch {
	case len(was) == 0 || len(is) == 0, !slices.Equal(denied(was), denied(is)):
		return new, strings.EqualFold(old, new)
	case within(was, is):
		return new, true
	case within(is, was):
		return old, true
	}
	return "", false
}

// within tells whether all words of one are among another's, in their order.
func within(part, whole []string) bool {
	for _, w := range whole {
		if len(part) > 0 && part[0] == w {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// leastWords is how many words a fact needs to stand for a longer one: of a single word
// nobody knows what is said about it.
const leastWords = 2

// duplicate is the fact that says the same as a text, and what both say together.
func duplicate(facts []store.Fact, text string) (*store.Fact, string) {
	is := meaning(text)
	for _, f := range slices.Backward(facts) {
		merged, same := merge(f.Text, text)
		was := meaning(f.Text)
		if same && (slices.Equal(was, is) || min(len(was), len(is)) >= leastWords) {
			return &f, merged
		}
	}
	return nil, ""
}

// Shared is how many of the words of a text that matter another one has, and how many there
// are.
func Shared(text, of string) (n, all int) {
	words := meaning(text)
	asked := slices.Compact(slices.Sorted(slices.Values(meaning(of))))
	for _, w := range asked {
		if slices.Contains(words, w) {
			n++
		}
	}
	return n, len(asked)
}
