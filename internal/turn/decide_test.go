package turn

import (
	"context"
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
)

// A busy warden answers after a while.
type busy struct {
	room
	times int
	says  platform.Problem
}

func (b *busy) May(context.Context, string, platform.Right, platform.Room) (bool, error) {
	if b.times--; b.times >= 0 {
		return false, &b.says
	}
	return true, nil
}

func TestAPlatformThatAsksToWaitIsAskedAgainForRights(t *testing.T) {
	for _, c := range []struct {
		name   string
		times  int
		says   platform.Problem
		may    bool
		waited time.Duration
	}{
		{"at once", 0, platform.Problem{}, true, 0},
		{"after a limit", 2, platform.Problem{Outcome: platform.Limited, RetryAfter: 3 * time.Second}, true, 6 * time.Second},
		{"after a lost answer", 1, platform.Problem{Outcome: platform.Unknown}, true, time.Second},
		{"not for ever", 100, platform.Problem{Outcome: platform.Limited, RetryAfter: 10 * time.Second}, false, 30 * time.Second},
		{"not where it will never know", 1, platform.Problem{Outcome: platform.Refused}, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var waited time.Duration
			d := Decider{Wait: func(_ context.Context, d time.Duration) error { waited += d; return nil }}
			may, _ := d.may(t.Context(), &busy{times: c.times, says: c.says}, "ada", platform.SendMessages, platform.Room{})
			if may != c.may || waited != c.waited {
				t.Errorf("may: %v, after %s", may, waited)
			}
		})
	}
}
