package venue

import (
	"errors"
	"fmt"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// Failed is the outcome of what a platform did not do, in words that stand after
// "could not": "create #general". Where the platform's answer was lost it says so, so
// that nobody makes a second one of what is there.
func Failed(err error, format string, a ...any) action.Outcome {
	what := fmt.Sprintf(format, a...)
	var p *platform.Problem
	if errors.As(err, &p) && p.Outcome == platform.Unknown {
		out := action.Fail("tried to %s, and nobody knows whether it worked: %s", what, p.Reason)
		out.Unclear = true
		return out
	}
	return action.Fail("could not %s: %s", what, Reason(err))
}

// readable is an error that can stand in an outcome.
func readable(err error) error {
	var p *platform.Problem
	if err == nil || errors.As(err, &p) {
		return err
	}
	return errors.New(Reason(err))
}
