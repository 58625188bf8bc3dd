package modeltest

import (
	"encoding/json"
	"strings"
	"testing"
)

// hollowed are copies of an event, each with another of its values replaced by null.
// A server may send that, and a program that takes a value for granted falls over it.
func hollowed(t *testing.T, event string) (copies []string) {
	t.Helper()
	for line := range strings.SplitSeq(event, "\n") {
		data, ok := strings.CutPrefix(line, "data: ")
		var value any
		if !ok || json.Unmarshal([]byte(data), &value) != nil {
			continue
		}
		hollow(value, func() {
			written, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			copies = append(copies, strings.Replace(event, data, string(written), 1))
		})
	}
	if len(copies) == 0 {
		t.Fatalf("there is no object in %q", event)
	}
	return copies
}

// hollow puts null in place of each value inside another, calls then, and puts it back.
func hollow(value any, then func()) {
	each := func(set func(any), member any) {
		set(nil)
		then()
		set(member)
		hollow(member, then)
	}
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			each(func(v any) { value[name] = v }, member)
		}
	case []any:
		for i, member := range value {
			each(func(v any) { value[i] = v }, member)
		}
	}
}
