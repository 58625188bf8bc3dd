package wire

import (
	"math"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// mostWait is what longer waits are cut to; whoever waits has given up by then.
const mostWait = 24 * time.Hour

// retryDelay is how Google says it: in the words, and as a duration.
var retryDelay = regexp.MustCompile(`(?:^|; )([0-9]+(?:\.[0-9]+)?)s(?:$|; )`)

// wait reads how long the server asks to wait, 0 if it does not say.
func wait(h http.Header, said string, now time.Time) time.Duration {
	if d, ok := span(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	after := h.Get("Retry-After")
	if d, ok := span(after, time.Second); ok {
		return d
	}
	until, err := http.ParseTime(after)
	if err != nil {
		if found := retryDelay.FindStringSubmatch(said); found != nil {
			d, _ := span(found[1], time.Second)
			return d
		}
		return 0
	}
	// The server's clock said until when, so it is the one to compare with.
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(0, until.Sub(now)), mostWait)
}

func span(number string, unit time.Duration) (time.Duration, bool) {
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(f) || f < 0 {
		return 0, false
	}
	return time.Duration(min(f, float64(mostWait/unit)) * float64(unit)), true
}
