package guild

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type searchArgs struct {
	Query   string      `arg:"query,content" max:"1024" doc:"words to look for"`
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"the whole server if left out"`
	Limit   int         `arg:"limit" min:"1" max:"50" default:"25"`
	Before  string      `arg:"before" optional:"true" doc:"a date, or the id of a message"`
	After   string      `arg:"after" optional:"true" doc:"a date, or the id of a message"`
	Pages   int         `arg:"maxPages" min:"1" max:"10" default:"3" doc:"how far to look"`
}

// longestText is how many characters of a message a model reads.
const longestText = 300

// A hit is a message as a model reads it.
type hit struct {
	ID     string   `json:"id"`
	Room   string   `json:"channel"`
	Author string   `json:"author"`
	Person string   `json:"authorId"`
	At     string   `json:"at"`
	Text   string   `json:"text"`
	Files  []string `json:"files,omitempty"`
}

func searchMessages(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "searchMessages", Category: category,
		Description: "Search old messages in the channels that the person can see.",
		Example:     `{"type":"searchMessages","query":"invoice","channel":"general","after":"2026-01-31"}`,
		Query:       true, Repeatable: true,
		Right: action.Right(platform.ReadHistory),
	}, func(ctx context.Context, c action.Call, args searchArgs) action.Outcome {
		searcher, err := venue.Ability[platform.Searcher](platforms, c.Platform, "search messages")
		if err != nil {
			return action.Fail("%v", err)
		}
		search, failed := searchOf(ctx, platforms, c, args)
		if failed != nil {
			return *failed
		}
		found, err := searcher.Search(ctx, venue.Here(c), c.Person, search)
		if err != nil {
			return venue.Failed(err, "search the messages")
		}
		hits := hitsOf(found[:min(len(found), args.Limit)])
		return action.Found(hits, "%s with %q", venue.Count(len(hits), "message"), venue.Name(args.Query))
	})
}

// searchOf is what the arguments look for.
func searchOf(ctx context.Context, platforms venue.Platforms, c action.Call, args searchArgs) (platform.Search, *action.Outcome) {
	search := platform.Search{Text: args.Query, Most: args.Limit, Pages: args.Pages}
	fail := func(out action.Outcome) (platform.Search, *action.Outcome) { return search, &out }
	in := venue.Here(c)
	if args.Channel != "" {
		room, err := venue.Room(ctx, platforms, c, args.Channel)
		if err != nil {
			return fail(action.Fail("%v", err))
		}
		in = room
	}
	if args.Channel != "" || c.Direct {
		search.Room = in
	}
	for _, bound := range []struct {
		name, text string
		into       *time.Time
	}{{"before", args.Before, &search.Before}, {"after", args.After, &search.After}} {
		at, failed := boundOf(ctx, platforms, in, bound.name, bound.text)
		if failed != nil {
			return fail(*failed)
		}
		*bound.into = at
	}
	if !search.Before.IsZero() && !search.Before.After(search.After) {
		return fail(action.Fail("searchMessages: before is not later than after; nothing is in between"))
	}
	return search, nil
}

// boundOf is when a search begins or ends: a date, or when a message of the room was
// written.
func boundOf(ctx context.Context, platforms venue.Platforms, room platform.Room, name, text string) (time.Time, *action.Outcome) {
	at, ok := readTime(text)
	if ok || text == "" {
		return at, nil
	}
	wrong := action.Fail("searchMessages: %s is a date such as 2026-01-31, or the id of a message in the channel, got %q", name, venue.Clip(text, 50))
	historian, err := venue.Ability[platform.Historian](platforms, room.Platform, "read messages")
	if err != nil || !strings.ContainsAny(text, "0123456789") {
		return at, &wrong
	}
	m, err := historian.Message(ctx, room, text)
	var p *platform.Problem
	switch {
	case err == nil:
		return m.At, nil
	case errors.As(err, &p) && p.Outcome == platform.Refused:
		return at, &wrong
	}
	out := venue.Failed(err, "look up the message %s", venue.Clip(text, 50))
	return at, &out
}

func hitsOf(messages []platform.Message) []hit {
	hits := []hit{}
	for _, m := range messages {
		h := hit{ID: m.ID, Room: m.Room.ID, Author: venue.Name(m.Author.Name), Person: m.Author.ID, At: m.At.UTC().Format(time.RFC3339Nano), Text: venue.Clip(m.Text, longestText)}
		for _, f := range m.Files {
			h.Files = append(h.Files, platform.CleanName(f.Name))
		}
		hits = append(hits, h)
	}
	return hits
}
