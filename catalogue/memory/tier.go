package memory

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/asidehq/aside/action"
)

// Tiers are how much the model is told of what was said earlier: 1 is a line, 2 the
// beginning, 3 all of it.
type Tiers interface {
	// Raise says which earlier messages of a turn's conversation have the words of a text and
	// are not told in full. It returns ErrRaised if that was asked for the same message before.
	Raise(ctx context.Context, turn int64, level int, content string) ([]int64, error)
}

// ErrRaised says that the model has been told more about a message already.
var ErrRaised = errors.New("more was told once for this message, and once is all")

// RequestTierName is the name of the action that asks for more.
const RequestTierName = "requestTier"

// Raised is what is told otherwise when the reply is generated again. It is the trace of the
// action.
type Raised struct {
	Tier     int     `json:"tier"`
	Messages []int64 `json:"messages"`
}

type tierArgs struct {
	Level   int    `arg:"level" min:"1" max:"3" default:"3" doc:"1 a line, 2 the beginning, 3 in full"`
	Content string `arg:"content,argument,text,query" min:"1" max:"500" doc:"words of what was said"`
}

// RequestTier is the action with which the model is told more of what was said earlier.
func RequestTier(tiers Tiers) *action.Spec {
	return action.Define(action.Spec{
		Name: RequestTierName, Category: category, Signals: []string{"REQUEST_TIER"},
		Description: "Read more of what was said earlier and is shortened here. You are asked again, once, and your new reply takes the place of this one.",
		Example:     `{"type":"requestTier","level":3,"content":"flight to Oslo"}`,
		Query:       true, Interrupting: true, Quiet: true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, args tierArgs) action.Outcome {
		messages, err := tiers.Raise(ctx, c.Turn, args.Level, args.Content)
		switch {
		case errors.Is(err, ErrRaised):
			return action.Refuse("%s", err)
		case err != nil:
			return action.Fail("could not look it up: what was said earlier cannot be read at the moment; try again later")
		}
		out := action.Done("nothing that is shortened has these words; reply to the person with what you have")
		if len(messages) > 0 {
			out = action.Done("what was said earlier about it stands at level %d now; reply to the person anew", args.Level)
		}
		if out.Trace, err = json.Marshal(Raised{args.Level, messages}); err != nil {
			return action.Fail("what is to be told cannot be written down: %v", err)
		}
		return out
	})
}
