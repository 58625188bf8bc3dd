package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/asidehq/aside/extract"
)

// A form is how a single value of some type is written in the file.
type form struct {
	what  string                           // what it is, as in: … is not a duration, such as 30m or 24h
	names []string                         // all that it can be, if that is a list
	read  func(reflect.Value, string) bool // sets the value; false if the text is none
	write func(reflect.Value) string
	bare  bool // it is no text, so it stands without quotes and in quotes it is wrong
}

// named is a type whose values are a few words.
type named interface{ names() []string }

// formOf is the form of a type, if its values are single ones and not lists or
// sections.
func formOf(t reflect.Type) (form, bool) {
	switch t {
	case reflect.TypeFor[Secret]():
		return form{
			what:  "text",
			read:  func(v reflect.Value, s string) bool { v.Set(reflect.ValueOf(NewSecret(s))); return true },
			write: func(v reflect.Value) string { return v.Interface().(Secret).String() },
		}, true
	case reflect.TypeFor[URL]():
		return form{
			what:  "a URL",
			read:  func(v reflect.Value, s string) bool { v.Set(reflect.ValueOf(NewURL(s))); return true },
			write: func(v reflect.Value) string { return v.Interface().(URL).String() },
		}, true
	case reflect.TypeFor[Address]():
		return form{
			what:  "an address with a port, such as 127.0.0.1:8787",
			read:  func(v reflect.Value, s string) bool { v.SetString(s); return Address(s).valid() },
			write: reflect.Value.String,
		}, true
	case reflect.TypeFor[Room]():
		return form{
			what:  "a room, which is platform/id, such as discord/1234",
			read:  func(v reflect.Value, s string) bool { v.SetString(s); return s == "" || Room(s).valid() },
			write: reflect.Value.String,
		}, true
	case reflect.TypeFor[time.Duration]():
		return form{
			what:  "a duration above zero, such as 30m or 24h",
			read:  readDuration,
			write: func(v reflect.Value) string { return showDuration(time.Duration(v.Int())) },
		}, true
	case reflect.TypeFor[Pause]():
		return form{
			what:  "a duration from 0s to 1m, such as 1.5s",
			read:  readPause,
			write: func(v reflect.Value) string { return showDuration(time.Duration(v.Int())) },
		}, true
	case reflect.TypeFor[Size]():
		return form{
			what:  "a size from 1KB to 1GB, such as 20MB",
			read:  readSize,
			write: func(v reflect.Value) string { return Size(v.Int()).String() },
		}, true
	case reflect.TypeFor[extract.Dialect]():
		return form{}, false // a list
	}
	if t.Kind() == reflect.Pointer {
		return optional(t)
	}
	if n, ok := reflect.Zero(t).Interface().(named); ok {
		names := n.names()
		return form{
			what:  "one of " + strings.Join(names, ", "),
			names: names,
			read:  func(v reflect.Value, s string) bool { v.SetString(s); return slices.Contains(names, s) },
			write: reflect.Value.String,
		}, true
	}
	switch t.Kind() {
	case reflect.String:
		return form{
			what:  "text",
			read:  func(v reflect.Value, s string) bool { v.SetString(s); return true },
			write: reflect.Value.String,
		}, true
	case reflect.Bool:
		return form{
			what:  "true or false",
			read:  readBool,
			write: func(v reflect.Value) string { return strconv.FormatBool(v.Bool()) },
			bare:  true,
		}, true
	case reflect.Int:
		return form{
			what:  "a whole number",
			read:  readInt,
			write: func(v reflect.Value) string { return strconv.FormatInt(v.Int(), 10) },
			bare:  true,
		}, true
	}
	return form{}, false
}

func readBool(v reflect.Value, s string) bool {
	s = strings.ToLower(s)
	v.SetBool(s == "true")
	return s == "true" || s == "false"
}

// optional is the form of a pointer: a value that may not be set, and then is "".
func optional(t reflect.Type) (form, bool) {
	f, ok := formOf(t.Elem())
	if !ok {
		return form{}, false
	}
	read, write := f.read, f.write
	f.read = func(v reflect.Value, s string) bool { v.Set(reflect.New(t.Elem())); return read(v.Elem(), s) }
	f.write = func(v reflect.Value) string {
		if v.IsNil() {
			return ""
		}
		return write(v.Elem())
	}
	return f, true
}

func readInt(v reflect.Value, s string) bool {
	n, err := strconv.Atoi(s)
	v.SetInt(int64(n))
	return err == nil
}

func readDuration(v reflect.Value, s string) bool {
	d, err := time.ParseDuration(s)
	v.SetInt(int64(d))
	return err == nil && d > 0
}

// showDuration leaves out what is zero: 30m, not 30m0s.
func showDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// elementOf is the form of the elements of a list type.
func elementOf(t reflect.Type) (form, bool) {
	if t == reflect.TypeFor[extract.Dialect]() {
		return form{
			what:  "one of " + strings.Join(dialects(extract.Everything), ", "),
			names: dialects(extract.Everything),
			read:  readDialect,
		}, true
	}
	if t.Kind() == reflect.Slice {
		return formOf(t.Elem())
	}
	return form{}, false
}

func dialects(d extract.Dialect) []string { return strings.Split(d.String(), ",") }

// readDialect adds a dialect to those that v has.
func readDialect(v reflect.Value, s string) bool {
	d, err := extract.ParseDialects(s)
	v.SetUint(v.Uint() | uint64(d))
	return err == nil && !strings.Contains(s, ",")
}

// readList makes v the list of the texts. It returns the index of the first that
// is none, or -1.
func readList(v reflect.Value, texts []string) int {
	element, _ := elementOf(v.Type())
	if v.Kind() != reflect.Slice {
		v.SetZero()
	} else {
		v.Set(reflect.MakeSlice(v.Type(), len(texts), len(texts)))
	}
	for i, text := range texts {
		target := v
		if v.Kind() == reflect.Slice {
			target = v.Index(i)
		}
		if !element.read(target, text) {
			return i
		}
	}
	return -1
}

// showList is what readList reads.
func showList(v reflect.Value) []string {
	if d, ok := v.Interface().(extract.Dialect); ok {
		return dialects(d)
	}
	element, _ := elementOf(v.Type())
	texts := make([]string, v.Len())
	for i := range texts {
		texts[i] = element.write(v.Index(i))
	}
	return texts
}

// readName reads one of the words of a type, for a flag that takes the place of a key.
func readName[T interface {
	~string
	named
}](text string) (T, error) {
	if names := T("").names(); !slices.Contains(names, text) {
		return "", fmt.Errorf("%q is none of %s", text, strings.Join(names, ", "))
	}
	return T(text), nil
}
