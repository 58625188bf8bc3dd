package cron

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	parser "github.com/robfig/cron/v3"
)

// A Schedule says when a job is due.
//
// When clocks change, a time of day can be missing, or come twice. A schedule that names
// hours ("30 2 * * *") is due when the clock reaches its time for the first time: what
// falls into the missing hour is due at the first moment after it, and what stands in the
// doubled hour once. A schedule for every hour ("*/15 * * * *", "@hourly") is due whenever
// the clock shows such a minute, so that as much real time lies between two runs as ever.
// "@every 90m" does not look at the clock at all.
type Schedule struct {
	text  string
	zone  *time.Location
	every time.Duration        // since the last due time; 0 if there are fields
	reads *parser.SpecSchedule // what the clock shows, as if it were in UTC
	runs  bool                 // every hour: it follows real time
}

const (
	leastEvery = time.Minute
	mostEvery  = 366 * 24 * time.Hour
)

// howTo is what a schedule looks like.
const howTo = `five fields (minute hour day month weekday), such as "0 9 * * 1-5", or @hourly, @daily, @weekly, @monthly, @yearly, or @every 90m`

// errFields says that a schedule is none.
var errFields = errors.New("the schedule is not one: it has " + howTo)

// Parse reads a schedule in a time zone. Its errors are for the model and the person.
func Parse(text, zone string) (Schedule, error) {
	where, err := Zone(zone)
	if err != nil {
		return Schedule{}, err
	}
	s := Schedule{text: strings.Join(strings.Fields(text), " "), zone: where}
	if s.text == "" || strings.Contains(s.text, "TZ=") {
		return s, errFields // a zone is an argument of its own
	}
	fields := s.text
	if !strings.HasPrefix(fields, "@") {
		if fields, err = sundays(fields); err != nil {
			return s, err
		}
	}
	parsed, err := parser.ParseStandard(fields)
	if err != nil {
		return s, fmt.Errorf("%w; got %q", errFields, clip(s.text, 60))
	}
	switch parsed := parsed.(type) {
	case parser.ConstantDelaySchedule:
		if parsed.Delay < leastEvery || parsed.Delay > mostEvery {
			return s, fmt.Errorf("@every needs at least a minute and at most a year, got %q", clip(s.text, 60))
		}
		s.every = parsed.Delay
		return s, nil
	case *parser.SpecSchedule:
		parsed.Location = time.UTC
		s.reads, s.runs = parsed, bits.OnesCount64(parsed.Hour&(1<<24-1)) == 24
	}
	for _, set := range []uint64{s.reads.Minute, s.reads.Hour, s.reads.Dom, s.reads.Month, s.reads.Dow} {
		if set == 0 {
			return s, fmt.Errorf("%w; got %q", errFields, clip(s.text, 60))
		}
	}
	if s.reads.Next(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return s, fmt.Errorf("the schedule %q names a day that never comes", clip(s.text, 60))
	}
	return s, nil
}

// sundays writes Sunday as 0 where it is the seventh day, as many do.
func sundays(text string) (string, error) {
	fields := strings.Fields(text)
	if len(fields) != 5 {
		return "", fmt.Errorf("%w; got %q", errFields, clip(text, 60))
	}
	var days []string
	for day := range strings.SplitSeq(fields[4], ",") {
		span, step, _ := strings.Cut(day, "/")
		first, last, ranges := strings.Cut(span, "-")
		switch {
		case span == "7":
			day = "0"
		case ranges && last == "7":
			from, err := strconv.Atoi(first)
			by, err2 := strconv.Atoi(step)
			if step == "" {
				by, err2 = 1, nil
			}
			if err != nil || err2 != nil || from < 0 || by < 1 {
				return "", fmt.Errorf("%w; got %q", errFields, clip(text, 60))
			}
			var each []string
			for d := from; d <= 7; d += by {
				each = append(each, strconv.Itoa(d%7))
			}
			day = strings.Join(each, ",")
		}
		days = append(days, day)
	}
	fields[4] = strings.Join(days, ",")
	return strings.Join(fields, " "), nil
}

// String is the schedule as it was written.
func (s Schedule) String() string { return s.text }

// Zone is the time zone in which it is meant.
func (s Schedule) Zone() *time.Location { return s.zone }

// After is the first due time after another one, or after any moment; zero if there is
// none. An interval begins with that moment, which therefore has to be a due time.
func (s Schedule) After(t time.Time) time.Time {
	switch {
	case s.every > 0:
		return t.Add(s.every)
	case s.runs:
		return s.shown(t)
	}
	return s.reached(t)
}

// Until are how many due times there are after the one given up to a moment, and the first
// and the last of them. next is the one that comes then.
func (s Schedule) Until(due, now time.Time) (n int, first, last, next time.Time) {
	if s.every > 0 && now.Sub(due) >= s.every {
		n = int(now.Sub(due) / s.every)
		last = due.Add(time.Duration(n) * s.every)
		return n, due.Add(s.every), last, last.Add(s.every)
	}
	for next = s.After(due); !next.IsZero() && !next.After(now); next = s.After(next) {
		if n++; n == 1 {
			first = next
		}
		last = next
	}
	return n, first, last, next
}

// reading is what the clock shows at a moment, as a time in UTC.
func (s Schedule) reading(t time.Time) time.Time {
	t = t.In(s.zone)
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// reached is the first moment after t at which the clock reaches a time of the schedule for
// the first time.
func (s Schedule) reached(t time.Time) time.Time {
	for shows := s.reads.Next(s.reading(t)); !shows.IsZero(); shows = s.reads.Next(shows) {
		if at := s.first(shows); at.After(t) {
			return at
		}
		// The clock was put back, and has been there before.
	}
	return time.Time{}
}

// day is more than any clock is away from UTC, and from where it was before a change.
const day = 26 * time.Hour

// first is the first moment at which the clock shows a time or a later one.
func (s Schedule) first(shows time.Time) time.Time {
	at := shows.Add(-day)
	for {
		_, offset := at.In(s.zone).Zone()
		_, end := at.In(s.zone).ZoneBounds()
		if moment := shows.Add(-time.Duration(offset) * time.Second); end.IsZero() || moment.Before(end) {
			if moment.Before(at) {
				return at.UTC() // it was jumped over
			}
			return moment
		}
		at = end
	}
}

// shown is the first moment after t at which the clock shows a time of the schedule.
func (s Schedule) shown(t time.Time) time.Time {
	after := s.reading(t)
	for limit := t.AddDate(5, 0, 0); t.Before(limit); {
		_, offset := t.In(s.zone).Zone()
		_, end := t.In(s.zone).ZoneBounds()
		shows := s.reads.Next(after)
		if shows.IsZero() {
			break
		}
		if at := shows.Add(-time.Duration(offset) * time.Second); end.IsZero() || at.Before(end) {
			return at
		}
		t, after = end, s.reading(end).Add(-time.Second)
	}
	return time.Time{}
}
