package command

import "time"

// Bound sets how much a program may write, and how long output is waited for that
// something else holds open.
func Bound(m *Model, output int, afterExit time.Duration) { m.limit, m.afterExit = output, afterExit }

// Clean is the text in parts of output.
func Clean(parts ...string) (said string) {
	var c cleaner
	for _, part := range parts {
		said += c.clean([]byte(part))
	}
	return said + c.rest()
}
