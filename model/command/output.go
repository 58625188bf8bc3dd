package command

import (
	"errors"
	"sync"
)

var errTooMuch = errors.New("it writes without end")

// An output takes what the program writes, so that it never has to wait: a program
// that ends has written everything, however slowly its reply is shown.
type output struct {
	more chan struct{} // has an element when there is something to take

	mu   sync.Mutex
	data []byte
	left int // how much more may come; less than 0 when more came
	full func()
}

// newOutput takes up to limit bytes, and calls full when there are more.
func newOutput(limit int, full func()) output {
	return output{more: make(chan struct{}, 1), left: limit, full: full}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.left -= len(p)
	if o.left < 0 {
		o.full()
		return 0, errTooMuch
	}
	o.data = append(o.data, p...)
	select {
	case o.more <- struct{}{}:
	default:
	}
	return len(p), nil
}

// take is what was written since the last time.
func (o *output) take() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	data := o.data
	o.data = nil
	return data
}

// tooMuch tells whether more came than may.
func (o *output) tooMuch() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.left < 0
}

// A tail keeps the end of what is written: that is where programs say why they fail.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const tailLimit = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if n := len(t.data) - tailLimit; n > 0 {
		t.data = append([]byte(nil), t.data[n:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var c cleaner
	return c.clean(t.data) + c.rest()
}
