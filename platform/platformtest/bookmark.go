package platformtest

import (
	"context"
	"sync"
)

// A Bookmark is what a restarted program finds: some bytes that an adapter keeps. The zero
// Bookmark is empty.
type Bookmark struct {
	mu   sync.Mutex
	data []byte
	err  error
}

// Load gives what was saved last.
func (b *Bookmark) Load(context.Context) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data, b.err
}

// Save replaces what is kept.
func (b *Bookmark) Save(_ context.Context, data []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.data = data
	}
	return b.err
}

// Break makes Load and Save fail from now on; with nil they work again.
func (b *Bookmark) Break(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = err
}
