package venue

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
)

func TestOnlyWhatWasWrittenForPeopleIsSaid(t *testing.T) {
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"a platform's reason", platform.Refuse("the room is closed"), "the room is closed"},
		{"a platform's reason inside another error", fmt.Errorf("post to https://x/bot1:secret: %w", platform.Refuse("the room is closed")), "the room is closed"},
		{"what has a token in it", errors.New("GET https://x/bot1:secret"), "the platform does not answer"},
		{"a problem without a reason", &platform.Problem{}, "the platform does not answer"},
		{"how long to wait", &platform.Problem{Outcome: platform.Limited, Reason: "asks to wait", RetryAfter: 90 * time.Second}, "asks to wait; try again in 1 minute 30 seconds"},
		{"to wait for a moment", &platform.Problem{Outcome: platform.Limited, Reason: "asks to wait", RetryAfter: time.Millisecond}, "asks to wait; try again in a moment"},
		{"to wait for nobody knows how long", &platform.Problem{Outcome: platform.Limited, Reason: "asks to wait"}, "asks to wait"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Reason(test.err); got != test.want {
				t.Errorf("it is %q", got)
			}
		})
	}
}
