package guild

import (
	"fmt"
	"time"
)

// layouts are the ISO dates that models write. Without a zone it is UTC, and the
// outcome says so.
var layouts = []string{
	time.RFC3339, "2006-01-02T15:04Z07:00",
	"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly,
}

// readTime reads an ISO date.
func readTime(text string) (time.Time, bool) {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// argTime reads an argument, which may be empty.
func argTime(name, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, ok := readTime(text)
	if !ok {
		return t, fmt.Errorf("%s is a date such as 2026-01-31T18:00:00Z, got %q", name, text)
	}
	return t, nil
}

// eventTimes are when an event starts and ends; what is empty is none.
func eventTimes(from, until string) (starts, ends time.Time, err error) {
	if starts, err = argTime("startTime", from); err != nil {
		return starts, ends, err
	}
	ends, err = argTime("endTime", until)
	return starts, ends, err
}

// stamp is a moment as a model reads it, "" if there is none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// spoken is a moment as a person reads it.
func spoken(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
