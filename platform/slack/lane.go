package slack

import (
	"context"
	"sync"
)

// lanes do things in order, each channel's for itself: a large file in one holds up
// nobody in another.
type lanes struct {
	waiting chan struct{} // holds one for each that waits
	work    sync.WaitGroup

	mu    sync.Mutex
	ended bool                // nothing is added any more
	lanes map[string][]func() // that run, with what is next
}

// mostWaiting is how many events may wait; then Slack has to.
const mostWaiting = 512

func newLanes() *lanes {
	return &lanes{waiting: make(chan struct{}, mostWaiting), lanes: map[string][]func(){}}
}

// add has something done after everything before it in a channel. It returns false if
// the context ends first, or the lanes have.
func (l *lanes) add(ctx context.Context, channel string, do func()) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case l.waiting <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		<-l.waiting
		return false
	}
	queue, runs := l.lanes[channel]
	l.lanes[channel] = append(queue, do)
	if !runs {
		l.work.Go(func() { l.run(channel) })
	}
	return true
}

func (l *lanes) run(channel string) {
	for {
		l.mu.Lock()
		queue := l.lanes[channel]
		if len(queue) == 0 {
			delete(l.lanes, channel)
			l.mu.Unlock()
			return
		}
		do := queue[0]
		l.lanes[channel] = queue[1:]
		l.mu.Unlock()
		do()
		<-l.waiting
	}
}

// end waits until everything that was added is done.
func (l *lanes) end() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	l.work.Wait()
}
