package episode

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	catalogue "github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/internal/store"
)

// A Finder finds episodes.
type Finder struct {
	Store *store.Store

	// Leave tells which messages are not talk; see Archivist.
	Leave func(text string) bool
}

var _ catalogue.Episodes = Finder{}

const (
	mostWords   = 12     // of a question that are looked for
	mostWith    = 500    // episodes with a word that are looked at, the latest
	mostFound   = 5      // episodes that a model is told of
	mostQuoted  = 5      // lines of each
	quoteLength = 240    // characters of a line
	many        = 10_000 // of which a word is said in some
)

// A Match is an episode that was found.
type Match struct {
	store.Episode
	Lines []string // in which words of the question stand
}

// Search returns the episodes of a scope that have most of the words of a question, the best
// first, of equals the latest. A rare word counts more than a frequent one.
func (f Finder) Search(ctx context.Context, in store.Scope, question string, most int) ([]Match, error) {
	asked := words(question)
	slices.SortStableFunc(asked, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // long ones say more
	asked = asked[:min(len(asked), mostWords)]
	scores := map[int64]float64{}
	for _, w := range asked {
		with, err := f.Store.EpisodesWith(ctx, in, w, mostWith)
		if err != nil {
			return nil, err
		}
		for _, id := range with {
			scores[id] += math.Log(1 + many/float64(len(with)))
		}
	}
	var ids []int64
	for id := range scores {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int64) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(b, a)) })
	episodes, err := f.Store.EpisodesByID(ctx, in, ids[:min(len(ids), most)])
	if err != nil {
		return nil, err
	}
	var all []Match
	for _, e := range episodes {
		m := Match{Episode: e}
		if m.Lines, err = f.lines(ctx, e, asked); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// lines are those of an episode with most of the words, in the order in which they were said.
func (f Finder) lines(ctx context.Context, e store.Episode, asked []string) ([]string, error) {
	said, err := f.Store.Said(ctx, e.Session, e.First-1, e.Last+1, mostMessages)
	if err != nil {
		return nil, err
	}
	type line struct {
		text   string
		at, of int // where it stands, how many words it has
	}
	var all []line
	for _, one := range talk(said, f.Leave) {
		for _, by := range [][2]string{{one.Name, one.Text}, {"Assistant", one.Answer}} {
			for text := range strings.SplitSeq(by[1], "\n") {
				if of, first := shared(text, asked); of > 0 {
					all = append(all, line{by[0] + ": " + around(text, first), len(all), of})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b line) int { return cmp.Compare(b.of, a.of) })
	all = all[:min(len(all), mostQuoted)]
	slices.SortFunc(all, func(a, b line) int { return cmp.Compare(a.at, b.at) })
	var texts []string
	for _, one := range all {
		texts = append(texts, one.text)
	}
	return texts, nil
}

// shared is how many of the words asked for a text has, and where the first of them stands.
func shared(text string, asked []string) (n, first int) {
	has := map[string]bool{}
	first = -1
	at := 0
	for word := range strings.FieldsFuncSeq(text, apart) {
		at += strings.Index(text[at:], word)
		lower := strings.ToLower(word)
		for _, w := range asked {
			if lower == w || store.Begins(w) && strings.HasPrefix(lower, w) {
				has[w] = true
				if first < 0 {
					first = at
				}
			}
		}
		at += len(word)
	}
	return len(has), max(first, 0)
}

// around is the part of a line about a place.
func around(line string, at int) string {
	before := []rune(line[:at])
	if len(before) <= quoteLength/2 {
		return cut(strings.TrimSpace(line), quoteLength)
	}
	return "…" + cut(string(before[len(before)-quoteLength/3:])+line[at:], quoteLength)
}

// words are those of a text, each once.
func words(text string) (all []string) {
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), apart) {
		if !slices.Contains(all, w) && len(all) < 100 {
			all = append(all, w)
		}
	}
	return all
}

func apart(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

// SearchEpisodes implements catalogue/memory.Episodes. Where others read along, it finds
// what was said there and nothing else.
func (f Finder) SearchEpisodes(ctx context.Context, person, room string, direct bool, query string) ([]catalogue.Episode, error) {
	in := store.Scope{Person: person}
	if !direct {
		in = store.Scope{Session: room}
	}
	found, err := f.Search(ctx, in, query, mostFound)
	var all []catalogue.Episode
	for _, m := range found {
		all = append(all, catalogue.Episode{Date: m.Began.Format("2006-01-02 15:04 UTC"), Room: m.Session, Summary: m.Summary, Lines: m.Lines})
	}
	return all, err
}
