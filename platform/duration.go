package platform

import (
	"fmt"
	"strings"
	"time"
)

// DurationText is a time as people say it: a moment, 1 minute, 2 hours 30 minutes. It is
// rounded to seconds.
func DurationText(d time.Duration) string {
	d = d.Round(time.Second)
	if d < time.Second {
		return "a moment"
	}
	var parts []string
	for _, unit := range []struct {
		name string
		of   time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		switch n := d / unit.of; {
		case n == 1:
			parts = append(parts, "1 "+unit.name)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", n, unit.name))
		}
		d %= unit.of
	}
	return strings.Join(parts[:min(len(parts), 2)], " ")
}
