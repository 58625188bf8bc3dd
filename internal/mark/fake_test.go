package mark_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// A fault is what becomes of a request.
type fault int

const (
	none     fault = iota
	lost           // it does not arrive, and nobody knows
	answered       // it is done, and the answer is lost
	limited
	failed
	refused
	hangs     // until the client goes away
	doneHangs // the same, when it was done
)

// A fake is a platform in memory that notes what stands on messages.
type fake struct {
	platform.Platform
	name string

	mu     sync.Mutex
	faults []fault
	on     map[string][]string // by message
	gone   map[string]bool     // messages that are deleted
	seen   []string            // message and emoji, as they were put on
	calls  int
	hung   chan struct{} // a request hangs
}

func newFake(name string) *fake {
	return &fake{name: name, on: map[string][]string{}, gone: map[string]bool{}, hung: make(chan struct{}, 100)}
}

func (f *fake) Name() string { return f.name }

func (f *fake) fail(all ...fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = append(f.faults, all...)
}

// mend forgets the faults that have not happened.
func (f *fake) mend() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = nil
}

// remove deletes a message.
func (f *fake) remove(message string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gone[message] = true
	delete(f.on, message)
}

func (f *fake) there(message string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Sorted(slices.Values(f.on[message]))
}

func (f *fake) history() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.seen)
}

// do changes what stands on a message, or not.
func (f *fake) do(ctx context.Context, message string, change func(on []string) []string) platform.Receipt {
	f.mu.Lock()
	f.calls++
	next := none
	if len(f.faults) > 0 {
		next, f.faults = f.faults[0], f.faults[1:]
	}
	if f.gone[message] {
		next = refused
	}
	if next == none || next == answered || next == doneHangs {
		f.on[message] = change(f.on[message])
	}
	f.mu.Unlock()
	switch next {
	case none:
		return platform.Receipt{Outcome: platform.Delivered, ID: message}
	case limited:
		return platform.Receipt{Outcome: platform.Limited, RetryAfter: 2 * time.Second}
	case failed:
		return platform.Receipt{Outcome: platform.Failed}
	case refused:
		return platform.Receipt{Outcome: platform.Refused, Reason: "it is gone"}
	case hangs, doneHangs:
		f.hung <- struct{}{}
		<-ctx.Done()
	}
	return platform.Receipt{Outcome: platform.Unknown}
}

// A reactor can have several emoji on a message.
type reactor struct{ *fake }

func (f *fake) asReactor() platform.Platform { return reactor{f} }

func (r reactor) React(ctx context.Context, _ platform.Room, message, emoji string) platform.Receipt {
	return r.do(ctx, message, func(on []string) []string {
		if slices.Contains(on, emoji) {
			return on
		}
		r.seen = append(r.seen, message+" "+emoji)
		return append(on, emoji)
	})
}

func (r reactor) Unreact(ctx context.Context, _ platform.Room, message, emoji string) platform.Receipt {
	return r.do(ctx, message, func(on []string) []string {
		return slices.DeleteFunc(on, func(e string) bool { return e == emoji })
	})
}

// A marker has one on each.
type marker struct{ *fake }

func (f *fake) asMarker() platform.Platform { return marker{f} }

func (m marker) Mark(ctx context.Context, _ platform.Room, message, glyph string) platform.Receipt {
	return m.do(ctx, message, func([]string) []string {
		if glyph == "" {
			return nil
		}
		m.seen = append(m.seen, message+" "+glyph)
		return []string{glyph}
	})
}

// react is what an action of the agent does.
func (f *fake) react(one bool, message, emoji string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one {
		f.on[message] = nil
	}
	if !slices.Contains(f.on[message], emoji) && !f.gone[message] {
		f.on[message] = append(f.on[message], emoji)
	}
}
