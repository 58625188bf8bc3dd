package config

import (
	"reflect"
	"strconv"
	"strings"
)

// A Size is a number of bytes, written as 20MB.
type Size int64

const (
	sizePattern = `^[1-9][0-9]* ?[KkMmGg][Bb]$`
	largestSize = Size(1 << 30)
)

// units are from the largest to the smallest.
var units = []struct {
	name string
	size Size
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}}

func (s Size) String() string {
	for _, u := range units {
		if s%u.size == 0 && s > 0 {
			return strconv.FormatInt(int64(s/u.size), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

func readSize(v reflect.Value, s string) bool {
	for _, u := range units {
		number, ok := strings.CutSuffix(strings.ToUpper(s), u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n < 1 || Size(n) > largestSize/u.size {
			return false
		}
		v.SetInt(n * int64(u.size))
		return true
	}
	return false
}
