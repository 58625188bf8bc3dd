package config

import (
	"reflect"
	"time"
)

// A Pause is a time that may be none at all.
type Pause time.Duration

const longestPause = Pause(time.Minute)

func readPause(v reflect.Value, s string) bool {
	d, err := time.ParseDuration(s)
	v.SetInt(int64(d))
	return err == nil && d >= 0 && Pause(d) <= longestPause
}
