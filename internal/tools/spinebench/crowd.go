package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// A crowd is many rooms that are written in at the same time, each waiting for its
// answer before the next message.
type crowd struct {
	rooms   []*room
	answers atomic.Int64 // in all rooms since the crowd is there
}

func (p *program) crowd(ctx context.Context, size int) (*crowd, error) {
	c := &crowd{}
	for n := range size {
		in, err := p.open(ctx, fmt.Sprintf("crowd%03d", n))
		if err != nil {
			c.close()
			return nil, err
		}
		c.rooms = append(c.rooms, in)
	}
	return c, nil
}

func (c *crowd) close() {
	for _, in := range c.rooms {
		in.close()
	}
}

// write has everyone write until enough says so. Every message that was begun is
// answered when it returns.
func (c *crowd) write(ctx context.Context, enough func(answers int64) bool) error {
	var writing sync.WaitGroup
	var failed atomic.Pointer[error]
	for _, in := range c.rooms {
		writing.Go(func() {
			for failed.Load() == nil && !enough(c.answers.Load()) {
				if _, err := in.write(ctx); err != nil {
					failed.CompareAndSwap(nil, &err)
					return
				}
				c.answers.Add(1)
			}
		})
	}
	writing.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}
