package discord

import (
	"context"
	"slices"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// disgo does not know the search, which bots may use since 2025.
var searchMessages = rest.NewEndpoint("GET", "/guilds/{guild.id}/messages/search")

const (
	mostHits   = 25   // in an answer
	mostRooms  = 500  // in a question
	mostOffset = 9975 // further Discord does not look
)

// Search implements platform.Searcher. Discord looks where the bot may; what the person
// may not read is neither asked for nor let through.
func (d *Discord) Search(ctx context.Context, in platform.Room, person string, search platform.Search) ([]platform.Message, error) {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return nil, err
	}
	visible, err := d.visible(ctx, in, person, viewChannel|readHistory)
	if err != nil {
		return nil, err
	}
	allowed := map[snowflake.ID]bool{}
	opts := []rest.RequestOpt{rest.WithQueryParam("content", search.Text), rest.WithQueryParam("sort_by", "timestamp"), rest.WithQueryParam("sort_order", "desc")}
	for _, c := range visible {
		if c.Type == categoryChannel || search.Room.ID != "" && c.ID.String() != search.Room.ID {
			continue
		}
		allowed[c.ID] = true
		if len(allowed) <= mostRooms {
			opts = append(opts, rest.WithQueryParam("channel_id", c.ID))
		}
	}
	if len(allowed) == 0 {
		return nil, platform.Refuse("there is no room here that this person may read")
	}
	if !search.Before.IsZero() {
		opts = append(opts, rest.WithQueryParam("max_id", snowflake.New(search.Before)))
	}
	if !search.After.IsZero() {
		opts = append(opts, rest.WithQueryParam("min_id", snowflake.New(search.After)))
	}
	var found []message
	for page := range max(search.Pages, 1) {
		offset := page * mostHits
		if offset > mostOffset || len(found) >= search.Most {
			break
		}
		p, err := d.hits(ctx, guild, append(slices.Clone(opts), rest.WithQueryParam("offset", offset), rest.WithQueryParam("limit", mostHits)))
		if err != nil {
			return nil, err
		}
		for _, t := range p.Threads {
			// One that is archived is not among the visible ones, but inherits.
			if t.Type != privateThread && allowed[t.Parent] {
				allowed[t.ID] = true
			}
		}
		for _, m := range slices.Concat(p.Messages...) {
			if allowed[m.Channel] {
				found = append(found, m)
			}
		}
		if offset+mostHits >= p.Total {
			break
		}
	}
	return d.convertAll(ctx, found[:min(search.Most, len(found))], guild)
}

// hits is a page of what was found.
type hits struct {
	Total    int         `json:"total_results"`
	Messages [][]message `json:"messages"`
	Threads  []channel   `json:"threads"` // that some of them stand in
}

func (d *Discord) hits(ctx context.Context, guild snowflake.ID, opts []rest.RequestOpt) (hits, error) {
	var page hits
	err := d.call(ctx, searchMessages.Compile(nil, guild), nil, &page, opts...)
	if is(err, indexing) {
		err = &platform.Problem{Outcome: platform.Failed, Reason: "Discord is still preparing the search on this server: try again in a minute"}
	}
	return page, err
}

// indexing is Discord's code for a search that is not ready.
const indexing = 110000
