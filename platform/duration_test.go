package platform_test

import (
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
)

func TestTimesAreSaidAsPeopleSayThem(t *testing.T) {
	for _, test := range []struct {
		d    time.Duration
		want string
	}{
		{0, "a moment"},
		{-time.Hour, "a moment"},
		{300 * time.Millisecond, "a moment"},
		{time.Second, "1 second"},
		{2800 * time.Millisecond, "3 seconds"},
		{time.Minute, "1 minute"},
		{90 * time.Second, "1 minute 30 seconds"},
		{10 * time.Minute, "10 minutes"},
		{time.Hour, "1 hour"},
		{time.Hour + time.Second, "1 hour 1 second"},
		{26*time.Hour + 5*time.Minute, "1 day 2 hours"},
		{72 * time.Hour, "3 days"},
	} {
		if got := platform.DurationText(test.d); got != test.want {
			t.Errorf("%v is %q, want %q", test.d, got, test.want)
		}
	}
}
