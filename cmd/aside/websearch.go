package main

import (
	"net/http"
	"time"

	"github.com/asidehq/aside/catalogue/tools"
	"github.com/asidehq/aside/internal/config"
	public "github.com/asidehq/aside/internal/outside"
	"github.com/asidehq/aside/internal/websearch"
)

// pageTime is how long a page that was found may take.
const pageTime = 8 * time.Second

// newSearcher searches the web with what is configured, nil if nothing is.
func newSearcher(c *config.Config) tools.Searcher {
	var engine websearch.Engine
	client := &http.Client{} // the operator has said where it goes; each search has its own time
	switch s := c.Search; {
	case s.SearXNG.Set():
		engine = websearch.SearXNG{URL: s.SearXNG.Reveal(), Client: client}
	case s.Brave != nil:
		engine = websearch.Brave{URL: s.Brave.APIURL.Reveal(), Key: s.Brave.APIKey.Reveal(), Client: client}
	case s.Tavily != nil:
		engine = websearch.Tavily{URL: s.Tavily.APIURL.Reveal(), Key: s.Tavily.APIKey.Reveal(), Client: client}
	default:
		return nil
	}
	return &websearch.Searcher{Engine: engine, Pages: public.NewClient(public.Options{Timeout: pageTime})}
}
