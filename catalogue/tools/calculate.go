// Package tools holds the actions that compute and look up.
package tools

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/tools/arithmetic"
)

// Specs are the actions of this category.
func Specs() []*action.Spec { return []*action.Spec{calculate()} }

const category = "search"

type calculateArgs struct {
	Expression string `arg:"expression,argument" doc:"such as 342 * 15, 20% of 50, sqrt(2), 17:45 - 9:20 or 90 min in h"`
}

func calculate() *action.Spec {
	return action.Define(action.Spec{
		Name: "calculate", Category: category, Signals: []string{"CALCULATE"},
		Description: "Compute an expression, exactly: + - * / ^ %, brackets, the usual functions, pi and e, times.",
		Example:     `{"type":"calculate","expression":"342 * 15"}`,
		Repeatable:  true,
	}, func(_ context.Context, _ action.Call, args calculateArgs) action.Outcome {
		result, err := arithmetic.Evaluate(args.Expression)
		if err != nil {
			return action.Fail("%s: %v", shortened(args.Expression), err)
		}
		return action.Done("%s = %s", args.Expression, result)
	})
}

// shortened is an expression as it stands in front of what is wrong with it.
func shortened(expression string) string {
	const most = 100
	if runes := []rune(expression); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return expression
}
