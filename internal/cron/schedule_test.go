package cron

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWhenAJobIsDueWhereClocksChange(t *testing.T) {
	for _, c := range []struct {
		name, schedule, zone, after string
		want                        []string // local times with their offset
	}{
		{"the time exists", "30 9 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", []string{"2026-03-29 09:30 +0200", "2026-03-30 09:30 +0200"}},
		{"the time is jumped over, so it is due when the hour is over", "30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", []string{"2026-03-29 03:00 +0200", "2026-03-30 02:30 +0200"}},
		{"several times are jumped over, and that is one run", "*/15 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", []string{"2026-03-29 03:00 +0200", "2026-03-30 02:00 +0200"}},
		{"one is jumped over and another due just then", "30 2,3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", []string{"2026-03-29 03:00 +0200", "2026-03-29 03:30 +0200", "2026-03-30 02:30 +0200"}},
		{"the time comes twice, and counts the first time", "30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", []string{"2026-10-25 02:30 +0200", "2026-10-26 02:30 +0100"}},
		{"and not the second time, though it is asked in between", "30 2 * * *", "Europe/Berlin", "2026-10-25T01:15:00Z", []string{"2026-10-26 02:30 +0100"}},
		{"every quarter of an hour, and there is no second hour", "*/15 * * * *", "Europe/Berlin", "2026-03-29T00:40:00Z", []string{"2026-03-29 01:45 +0100", "2026-03-29 03:00 +0200", "2026-03-29 03:15 +0200"}},
		{"every hour, and one comes twice", "@hourly", "Europe/Berlin", "2026-10-24T23:30:00Z", []string{"2026-10-25 02:00 +0200", "2026-10-25 02:00 +0100", "2026-10-25 03:00 +0100"}},
		{"every other hour is a list of hours", "0 */2 * * *", "Europe/Berlin", "2026-03-28T23:30:00Z", []string{"2026-03-29 03:00 +0200", "2026-03-29 04:00 +0200"}},
		{"midnight does not exist", "0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z", []string{"2018-11-04 01:00 -0200", "2018-11-05 00:00 -0200"}},
		{"the last hour of a day comes twice", "30 23 * * *", "America/Sao_Paulo", "2018-02-17T12:00:00Z", []string{"2018-02-17 23:30 -0200", "2018-02-18 23:30 -0300"}},
		{"a change by half an hour", "15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", []string{"2026-10-04 02:30 +1100", "2026-10-05 02:15 +1100"}},
		{"a day that a country has left out", "0 12 30 12 *", "Pacific/Apia", "2011-12-29T00:00:00Z", []string{"2011-12-31 00:00 +1400", "2012-12-30 12:00 +1400"}},
		{"a zone without changes", "30 2 * * 7", "Asia/Kolkata", "2026-03-28T12:00:00Z", []string{"2026-03-29 02:30 +0530", "2026-04-05 02:30 +0530"}},
		{"an interval looks at no clock", "@every 90m", "Europe/Berlin", "2026-03-29T00:00:00Z", []string{"2026-03-29 03:30 +0200", "2026-03-29 05:00 +0200"}},
		{"days from Friday to Sunday, which is the seventh", "0 0 * * 5-7", "UTC", "2026-01-01T12:00:00Z", []string{"2026-01-02 00:00 +0000", "2026-01-03 00:00 +0000", "2026-01-04 00:00 +0000", "2026-01-09 00:00 +0000"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse(c.schedule, c.zone)
			if err != nil {
				t.Fatal(err)
			}
			at, err := time.Parse(time.RFC3339, c.after)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for range c.want {
				at = s.After(at)
				got = append(got, at.In(s.Zone()).Format("2006-01-02 15:04 -0700"))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("due %q, want %q", got, c.want)
			}
		})
	}
}

// sixZones are far apart and change their clocks in different ways, or not at all.
var sixZones = []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Auckland"}

