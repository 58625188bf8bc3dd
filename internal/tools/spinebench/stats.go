package main

import (
	"math"
	"slices"
	"time"
)

// percentile is the smallest value that at least so many percent of the values do not
// exceed; 0 if there are none.
func percentile(values []time.Duration, percent float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(percent / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

func median(values []time.Duration) time.Duration { return percentile(values, 50) }
