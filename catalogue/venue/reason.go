package venue

import (
	"errors"
	"fmt"

	"github.com/asidehq/aside/platform"
)

// Reason is why something did not work, for the model and the person. Only a
// *platform.Problem was written for them: the text of any other error may hold an
// address with a token in it.
func Reason(err error) string {
	var p *platform.Problem
	switch {
	case !errors.As(err, &p) || p.Reason == "":
		return "the platform does not answer"
	case p.Outcome == platform.Limited && p.RetryAfter > 0:
		return fmt.Sprintf("%s; try again in %s", p.Reason, platform.DurationText(p.RetryAfter))
	}
	return p.Reason
}