func TestDueTimesAreThoseOfAClockOnTheWall(t *testing.T) {
	schedules := []string{"* * * * *", "*/15 * * * *", "7 * * * *", "30 2 * * *", "0 0 * * *", "15,45 1-3 * * *", "*/20 */2 * * *", "59 23 * * 0", "0 1 1,15 * 1", "5 0-23/3 * 3-11 *"}
	for _, zone := range sixZones {
		for _, year := range []int{2018, 2026} { // Brazil has stopped to change its clocks
			t.Run(fmt.Sprint(zone, " ", year), func(t *testing.T) {
				where, err := time.LoadLocation(zone)
				if err != nil {
					t.Fatal(err)
				}
				changes := changesIn(where, year)
				if len(changes) == 0 {
					changes = []time.Time{time.Date(year, 3, 29, 0, 0, 0, 0, time.UTC)}
				}
				for _, change := range changes {
					from, to := change.Add(-49*time.Hour), change.Add(49*time.Hour)
					for _, text := range schedules {
						s, err := Parse(text, zone)
						if err != nil {
							t.Fatal(err)
						}
						var got []time.Time
						for at := s.After(from); !at.After(to); at = s.After(at) {
							got = append(got, at.UTC())
						}
						if want := dueBetween(t, text, zone, from, to); !slices.Equal(got, want) {
							t.Errorf("%q around %s: due %v, want %v", text, change, got, want)
						}
					}
				}
			})
		}
	}
}

// changesIn are the moments of a year at which clocks are changed.
func changesIn(zone *time.Location, year int) []time.Time {
	var all []time.Time
	at := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	for {
		_, end := at.In(zone).ZoneBounds()
		if end.IsZero() || end.Year() > year {
			return all
		}
		all, at = append(all, end.UTC()), end
	}
}

func TestDueTimesThatHavePassedAreCounted(t *testing.T) {
	begin := time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC)
	for _, text := range []string{"@every 90m", "*/15 * * * *", "30 2 * * *"} {
		s, err := Parse(text, "Europe/Berlin")
		if err != nil {
			t.Fatal(err)
		}
		for _, gone := range []time.Duration{0, time.Minute, 90 * time.Minute, 100 * time.Hour} {
			now := begin.Add(gone)
			var want []time.Time
			next := s.After(begin)
			for ; !next.After(now); next = s.After(next) {
				want = append(want, next)
			}
			n, first, last, then := s.Until(begin, now)
			if n != len(want) || !then.Equal(next) || n > 0 && (!first.Equal(want[0]) || !last.Equal(want[n-1])) {
				t.Errorf("%s after %s: %d from %s to %s and then %s, want %v and then %s", text, gone, n, first, last, then, want, next)
			}
		}
	}
}

func TestWhatIsNoScheduleIsRefusedWithWhatWouldBe(t *testing.T) {
	for _, c := range []struct{ name, schedule, zone, why string }{
		{"words", "every weekday at 9", "", "five fields"},
		{"four fields", "0 9 * *", "", "five fields"},
		{"six fields", "0 0 9 * * *", "", "five fields"},
		{"nothing", "  ", "", "five fields"},
		{"an hour that is none", "0 24 * * *", "", "five fields"},
		{"a field of commas", ", * * * *", "", "five fields"},
		{"a step of nothing", "*/0 * * * *", "", "five fields"},
		{"a zone among the fields", "TZ=Europe/Berlin 0 9 * * *", "", "five fields"},
		{"a zone and nothing else", "CRON_TZ=Europe/Berlin", "", "five fields"},
		{"a day that never comes", "0 0 30 2 *", "", "never comes"},
		{"too often", "@every 59s", "", "at least a minute"},
		{"once in a lifetime", "@every 100000h", "", "at most a year"},
		{"a start that nobody knows", "@reboot", "", "five fields"},
		{"a zone with a mistake", "0 9 * * *", "Europe/Berln", "did you mean Europe/Berlin?"},
		{"a city", "0 9 * * *", "New York", "did you mean America/New_York?"},
		{"wherever the machine is", "0 9 * * *", "Local", "there is no time zone"},
		{"a file", "0 9 * * *", "../../etc/passwd", "there is no time zone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Parse(c.schedule, c.zone); err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestEveryZoneOfTheListExists(t *testing.T) {
	for zone := range strings.FieldsSeq(zones) {
		if _, err := time.LoadLocation(zone); err != nil {
			t.Error(err)
		}
	}
	if zone, err := Zone("europe/BERLIN"); err != nil || zone.String() != "Europe/Berlin" {
		t.Errorf("%s, %v", zone, err)
	}
}

func FuzzASchedule(f *testing.F) {
	for _, seed := range []string{"0 9 * * 1-5", "@every 90m", "@daily", "*/15 2-7/2 1,2 * 5-7/2", "TZ=x"} {
		f.Add(seed)
	}
	begin := time.Date(2026, 3, 28, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text, "Europe/Berlin")
		if err != nil {
			return
		}
		for at, i := begin, 0; i < 5; i++ {
			next := s.After(at)
			if next.IsZero() || next.Sub(at) < time.Minute && i > 0 {
				t.Fatalf("%q is due at %s after %s", text, next, at)
			}
			at = next
		}
	})
}
