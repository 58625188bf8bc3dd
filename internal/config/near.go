package config

import (
	"reflect"
	"slices"
	"strings"

	"github.com/asidehq/aside/internal/near"
)

// unknown reports a key that does not exist, and the one that was probably meant.
func (d *decoder) unknown(at place, path, name string, keys []key) {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	hint := "there are " + strings.Join(names, ", ")
	if len(names) == 0 {
		hint = "it has no keys"
	}
	elsewhere := findKey(reflect.TypeFor[Config](), "", name)
	below := slices.IndexFunc(elsewhere, func(found string) bool { return path != "" && strings.HasPrefix(found, path+".") })
	meant := ""
	if near := nearest(name, names); near != "" {
		meant = join(path, near)
		hint = "did you mean " + meant + "?"
	} else if below >= 0 {
		meant = elsewhere[below]
		hint = "but there is " + meant + "; check the indentation"
	} else if len(elsewhere) == 1 {
		meant = elsewhere[0]
		hint = "but there is " + meant + "; check the indentation"
	}
	if meant != "" {
		d.wrong[meant] = true // it is not missing, only misspelt or misplaced
	}
	d.report(at, join(path, quoteName(name)), "there is no such key; %s", hint)
}

// findKey lists the paths of all keys with a name.
func findKey(t reflect.Type, path, name string) []string {
	var found []string
	for _, k := range keysOf(t) {
		inner := join(path, k.name)
		if k.name == name {
			found = append(found, inner)
		}
		if t, ok := k.section(); ok {
			found = append(found, findKey(t, inner, name)...)
		}
	}
	return found
}

func nearest(word string, names []string) string { return near.Nearest(word, names) }
