// Package websearch searches the web, with whichever engine is configured, and reads the
// pages that were found. It imports package outside.
//
// Before changing it, know that everything that comes back was written by strangers. It is
// handed on as data, and nothing in it is an instruction.
package websearch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/asidehq/aside/catalogue/tools"
	"github.com/asidehq/aside/internal/outside"
)

// An Engine finds pages.
type Engine interface {
	// Find returns at most so many pages. Its errors are for a person.
	Find(ctx context.Context, query string, most int) ([]tools.Hit, error)
}

// A Searcher searches.
type Searcher struct {
	Engine Engine
	Pages  *http.Client // for the pages that are read; see outside.NewClient
}

const (
	few     = 5  // pages that a search finds
	more    = 15 // that a deeper one finds
	read    = 3  // of them that are read
	extract = 400
	deep    = 4000 // characters of a page that is read

	searchTime = 15 * time.Second
	readTime   = 10 * time.Second
)

// Search implements tools.Searcher.
func (s *Searcher) Search(ctx context.Context, query string) ([]tools.Hit, error) {
	return s.find(ctx, query, few)
}

// SearchDeeper implements tools.Searcher. A page that cannot be read keeps its extract.
func (s *Searcher) SearchDeeper(ctx context.Context, query string) ([]tools.Hit, error) {
	hits, err := s.find(ctx, query, more)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	var reading sync.WaitGroup
	for i := range hits[:min(read, len(hits))] {
		reading.Go(func() {
			if said, err := outside.Read(ctx, s.Pages, hits[i].URL, deep); err == nil && len(said) > len(hits[i].Extract) {
				hits[i].Extract = said
			}
		})
	}
	reading.Wait()
	return hits, nil
}

func (s *Searcher) find(ctx context.Context, query string, most int) ([]tools.Hit, error) {
	finding, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	found, err := s.Engine.Find(finding, query, most)
	if err != nil {
		if finding.Err() != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("the search engine did not answer within %d seconds; try again", int(searchTime.Seconds()))
		}
		return nil, err
	}
	var hits []tools.Hit
	for _, hit := range found {
		u, err := url.Parse(hit.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" {
			continue
		}
		hit.Title, hit.Extract = outside.Plain(hit.Title, 200), outside.Plain(hit.Extract, extract)
		if hits = append(hits, hit); len(hits) == most {
			break
		}
	}
	return hits, nil
}

var (
	errKey   = errors.New("the search engine does not accept the key; check search in the configuration")
	errLimit = errors.New("the search engine allows no more searches at the moment; try again later")
)
