package config

import (
	"reflect"
	"slices"
	"strings"
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

// nearest is the name that was probably meant, or "".
func nearest(word string, names []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, name := range names {
		if d := distance(strings.ToLower(word), name); d < least && d < len(name) {
			best, least = name, d
		}
	}
	return best
}

// distance counts the letters to add, drop, replace or swap with the next to get
// from a to b.
func distance(a, b string) int {
	var before, above []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, above, row = above, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			change := above[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
