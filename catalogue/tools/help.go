package tools

import (
	"context"
	"slices"
	"strings"

	"github.com/asidehq/aside/action"
)

type helpArgs struct {
	Category string `arg:"category,argument" doc:"one of those named above"`
}

// Help explains the actions of a category, for a model that was told only their names.
// specs are all there are, and guide is how it writes them.
func Help(guide action.Guide, specs func() []*action.Spec) *action.Spec {
	return action.Define(action.Spec{
		Name: action.HelpName, Category: category,
		Description: "Learn the arguments of a category's actions.",
		Example:     `{"type":"actionHelp","category":"polls"}`,
		Query:       true, Repeatable: true,
	}, func(_ context.Context, _ action.Call, args helpArgs) action.Outcome {
		var names []string
		var members []*action.Spec
		for _, s := range specs() {
			if !slices.Contains(names, s.Category) {
				names = append(names, s.Category)
			}
			if strings.EqualFold(s.Category, args.Category) {
				members = append(members, s)
			}
		}
		if len(members) == 0 {
			return action.Fail("there is no category %q; there are %s", args.Category, strings.Join(names, ", "))
		}
		return action.Found(guide.Explain(members), "how to use %s", strings.ToLower(args.Category))
	})
}
