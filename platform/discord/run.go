package discord

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/disgoorg/disgo/rest"

	"github.com/asidehq/aside/platform"
)

// A fatal error is one that a person must mend.
type fatal string

func (f fatal) Error() string { return string(f) }

// Run implements platform.Platform.
func (d *Discord) Run(ctx context.Context, inbox platform.Inbox) error {
	if err := d.marks.load(ctx); err != nil {
		return err
	}
	start, err := d.begin(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	count := d.options.Shards
	if count <= 0 {
		count = max(1, start.Shards)
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	shards := make([]*shard, count)
	for i := range shards {
		shards[i] = newShard(d, inbox, i, count, start.URL)
	}
	d.run(shards)
	defer d.run(nil)
	errs := make([]error, count)
	var all sync.WaitGroup
	for i, s := range shards {
		all.Go(func() {
			if errs[i] = s.run(running); errs[i] != nil {
				stop() // what one cannot do the others cannot either
			}
		})
	}
	all.Wait()
	// What was handled is kept, also when it is time to go.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := d.marks.save(last, d.now(), true); err != nil {
		d.log.Error("how far messages were handled could not be kept", "error", err)
	}
	return cmp.Or(errs...)
}

func (d *Discord) run(shards []*shard) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shards = shards
}

// A start is what Discord says about connecting.
type start struct {
	URL    string `json:"url"`
	Shards int    `json:"shards"`
	Limit  struct {
		Remaining  int   `json:"remaining"`
		ResetAfter int64 `json:"reset_after"` // milliseconds
	} `json:"session_start_limit"`
}

// begin asks where the gateway is, until there is an answer. A wrong token is found out
// here.
func (d *Discord) begin(ctx context.Context) (start, error) {
	for tries := 0; ; tries++ {
		var s start
		err := d.call(ctx, rest.GetGatewayBot.Compile(nil), nil, &s)
		if err == nil {
			if d.options.GatewayURL != "" {
				s.URL = d.options.GatewayURL
			}
			if s.Limit.Remaining == 0 && s.Limit.ResetAfter > 0 {
				after := time.Duration(s.Limit.ResetAfter) * time.Millisecond
				d.log.Error("Discord lets the bot connect no more for now", "after", after)
				if err := d.wait(ctx, after); err != nil {
					return s, err
				}
				continue
			}
			return s, nil
		}
		var p *platform.Problem
		errors.As(err, &p)
		if p.Outcome == platform.Refused {
			return s, fatal(p.Reason)
		}
		d.log.Warn("Discord cannot be reached", "reason", p.Reason)
		if err := d.wait(ctx, max(backoff(tries), p.RetryAfter)); err != nil {
			return s, err
		}
	}
}

// backoff is how long to wait after some tries.
func backoff(tries int) time.Duration {
	return min(time.Second<<min(tries, 6), time.Minute)
}

// A gate lets sessions begin one after the other: Discord takes one in five seconds.
type gate struct {
	mu   sync.Mutex
	last time.Time
}

const betweenSessions = 5 * time.Second

// pass waits for its turn.
func (d *Discord) pass(ctx context.Context) error {
	d.gate.mu.Lock()
	defer d.gate.mu.Unlock()
	if left := betweenSessions - d.now().Sub(d.gate.last); !d.gate.last.IsZero() && left > 0 {
		if err := d.wait(ctx, left); err != nil {
			return err
		}
	}
	d.gate.last = d.now()
	return nil
}
