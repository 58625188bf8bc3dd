package telegram

import (
	"context"
	"sync"
	"time"
)

// pauses are how long Telegram asks to wait, by chat: what one chat has too much of holds
// up no other one.
type pauses struct {
	mu    sync.Mutex
	chats map[int64]time.Time
}

func newPauses() *pauses { return &pauses{chats: map[int64]time.Time{}} }

func (p *pauses) until(chat int64, when, now time.Time) {
	if chat == 0 {
		return // what is asked of Telegram itself is waited for where it is asked
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for old, end := range p.chats {
		if !end.After(now) {
			delete(p.chats, old)
		}
	}
	p.chats[chat] = when
}

func (p *pauses) left(chat int64, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.chats[chat].Sub(now)
}

// doors let one placeholder at a time into a chat: what lies between two ids is then
// nobody's whose answer is still to come.
type doors struct {
	mu    sync.Mutex
	chats map[int64]*door
}

type door struct {
	pass  chan struct{}
	users int
}

func newDoors() *doors { return &doors{chats: map[int64]*door{}} }

// enter waits for its turn.
func (d *doors) enter(ctx context.Context, chat int64) (leave func(), err error) {
	d.mu.Lock()
	at := d.chats[chat]
	if at == nil {
		at = &door{pass: make(chan struct{}, 1)}
		d.chats[chat] = at
	}
	at.users++
	d.mu.Unlock()
	gone := func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if at.users--; at.users == 0 {
			delete(d.chats, chat)
		}
	}
	select {
	case at.pass <- struct{}{}:
		return func() { <-at.pass; gone() }, nil
	case <-ctx.Done():
		gone()
		return nil, ctx.Err()
	}
}
