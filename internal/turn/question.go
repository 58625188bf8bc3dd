package turn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// question asks for a confirmation.
func (e *Engine) question(a store.Action, buttons bool) string {
	how := "React with"
	if buttons {
		how = "Press"
	}
	return fmt.Sprintf("Confirm: %s%s? %s ✅ or ❌, or write %s or %s no, within %s.",
		a.Type, withArguments(a.Args), how, ConfirmCommand, ConfirmCommand, platform.DurationText(confirmWithin))
}

// withArguments are arguments as a person reads them, all of them: who confirms has to see
// what. Texts stay in quotes, with what would begin a new line escaped, so that none can
// pass for a part of the question.
func withArguments(args json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(args))
	if begin, err := d.Token(); err == io.EOF {
		return ""
	} else if err != nil || begin != json.Delim('{') {
		return " (" + string(args) + ")"
	}
	var parts []string
	for d.More() {
		var value json.RawMessage
		name, err := d.Token()
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			return " (" + string(args) + ")"
		}
		parts = append(parts, plainName(name)+": "+compact(value))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// plainName is the name of an argument, in quotes if it is no word.
func plainName(token json.Token) string {
	name, _ := token.(string)
	if word := strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"); name == "" || word != "" {
		return fmt.Sprintf("%q", name)
	}
	return name
}

func compact(value json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return string(value)
	}
	return b.String()
}
