package platformtest

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/asidehq/aside/platform"
)

// ErrNotStored is why an Inbox does not store what it was told not to.
var ErrNotStored = errors.New("the disk is full")

// An Inbox stores each message once, as the store does, and can be told to do something
// before.
type Inbox struct {
	mu     sync.Mutex
	stored []platform.Message
	news   chan struct{} // closed and replaced when something is stored
	before func(ctx context.Context, m platform.Message) error
	events []platform.ThreadEvent
}

// NewInbox makes an empty inbox.
func NewInbox() *Inbox { return &Inbox{news: make(chan struct{})} }

// Receive stores a message.
func (b *Inbox) Receive(ctx context.Context, m platform.Message) error {
	b.mu.Lock()
	before := b.before
	b.mu.Unlock()
	if before != nil {
		if err := before(ctx, m); err != nil {
			return err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, old := range b.stored {
		if old.Room == m.Room && old.ID == m.ID {
			return nil
		}
	}
	b.stored = append(b.stored, m)
	close(b.news)
	b.news = make(chan struct{})
	return nil
}

// ThreadEvent implements platform.Watcher.
func (b *Inbox) ThreadEvent(e platform.ThreadEvent) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events = append(b.events, e)
}

// ThreadEvents are what was told of threads since it was last asked for.
func (b *Inbox) ThreadEvents() []platform.ThreadEvent {
	b.mu.Lock()
	defer b.mu.Unlock()
	events := b.events
	b.events = nil
	return events
}

// Before says what happens before a message is stored; an error means that it is not. nil
// is nothing. An adapter may ask for several messages at a time.
func (b *Inbox) Before(do func(ctx context.Context, m platform.Message) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.before = do
}

// FailNext leaves the next messages unstored, so many of them.
func (b *Inbox) FailNext(count int) {
	b.Before(func(context.Context, platform.Message) error {
		b.mu.Lock()
		defer b.mu.Unlock()
		if count == 0 {
			return nil
		}
		count--
		return ErrNotStored
	})
}

// PanicAt panics when a message with this text comes.
func (b *Inbox) PanicAt(text string) {
	b.Before(func(_ context.Context, m platform.Message) error {
		if m.Text == text {
			panic("a mistake")
		}
		return nil
	})
}

// Messages are what was stored, in that order.
func (b *Inbox) Messages() []platform.Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.stored)
}

// Texts are those of Messages.
func (b *Inbox) Texts() []string {
	var texts []string
	for _, m := range b.Messages() {
		texts = append(texts, m.Text)
	}
	return texts
}

// Changed is closed when the next message is stored.
func (b *Inbox) Changed() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.news
}

// Wait waits for a message, and gives the first that is the one.
func (b *Inbox) Wait(ctx context.Context, is func(platform.Message) bool) (platform.Message, error) {
	for {
		news := b.Changed()
		all := b.Messages()
		if i := slices.IndexFunc(all, is); i >= 0 {
			return all[i], nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return platform.Message{}, ctx.Err()
		}
	}
}

// Take takes a message out, so that Messages has it no more; it may come again.
func (b *Inbox) Take(m platform.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stored = slices.DeleteFunc(slices.Clone(b.stored), func(old platform.Message) bool {
		return old.Room == m.Room && old.ID == m.ID
	})
}
