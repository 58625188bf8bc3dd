package openai

import "time"

// WaitAfterEnd sets how long to wait for the usage.
func WaitAfterEnd(m *Model, d time.Duration) { m.server.AfterEnd = d }
