package operator

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/asidehq/aside/internal/memory"
	"github.com/asidehq/aside/internal/store"
)

// A Fact is what is kept about a person.
type Fact struct {
	Person  string     `json:"person"` // platform/id
	Kind    string     `json:"kind"`
	Text    string     `json:"text"`
	Used    int        `json:"used"`   // how often it was of use
	Active  bool       `json:"active"` // if not, it had to make room
	Created time.Time  `json:"created"`
	Updated time.Time  `json:"updated"`
	Last    *time.Time `json:"last_used,omitempty"`
	Sources []string   `json:"sources"`

	// For one message.
	Chosen  bool    `json:"chosen,omitempty"` // it goes into the prompt
	Score   float64 `json:"score,omitempty"`
	Because string  `json:"because,omitempty"`
}

// A FactQuery says which facts: those of a person, those with some words, or those that a
// message of a person would have in its prompt, and those that it would not.
type FactQuery struct {
	Person string
	Words  string
	About  string // a message
}

// ErrWhose says that a message without a person is about nobody.
var ErrWhose = errors.New("say whose message it is, as platform/id")

// mostFacts is how many facts are shown at a time.
const mostFacts = 1000

// Facts returns what is kept about people: the latest first, the best first for words or a
// message.
func (l Local) Facts(ctx context.Context, q FactQuery) ([]Fact, error) {
	switch {
	case q.About != "" && q.Person == "":
		return nil, ErrWhose
	case q.About != "":
		return l.chosen(ctx, q)
	}
	var found []store.Fact
	var err error
	if q.Words != "" {
		found, err = l.Store.SearchFacts(ctx, q.Person, q.Words, mostFacts)
	} else {
		found, err = l.Store.EveryFact(ctx, q.Person, mostFacts)
	}
	all := []Fact{}
	for _, f := range found {
		if err != nil {
			break
		}
		var fact Fact
		if fact, err = l.fact(ctx, f); err == nil {
			all = append(all, fact)
		}
	}
	return all, err
}

func (l Local) chosen(ctx context.Context, q FactQuery) ([]Fact, error) {
	choices, err := (&memory.Memory{Store: l.Store, Now: l.Store.Now}).Choose(ctx, q.Person, q.About, memory.PromptTokens)
	if err != nil {
		return nil, err
	}
	all := []Fact{}
	for _, c := range choices {
		fact, err := l.fact(ctx, c.Fact)
		if err != nil {
			return nil, err
		}
		fact.Chosen, fact.Score, fact.Because = c.Chosen, c.Score, c.Because
		all = append(all, fact)
	}
	return all, nil
}

func (l Local) fact(ctx context.Context, f store.Fact) (Fact, error) {
	sources, err := l.Store.Sources(ctx, f.ID)
	shown := Fact{
		Person: f.Person, Kind: f.Kind, Text: f.Text, Used: f.Hits, Active: f.Active,
		Created: f.Created, Updated: f.Updated, Sources: append([]string{}, sources...),
	}
	if !f.Used.IsZero() {
		shown.Last = &f.Used
	}
	return shown, err
}

// Facts returns what is kept about people.
func (r Remote) Facts(ctx context.Context, q FactQuery) ([]Fact, error) {
	if q.About != "" && q.Person == "" {
		return nil, ErrWhose
	}
	page := struct{ Memory []Fact }{Memory: []Fact{}}
	err := r.ask(ctx, http.MethodGet, "/api/v1/memory?"+url.Values{"person": {q.Person}, "words": {q.Words}, "about": {q.About}}.Encode(), nil, &page)
	return page.Memory, err
}
