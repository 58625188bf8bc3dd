package action

import "context"

// Join gives an action a way to run calls together that follow each other: several files
// become one album. run has an outcome for each of them, in order. Such an action is
// Repeatable, and gets the same calls together when they are run again.
func Join[A any](s *Spec, run func(ctx context.Context, calls []Call, args []A) []Outcome) *Spec {
	joined := *s
	joined.join = func(ctx context.Context, calls []Call, args []Args) []Outcome {
		values := make([]A, len(args))
		for i, a := range args {
			values[i] = a.value.(A)
		}
		return run(ctx, calls, values)
	}
	return &joined
}

// Joins tells whether calls of the action that follow each other are run together.
func (s *Spec) Joins() bool { return s.join != nil }

// RunAll runs calls of an action that Joins.
func (s *Spec) RunAll(ctx context.Context, calls []Call, args []Args) []Outcome {
	return s.join(ctx, calls, args)
}
