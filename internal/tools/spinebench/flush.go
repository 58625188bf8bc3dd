package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// diskFlush returns how long the disk takes for one small write that it must not
// lose: what every commit costs at least.
func diskFlush(dir string) ([]time.Duration, error) {
	f, err := os.Create(filepath.Join(dir, "flush"))
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	var times []time.Duration
	for range 200 {
		began := time.Now()
		if _, err := f.Write(make([]byte, 4096)); err != nil {
			return nil, err
		}
		if err := f.Sync(); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began))
	}
	return times, nil
}

// flushesPerMessage runs the program under strace and counts its flushes. Those of
// the start are left out, which is why it is not strace -c.
func (b *bench) flushesPerMessage(ctx context.Context) (float64, error) {
	log := filepath.Join(b.dir, "strace")
	p, err := newProgram(b.binary, filepath.Join(b.dir, "flushes"), "sqlite")
	if err != nil {
		return 0, err
	}
	defer p.close() //nolint:errcheck // stopped below
	if _, err := p.start(ctx, "strace", "-f", "-e", "trace=fsync,fdatasync", "-o", log); err != nil {
		return 0, err
	}
	in, err := p.open(ctx, "flushes")
	if err != nil {
		return 0, err
	}
	defer in.close()
	if _, _, err := in.times(ctx, 10, settle); err != nil {
		return 0, err
	}
	before, err := flushesIn(log)
	if err != nil {
		return 0, err
	}
	// With a pause, so that each message has a job of its own: the most it can take.
	if _, _, err := in.times(ctx, b.flushed, settle); err != nil {
		return 0, err
	}
	after, err := flushesIn(log)
	if err != nil {
		return 0, err
	}
	in.close()
	return float64(after-before) / float64(b.flushed), p.stop()
}

// settle is the pause in which a turn is settled and its job ended.
const settle = 30 * time.Millisecond

func flushesIn(log string) (int, error) {
	text, err := os.ReadFile(log)
	if err != nil {
		return 0, fmt.Errorf("read what strace wrote: %w", err)
	}
	return countFlushes(string(text)), nil
}

// flushCall is a call as strace writes it. One that another thread has interrupted
// stands there twice, the second time as <... fsync resumed>.
var flushCall = regexp.MustCompile(`(?m)^(?:\d+ +)?(?:fsync|fdatasync)\(`)

func countFlushes(log string) int { return len(flushCall.FindAllString(log, -1)) }

func haveStrace() bool {
	_, err := exec.LookPath("strace")
	return err == nil
}
