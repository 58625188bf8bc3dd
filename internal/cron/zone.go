package cron

import (
	_ "embed"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // a machine without time zones must not change when a job is due

	"github.com/asidehq/aside/internal/near"
)

// zones are the names of the time zones, one on each line.
//
//go:embed zones.txt
var zones string

// Zone is the time zone of a name; "" is UTC. One that does not exist is refused with the
// name that was probably meant.
func Zone(name string) (*time.Location, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return time.UTC, nil
	}
	known := strings.Fields(zones)
	for _, zone := range known {
		if strings.EqualFold(zone, strings.ReplaceAll(name, " ", "_")) {
			return time.LoadLocation(zone)
		}
	}
	if name != "Local" { // which is another one on each machine
		if zone, err := time.LoadLocation(name); err == nil {
			return zone, nil // newer than the list
		}
	}
	if meant := meantZone(name, known); meant != "" {
		return nil, fmt.Errorf("there is no time zone %q; did you mean %s?", clip(name, 60), meant)
	}
	return nil, fmt.Errorf("there is no time zone %q; it is a name such as Europe/Berlin or America/New_York", clip(name, 60))
}

// meantZone is the zone that was probably meant: people name the city.
func meantZone(name string, known []string) string {
	city := strings.ReplaceAll(name[strings.LastIndex(name, "/")+1:], " ", "_")
	var cities []string
	for _, zone := range known {
		own := zone[strings.LastIndex(zone, "/")+1:]
		if strings.EqualFold(own, city) {
			return zone
		}
		cities = append(cities, own)
	}
	if meant := near.Nearest(name, known); meant != "" {
		return meant
	}
	if meant := near.Nearest(city, cities); meant != "" && len(city) > 4 { // shorter ones are near to many
		for i := range cities {
			if cities[i] == meant {
				return known[i]
			}
		}
	}
	return ""
}
