package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// The budgets.
const (
	answered50    = 5 * time.Millisecond
	answered99    = 15 * time.Millisecond
	messagesASec  = 300.0
	startToReady  = 60 * time.Millisecond
	idleMemory    = 40e6
	memoryGrowth  = 5e6
	binarySize    = 50e6
	flushesAtMost = 8.0
	remembered99  = 20 * time.Millisecond
)

// A bench measures one program.
type bench struct {
	options
	dir  string
	rows []row
}

func (b *bench) add(rows ...row) { b.rows = append(b.rows, rows...) }

// measure does everything that was asked for and returns the table.
func (b *bench) measure(ctx context.Context) ([]row, error) {
	if b.memory {
		err := b.remembering(ctx)
		return b.rows, err
	}
	if b.binary == "" {
		say("building the program")
		b.binary = filepath.Join(b.dir, "aside")
		if err := build(ctx, b.binary); err != nil {
			return nil, err
		}
	}
	flushes, err := diskFlush(b.dir)
	if err != nil {
		return nil, err
	}
	b.add(known("one flush of this disk, p50 / p99", both(flushes)))
	steps := []func(context.Context) error{b.one, b.many, b.flushes, b.size, b.remembering}
	if b.database == "postgres" {
		steps = []func(context.Context) error{b.postgres}
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return b.rows, nil
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "spinebench: "+format+"\n", args...) }

// one measures a program in which one person writes, and then its starts.
func (b *bench) one(ctx context.Context) error {
	p, err := newProgram(b.binary, filepath.Join(b.dir, "one"), "sqlite")
	if err != nil {
		return err
	}
	defer p.close() //nolint:errcheck // stopped below
	if _, err := p.start(ctx); err != nil {
		return err
	}
	idle, err := p.restingMemory()
	if err != nil && !errors.Is(err, errNoMemory) {
		return err
	}
	const what = "memory idle, web only (RSS)"
	if err != nil {
		b.add(unmeasured(what, "≤ "+megabytes(idleMemory), err.Error()))
	} else {
		b.add(atMost(what, idle, idleMemory, megabytes))
	}
	if err := b.perMessage(ctx, p); err != nil {
		return err
	}
	if err := p.stop(); err != nil {
		return err
	}
	return b.restarts(ctx, p)
}

// perMessage measures messages one after the other in one room.
func (b *bench) perMessage(ctx context.Context, p *program) error {
	in, err := p.open(ctx, "one")
	if err != nil {
		return err
	}
	defer in.close()
	say("%d messages, one after the other, after %d to warm up", b.sequential, b.warmUp)
	if _, _, err := in.times(ctx, b.warmUp, 0); err != nil {
		return err
	}
	accepted, answered, err := in.times(ctx, b.sequential, 0)
	if err != nil {
		return err
	}
	_, rested, err := in.times(ctx, b.spaced, settle)
	if err != nil {
		return err
	}
	if b.database == "sqlite" {
		b.add(
			atMost("a message until its answer is visible, p50", median(answered), answered50, milliseconds),
			atMost("a message until its answer is visible, p99", percentile(answered, 99), answered99, milliseconds),
		)
	} else {
		b.add(known("a message until its answer is visible, p50 / p99", both(answered)))
	}
	b.add(
		known("  of it until it is accepted (202), p50 / p99", both(accepted)),
		known("  with a pause after each answer, p50 / p99", both(rested)),
	)
	// What starts are measured with.
	_, _, err = in.times(ctx, max(0, b.small-in.written), 0)
	return err
}

// restarts measures the start with the data that is there.
func (b *bench) restarts(ctx context.Context, p *program) error {
	say("%d starts with %d messages there", b.starts, b.small)
	var times []time.Duration
	for range b.starts {
		took, err := p.start(ctx)
		if err != nil {
			return err
		}
		times = append(times, took)
		if err := p.stop(); err != nil {
			return err
		}
	}
	b.add(
		atMost(fmt.Sprintf("start to ready with %d messages, median of %d", b.small, b.starts), median(times), startToReady, milliseconds),
		known("  fastest / slowest", milliseconds(slices.Min(times))+" / "+milliseconds(slices.Max(times))),
	)
	return nil
}

// many measures a program in which many rooms are written in at the same time.
func (b *bench) many(ctx context.Context) error {
	p, err := newProgram(b.binary, filepath.Join(b.dir, "many"), "sqlite")
	if err != nil {
		return err
	}
	defer p.close() //nolint:errcheck // stopped below
	if _, err := p.start(ctx); err != nil {
		return err
	}
	c, err := p.crowd(ctx, b.rooms)
	if err != nil {
		return err
	}
	defer c.close()
	say("%d messages in %d rooms", b.small, b.rooms)
	if err := c.write(ctx, func(n int64) bool { return n >= int64(b.small) }); err != nil {
		return err
	}
	small, err := p.restingMemory()
	if err != nil && !errors.Is(err, errNoMemory) {
		return err
	}
	say("%v of messages in %d rooms", b.busy, b.rooms)
	rate, err := c.rate(ctx, b.busy)
	if err != nil {
		return err
	}
	b.add(atLeast(fmt.Sprintf("messages per second in %d rooms", b.rooms), rate, messagesASec, perSecond))
	const what = "memory more at %d messages than at %d"
	if small == 0 {
		b.add(unmeasured(fmt.Sprintf(what, b.big, b.small), "≤ "+megabytes(memoryGrowth), errNoMemory.Error()))
		return p.stop()
	}
	say("on to %d messages, for the memory", b.big)
	if err := c.write(ctx, func(n int64) bool { return n >= int64(b.big) }); err != nil {
		return err
	}
	big, err := p.restingMemory()
	if err != nil {
		return err
	}
	b.add(
		known(fmt.Sprintf("memory after %d / %d messages (RSS)", b.small, c.answers.Load()), megabytes(small)+" / "+megabytes(big)),
		atMost(fmt.Sprintf(what, c.answers.Load(), b.small), big-small, memoryGrowth, megabytes),
	)
	c.close()
	if err := p.stop(); err != nil {
		return err
	}
	b.add(known("processor time per message", milliseconds(p.worked/time.Duration(c.answers.Load()))))
	return nil
}

// rate is how many messages are answered in a second.
func (c *crowd) rate(ctx context.Context, during time.Duration) (float64, error) {
	before, began := c.answers.Load(), time.Now()
	err := c.write(ctx, func(int64) bool { return time.Since(began) >= during })
	return float64(c.answers.Load()-before) / time.Since(began).Seconds(), err
}

// restingMemory is what the program takes when it has nothing to do, the median of
// samples over two seconds.
func (p *program) restingMemory() (int64, error) {
	var samples []int64
	for range 20 {
		time.Sleep(100 * time.Millisecond)
		n, err := p.memory()
		if err != nil {
			return 0, err
		}
		samples = append(samples, n)
	}
	slices.Sort(samples)
	return samples[len(samples)/2], nil
}

// flushes counts what a message costs the disk.
func (b *bench) flushes(ctx context.Context) error {
	const what = "flushes to the disk per message"
	if !haveStrace() {
		b.add(unmeasured(what, "≤ "+count(flushesAtMost), "strace is missing"))
		return nil
	}
	say("%d messages under strace", b.flushed)
	n, err := b.flushesPerMessage(ctx)
	if err != nil {
		return err
	}
	b.add(atMost(what, n, flushesAtMost, count))
	return nil
}

func (b *bench) size(context.Context) error {
	info, err := os.Stat(b.binary)
	if err != nil {
		return err
	}
	b.add(atMost("the program, stripped", info.Size(), binarySize, megabytes))
	return nil
}
