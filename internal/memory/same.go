package memory

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/asidehq/aside/internal/store"
)

// Two facts are the same where one says everything that the other does: the same words, in
// whatever form and order, without the small ones. A number, a name or a "not" that only one
// of them has makes them two, and where the words differ at all nobody can know which of them
// matters.

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

// meaning are the words of a text that matter, and those that turn it round.
func meaning(text string) (words, denied map[string]bool) {
	words, denied = map[string]bool{}, map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\''
	}) {
		w = strings.Trim(strings.TrimSuffix(w, "'s"), "'")
		switch {
		case w == "" || small[w]:
		case denials[w]:
			denied[w] = true
			words[w] = true
		default:
			words[stem(w)] = true
		}
	}
	return words, denied
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
	was, wasDenied := meaning(old)
	is, isDenied := meaning(new)
	switch {
	case len(was) == 0 || len(is) == 0, !maps.Equal(wasDenied, isDenied):
		return "", strings.EqualFold(old, new) && old != ""
	case within(was, is):
		return new, true
	case within(is, was):
		return old, true
	}
	return "", false
}

// within tells whether all words of one are among another's.
func within(part, whole map[string]bool) bool {
	for w := range part {
		if !whole[w] {
			return false
		}
	}
	return true
}

// leastWords is how many words a fact needs to stand for a longer one: of a single word
// nobody knows what is said about it.
const leastWords = 2

// duplicate is the fact that says the same as a text, and what both say together.
func duplicate(facts []store.Fact, text string) (*store.Fact, string) {
	for _, f := range slices.Backward(facts) {
		merged, same := merge(f.Text, text)
		if !same {
			continue
		}
		was, _ := meaning(f.Text)
		is, _ := meaning(text)
		if !maps.Equal(was, is) && min(len(was), len(is)) < leastWords {
			continue
		}
		if merged == "" {
			merged = text
		}
		return &f, merged
	}
	return nil, ""
}

// Shared is how many of the words of a text that matter another one has, and how many there
// are.
func Shared(text, of string) (n, all int) {
	asked, _ := meaning(of)
	words, _ := meaning(text)
	for w := range asked {
		if words[w] {
			n++
		}
	}
	return n, len(asked)
}
