package action

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
)

type betweenArgs struct {
	From int `arg:"from" optional:"true"`
	To   int `arg:"to" min:"1"`
}

func (a betweenArgs) Check() error {
	if a.From >= a.To {
		return errors.New("from is not less than to")
	}
	return nil
}

func TestWhatHoldsOfSeveralArgumentsIsCheckedAfterEachOfThem(t *testing.T) {
	between := Define(Spec{Name: "between"}, func(context.Context, Call, betweenArgs) Outcome { return Outcome{} })
	for _, test := range []struct{ name, args, err string }{
		{"all is well", `{"from":1,"to":2}`, ""},
		{"they do not go together", `{"from":2,"to":2}`, "between: from is not less than to"},
		{"one of them is wrong by itself", `{"from":2,"to":0}`, "between: to needs at least 1, got 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := between.Decode(json.RawMessage(test.args)); message(err) != test.err {
				t.Errorf("the error is %q", message(err))
			}
		})
	}
}

func TestSomethingAroundAnActionSeesItBeginAndEnd(t *testing.T) {
	var seen []string
	between := Define(Spec{Name: "between"}, func(context.Context, Call, betweenArgs) Outcome {
		seen = append(seen, "run")
		return Done("fine")
	})
	around := between.Around(func(run Runner) Runner {
		return func(ctx context.Context, c Call, args Args) Outcome {
			seen = append(seen, "before")
			out := run(ctx, c, args)
			seen = append(seen, "after "+out.Summary)
			return out
		}
	})
	args, err := around.Decode(json.RawMessage(`{"to":2}`))
	if err != nil {
		t.Fatal(err)
	}
	around.Run(t.Context(), Call{}, args)
	between.Run(t.Context(), Call{}, args)
	if len(seen) != 4 || seen[0] != "before" || seen[2] != "after fine" || seen[3] != "run" {
		t.Errorf("seen was %q", seen)
	}
}
