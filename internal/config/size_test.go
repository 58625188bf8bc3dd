package config

import (
	"reflect"
	"regexp"
	"testing"
)

func TestASizeIsReadAndWritten(t *testing.T) {
	pattern := regexp.MustCompile(sizePattern)
	for text, want := range map[string]Size{"1KB": 1 << 10, "500KB": 500 << 10, "20MB": 20 << 20, "1GB": 1 << 30} {
		var got Size
		if !readSize(reflect.ValueOf(&got).Elem(), text) || got != want || got.String() != text || !pattern.MatchString(text) {
			t.Errorf("%s is %d, written as %s", text, got, got)
		}
	}
	for text, want := range map[string]string{"1024KB": "1MB", "5 mb": "5MB", "1024mb": "1GB"} {
		var got Size
		if !readSize(reflect.ValueOf(&got).Elem(), text) || got.String() != want || !pattern.MatchString(text) {
			t.Errorf("%s is written as %s, want %s", text, got, want)
		}
	}
}
