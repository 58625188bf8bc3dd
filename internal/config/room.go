package config

import (
	"reflect"
	"slices"
	"strings"
)

// A Room is a room of a platform, written as platform.Room.String does it: discord/1234.
type Room string

// Split is the platform and the id there.
func (r Room) Split() (platform, id string) {
	platform, id, _ = strings.Cut(string(r), "/")
	return platform, id
}

func (r Room) valid() bool {
	platform, id := r.Split()
	return id != "" && slices.ContainsFunc(keysOf(reflect.TypeFor[Platforms]()), func(k key) bool { return k.name == platform })
}
