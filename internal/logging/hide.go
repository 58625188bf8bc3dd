package logging

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hidden stands where a secret stood.
const Hidden = "[hidden]"

// shortest is the length from which on a secret is hidden wherever it stands. A shorter
// one is hidden where it stands alone: inside of other words it is there by chance, and
// gaps in those would tell what it is.
const shortest = 8

// A Hider takes secrets out of texts, and whatever stands before the @ of a URL.
type Hider struct {
	long  *strings.Replacer
	short []string
}

// NewHider hides secrets, also where they are quoted or escaped.
func NewHider(secrets []string) *Hider {
	h := &Hider{}
	var long []string
	for _, secret := range secrets {
		for _, form := range forms(secret) {
			switch {
			case strings.Contains(Hidden, form): // among them ""
			case utf8.RuneCountInString(form) < shortest:
				h.short = append(h.short, form)
			default:
				long = append(long, form)
			}
		}
	}
	// One secret may begin with another.
	slices.SortFunc(long, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	var pairs []string
	for _, form := range slices.Compact(long) {
		pairs = append(pairs, form, Hidden)
	}
	h.long = strings.NewReplacer(pairs...)
	return h
}

// forms are the ways in which a secret gets into a text.
func forms(secret string) []string {
	quoted := strconv.Quote(secret)
	all := []string{secret, quoted[1 : len(quoted)-1], url.QueryEscape(secret), url.PathEscape(secret), url.UserPassword("", secret).String()[1:]}
	if encoded, err := json.Marshal(secret); err == nil {
		all = append(all, string(encoded[1:len(encoded)-1]))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// login is what stands before the @ of a URL.
var login = regexp.MustCompile(`://[^\s/?#"'<>]+@`)

// Text is a text without secrets.
func (h *Hider) Text(text string) string {
	text = h.long.Replace(text)
	for _, secret := range h.short {
		text = hideWord(text, secret)
	}
	if strings.Contains(text, "://") {
		text = login.ReplaceAllLiteralString(text, "://"+Hidden+"@")
	}
	return text
}

// hideWord hides a word where it stands alone.
func hideWord(text, word string) string {
	var b strings.Builder
	before, _ := utf8.DecodeRuneInString(word)
	after, _ := utf8.DecodeLastRuneInString(word)
	rest := text
	for {
		i := strings.Index(rest, word)
		if i < 0 {
			b.WriteString(rest)
			return b.String()
		}
		end := i + len(word)
		left, _ := utf8.DecodeLastRuneInString(text[:len(text)-len(rest)+i])
		right, _ := utf8.DecodeRuneInString(rest[end:])
		if inWord(before) && inWord(left) || inWord(after) && inWord(right) {
			_, size := utf8.DecodeRuneInString(rest[i:])
			end = i + size
			b.WriteString(rest[:end])
		} else {
			b.WriteString(rest[:i] + Hidden)
		}
		rest = rest[end:]
	}
}

func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
