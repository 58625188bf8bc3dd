package turn

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// A Count adds up what an engine has done since the program was started.
type Count struct {
	turns, failures      atomic.Int64
	generated            atomic.Int64 // microseconds
	done, failed         atomic.Int64
	delivered, late, bad atomic.Int64
}

func (c *Count) reply(took time.Duration, failed bool) {
	c.generated.Add(took.Microseconds())
	if failed {
		c.failures.Add(1)
	}
}

func (c *Count) action(state store.ActionState) {
	if state == store.Done {
		c.done.Add(1)
	} else {
		c.failed.Add(1)
	}
}

func (c *Count) post(state store.PostState) {
	switch state {
	case store.Delivered:
		c.delivered.Add(1)
	case store.Late:
		c.late.Add(1)
	case store.Dead:
		c.bad.Add(1)
	}
}

// WriteTo writes the count as Prometheus reads it.
func (c *Count) WriteTo(w io.Writer) (int64, error) {
	n, err := fmt.Fprintf(w, `# HELP aside_turns_total Turns that were settled.
# TYPE aside_turns_total counter
aside_turns_total %d
# HELP aside_reply_failures_total Replies that the model did not give, or not to their end.
# TYPE aside_reply_failures_total counter
aside_reply_failures_total %d
# HELP aside_generate_seconds_total Time that models have taken for replies.
# TYPE aside_generate_seconds_total counter
aside_generate_seconds_total %f
# HELP aside_actions_total Actions by what they came to.
# TYPE aside_actions_total counter
aside_actions_total{outcome="done"} %d
aside_actions_total{outcome="failed"} %d
# HELP aside_posts_total Posts by what became of them.
# TYPE aside_posts_total counter
aside_posts_total{state="delivered"} %d
aside_posts_total{state="late"} %d
aside_posts_total{state="dead"} %d
`, c.turns.Load(), c.failures.Load(), float64(c.generated.Load())/1e6, c.done.Load(), c.failed.Load(),
		c.delivered.Load(), c.late.Load(), c.bad.Load())
	return int64(n), err
}
