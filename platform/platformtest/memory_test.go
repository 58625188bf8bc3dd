package platformtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// memory is the reference: a server that is a few lists, and an adapter that does
// what the interface asks. The server numbers what it sends and remembers up to
// where it was told "received"; a new connection begins after that.
type memory struct {
	mistakes mistakes
	limits   platform.Limits

	mu        sync.Mutex
	news      chan struct{} // closed and replaced when anything changes
	events    []platform.Message
	acked     int // events before this index were received
	ackedIDs  map[string]chan struct{}
	ids       int
	posts     []Post
	keys      map[string]string // the ids of posts
	reactions map[string][]string
	faults    []Fault
	conn      *conn
}

// A conn is a connection to the server.
type conn struct {
	at   int // the index of the next event
	gone chan struct{}
}

var (
	errGone    = errors.New("connection lost")
	errRefused = errors.New("403: you may not write here")
	errLimited = errors.New("429: too many requests")
	errTooLong = errors.New("400: the text is too long")

	errTooLarge = errors.New("413: the file is too large")
)

var memoryRoom = platform.Room{Platform: "memory", ID: "1"}

func newMemory(m mistakes) *memory {
	return &memory{
		mistakes:  m,
		limits:    platform.Limits{Text: 200, EditEvery: time.Millisecond, FileSize: 1000, Choices: 5},
		news:      make(chan struct{}),
		ackedIDs:  map[string]chan struct{}{},
		keys:      map[string]string{},
		reactions: map[string][]string{},
	}
}

// change changes the server's state.
func (m *memory) change(do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	do()
	close(m.news)
	m.news = make(chan struct{})
}

// until waits for something that a change may bring about.
func (m *memory) until(ctx context.Context, gone <-chan struct{}, ok func() bool) error {
	for {
		m.mu.Lock()
		news, yes := m.news, ok()
		m.mu.Unlock()
		if yes {
			return nil
		}
		select {
		case <-news:
		case <-gone:
			return errGone
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (m *memory) Adapter() platform.Platform {
	a := &adapter{server: m, mistakes: m.mistakes}
	if m.mistakes.lacks {
		return struct{ platform.Platform }{a}
	}
	return a
}

func (m *memory) Room() platform.Room { return memoryRoom }

func (m *memory) Connected(ctx context.Context) error {
	return m.until(ctx, nil, func() bool { return m.conn != nil })
}

func (m *memory) Write(room platform.Room, text string) (id string) { return m.Attach(room, text) }

func (m *memory) Attach(room platform.Room, text string, files ...platform.File) (id string) {
	m.change(func() {
		id = m.newID()
		m.events = append(m.events, platform.Message{
			Room:   room,
			ID:     id,
			Author: platform.Person{ID: "p1", Name: "Ada"},
			Text:   text,
			At:     time.Unix(int64(m.ids), 0),
			Files:  files,
		})
		m.ackedIDs[id] = make(chan struct{})
	})
	return id
}

func (m *memory) newID() string {
	m.ids++
	return fmt.Sprint(m.ids)
}

func (m *memory) Repeat(_ platform.Room, id string) {
	m.change(func() {
		i := slices.IndexFunc(m.events, func(e platform.Message) bool { return e.ID == id })
		m.events = append(m.events, m.events[i])
	})
}

func (m *memory) Received(_ platform.Room, id string) <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ackedIDs[id]
}

func (m *memory) Posts(platform.Room) []Post {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.posts)
}

func (m *memory) Reactions(_ platform.Room, message string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.reactions[message])
}

func (m *memory) Fail(fault Fault) {
	m.change(func() { m.faults = append(m.faults, fault) })
}

func (m *memory) Drop() {
	m.change(func() {
		if m.conn != nil {
			close(m.conn.gone)
			m.conn = nil
		}
	})
}

// What follows is for the adapter.

func (m *memory) connect() *conn {
	c := &conn{gone: make(chan struct{})}
	m.change(func() {
		c.at = m.acked
		m.conn = c
	})
	return c
}

// next waits for messages.
func (m *memory) next(ctx context.Context, c *conn) ([]platform.Message, error) {
	var batch []platform.Message
	err := m.until(ctx, c.gone, func() bool {
		batch = slices.Clone(m.events[c.at:])
		c.at += len(batch)
		return len(batch) > 0
	})
	return batch, err
}

// ack says that a message was received.
func (m *memory) ack() {
	m.change(func() {
		id := m.events[m.acked].ID
		m.acked++
		select {
		case <-m.ackedIDs[id]:
		default:
			close(m.ackedIDs[id])
		}
	})
}

// write does something unless a fault forbids it.
func (m *memory) write(do func() (string, error)) (id string, err error) {
	m.change(func() {
		fault := Fault(255)
		if len(m.faults) > 0 {
			fault, m.faults = m.faults[0], m.faults[1:]
		}
		switch fault {
		case Refuse:
			err = errRefused
		case Limit:
			err = errLimited
		case Lose:
			_, _ = do()
			err = errGone
		default:
			id, err = do()
		}
	})
	return id, err
}

// put adds a post, or finds the one with the key.
func (m *memory) put(key, text string, files []platform.File) (string, error) {
	if m.limits.Count.Of(text) > m.limits.Text {
		return "", errTooLong
	}
	for _, f := range files {
		if int64(len(f.Data)) > m.limits.FileSize {
			return "", errTooLarge
		}
	}
	id, ok := m.keys[key]
	if !ok || key == "" {
		id = m.newID()
		m.keys[key] = id
		m.posts = append(m.posts, Post{ID: id, Text: text, Files: files})
	} else if m.mistakes.filesTwice {
		m.posts[len(m.posts)-1].Files = append(m.posts[len(m.posts)-1].Files, files...)
	}
	return id, nil
}

func (m *memory) edit(id, text string) (string, error) {
	i := slices.IndexFunc(m.posts, func(p Post) bool { return p.ID == id })
	if i < 0 {
		return "", errRefused
	}
	if m.mistakes.appendsEdit {
		text = strings.TrimPrefix(m.posts[i].Text+text, "Thinking…")
	}
	if !m.mistakes.forgetsEdit {
		m.posts[i].Text = text
	}
	return id, nil
}

func (m *memory) delete(id string) (string, error) {
	if !m.mistakes.forgetsDelete {
		m.posts = slices.DeleteFunc(m.posts, func(p Post) bool { return p.ID == id })
	}
	return id, nil
}

func (m *memory) react(message, emoji string, on bool) (string, error) {
	had := slices.Contains(m.reactions[message], emoji)
	if m.mistakes.togglesReaction && had {
		on = false
	}
	switch {
	case on && !had:
		m.reactions[message] = append(m.reactions[message], emoji)
	case !on:
		m.reactions[message] = slices.DeleteFunc(m.reactions[message], func(e string) bool { return e == emoji })
	}
	return "", nil
}
