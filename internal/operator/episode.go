package operator

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/asidehq/aside/internal/episode"
	"github.com/asidehq/aside/internal/store"
)

// An Episode is a conversation that has ended.
type Episode struct {
	Room     string    `json:"room"` // platform/id
	Direct   bool      `json:"direct"`
	Began    time.Time `json:"began"`
	Ended    time.Time `json:"ended"`
	Messages int       `json:"messages"`
	People   []string  `json:"people"` // platform/id
	Title    string    `json:"title"`
	Summary  string    `json:"summary"`
	Lines    []string  `json:"lines,omitempty"` // with the words that were searched for
}

// An EpisodeQuery says which episodes: those that a person took part in, those with some
// words, or both.
type EpisodeQuery struct {
	Person string
	Words  string
}

// mostEpisodes is how many episodes are shown at a time.
const mostEpisodes = 100

// Episodes returns conversations that have ended: the latest first, the best first for words.
func (l Local) Episodes(ctx context.Context, q EpisodeQuery) ([]Episode, error) {
	in := store.Scope{Person: q.Person}
	var found []episode.Match
	var err error
	if q.Words != "" {
		found, err = episode.Finder{Store: l.Store, Leave: l.Leave}.Search(ctx, in, q.Words, mostEpisodes)
	} else {
		var latest []store.Episode
		latest, err = l.Store.Episodes(ctx, in, mostEpisodes)
		for _, e := range latest {
			found = append(found, episode.Match{Episode: e})
		}
	}
	all := []Episode{}
	for _, m := range found {
		all = append(all, Episode{
			Room: m.Session, Direct: m.Direct, Began: m.Began, Ended: m.Ended, Messages: m.Messages,
			People: append([]string{}, m.People...), Title: m.Title, Summary: m.Summary, Lines: m.Lines,
		})
	}
	return all, err
}

// Episodes returns conversations that have ended.
func (r Remote) Episodes(ctx context.Context, q EpisodeQuery) ([]Episode, error) {
	page := struct{ Episodes []Episode }{Episodes: []Episode{}}
	err := r.ask(ctx, http.MethodGet, "/api/v1/episodes?"+url.Values{"person": {q.Person}, "words": {q.Words}}.Encode(), nil, &page)
	return page.Episodes, err
}
