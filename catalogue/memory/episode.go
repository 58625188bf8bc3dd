package memory

import (
	"context"

	"github.com/asidehq/aside/action"
)

// Episodes are conversations that have ended.
type Episodes interface {
	// SearchEpisodes finds those with the words of a query, the best first: in a direct chat
	// those that the person took part in, elsewhere those of the room.
	SearchEpisodes(ctx context.Context, person, room string, direct bool, query string) ([]Episode, error)
}

// An Episode is what was found of one.
type Episode struct {
	Date    string   `json:"date"`
	Room    string   `json:"room"`
	Summary string   `json:"summary"`
	Lines   []string `json:"lines,omitempty"` // with words of the query
}

type searchArgs struct {
	Query string `arg:"query,argument,text" min:"1" max:"500" doc:"words that were said then"`
}

// SearchEpisodes is the action that finds past conversations.
func SearchEpisodes(episodes Episodes) *action.Spec {
	return action.Define(action.Spec{
		Name: "searchEpisodes", Category: category, Signals: []string{"SEARCH_EPISODIC"},
		Description: "Look through past conversations: in a direct chat those of the person you talk with, elsewhere those of the room.",
		Example:     `{"type":"searchEpisodes","query":"flight to Oslo"}`,
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, args searchArgs) action.Outcome {
		found, err := episodes.SearchEpisodes(ctx, owner(c), c.Platform+"/"+c.Room, c.Direct, args.Query)
		switch {
		case err != nil:
			return action.Fail("could not look it up: past conversations cannot be read at the moment; try again later")
		case len(found) == 0:
			return action.Done("no past conversation has any of these words")
		case len(found) == 1:
			return action.Found(found, "1 past conversation")
		}
		return action.Found(found, "%d past conversations, the best first", len(found))
	})
}
