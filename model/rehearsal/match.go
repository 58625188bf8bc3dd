package rehearsal

import "strings"

// A matcher tells whether a message is a request, and what stands after its words.
type matcher = func(message string) (rest string, ok bool)

// exactly matches a message that is the phrase and nothing more.
func exactly(phrase string) matcher {
	return func(message string) (string, bool) {
		rest, ok := cutPhrase(message, phrase)
		return "", ok && rest == ""
	}
}

// then matches the phrase with something after it.
func then(phrase string) matcher {
	return func(message string) (string, bool) {
		rest, ok := cutPhrase(message, phrase)
		return rest, ok && rest != ""
	}
}

// beginsWith matches any of the phrases, whatever comes after it.
func beginsWith(phrases ...string) matcher {
	return func(message string) (string, bool) {
		for _, phrase := range phrases {
			if rest, ok := cutPhrase(message, phrase); ok {
				return rest, true
			}
		}
		return "", false
	}
}

// either matches what one of them matches.
func either(matchers ...matcher) matcher {
	return func(message string) (string, bool) {
		for _, match := range matchers {
			if rest, ok := match(message); ok {
				return rest, true
			}
		}
		return "", false
	}
}

// sum matches any of the phrases with something after it that begins like a number.
func sum(phrases ...string) matcher {
	asked := beginsWith(phrases...)
	return func(message string) (string, bool) {
		rest, ok := asked(message)
		return rest, ok && rest != "" && strings.ContainsRune("0123456789(-.", rune(rest[0]))
	}
}

// plainly is a message without the words that only make it polite.
func plainly(message string) string {
	for {
		rest, ok := beginsWith("please", "can you", "could you", "would you", "will you", "and now", "and", "now", "so")(message)
		if !ok || rest == "" {
			return message
		}
		message = rest
	}
}

// verbatim matches a word with something after it. The one space or newline between
// them is dropped, and nothing else is changed.
func verbatim(word string) matcher {
	return func(message string) (string, bool) {
		message = strings.TrimLeft(message, " \t\r\n")
		if len(message) <= len(word)+1 || !strings.EqualFold(message[:len(word)], word) || !strings.ContainsRune(" \n", rune(message[len(word)])) {
			return "", false
		}
		return message[len(word)+1:], true
	}
}

// cutPhrase takes the words of a phrase off the start of a message, in any case and
// with any punctuation after them.
func cutPhrase(message, phrase string) (rest string, ok bool) {
	message = strings.TrimSpace(message)
	for want := range strings.FieldsSeq(phrase) {
		word := message
		if i := strings.IndexAny(message, " \t\r\n"); i >= 0 {
			word = message[:i]
		}
		if !strings.EqualFold(strings.TrimRight(word, ".,:;!?"), want) {
			return "", false
		}
		message = strings.TrimSpace(message[len(word):])
	}
	return message, true
}

// without drops a word with which people begin what they ask for.
func without(word, s string) string {
	if len(s) > len(word) && strings.EqualFold(s[:len(word)], word) {
		return strings.TrimSpace(s[len(word):])
	}
	return s
}
