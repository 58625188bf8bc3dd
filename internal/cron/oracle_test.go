package cron

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// The oracle knows when a job is due without looking at the program: it walks through every
// minute of real time, looks at the clock on the wall, and compares that with the five fields.

// dueBetween are the due times of a schedule in a zone, after one moment and up to another.
func dueBetween(t *testing.T, schedule, zone string, from, to time.Time) []time.Time {
	t.Helper()
	where, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(schedule)
	everyHour := fields[1] == "*"
	var all []time.Time
	// What the clock has shown so far, at most: of what it shows again nothing is new.
	var reached time.Time
	for m := from.Add(-48 * time.Hour).Truncate(time.Minute); !m.After(to); m = m.Add(time.Minute) {
		shows := wall(m.In(where))
		due := false
		if everyHour {
			due = wallMatches(fields, shows)
		} else {
			if reached.IsZero() {
				reached = shows.Add(-time.Minute)
			}
			for w := reached.Add(time.Minute); !w.After(shows); w = w.Add(time.Minute) {
				due = due || wallMatches(fields, w)
				reached = w
			}
		}
		if due && m.After(from) {
			all = append(all, m.UTC())
		}
	}
	return all
}

// wall is a local time as if it were in UTC.
func wall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, time.UTC)
}

func wallMatches(fields []string, w time.Time) bool {
	if !fieldMatches(fields[0], w.Minute()) || !fieldMatches(fields[1], w.Hour()) || !fieldMatches(fields[3], int(w.Month())) {
		return false
	}
	dom, dow := fieldMatches(fields[2], w.Day()), fieldMatches(fields[4], int(w.Weekday()))
	dow = dow || w.Weekday() == time.Sunday && fieldMatches(fields[4], 7) && fields[4] != "*"
	if fields[2] == "*" || fields[4] == "*" {
		return dom && dow
	}
	return dom || dow
}

func fieldMatches(field string, n int) bool {
	for part := range strings.SplitSeq(field, ",") {
		span, stepText, stepped := strings.Cut(part, "/")
		step := 1
		if stepped {
			step, _ = strconv.Atoi(stepText)
		}
		low, high := 0, 99
		if span != "*" {
			lowText, highText, ranged := strings.Cut(span, "-")
			low, _ = strconv.Atoi(lowText)
			if high = low; ranged {
				high, _ = strconv.Atoi(highText)
			}
		}
		if n >= low && n <= high && (n-low)%step == 0 {
			return true
		}
	}
	return false
}
