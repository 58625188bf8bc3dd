package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"
)

// The kinds of events. Connected and Alive are the Client's own: when either comes,
// whoever waits for something can look whether it has happened without an event, as
// when the server was killed right before writing one.
const (
	Connected = "connected" // the stream has begun, or begun again
	Alive     = "alive"     // nothing has happened for a while

	EventPost    = "post"
	EventEdit    = "edit"
	EventDelete  = "delete"
	EventReact   = "react"
	EventMark    = "mark"
	EventSettled = "settled"
	EventTyping  = "typing"
)

// An Event is something that happened in a room.
type Event struct {
	Kind    string
	Message Message // for post, edit, delete, react and mark

	// For settled: the message everything of which is done, and the turn.
	Settled string
	Turn    int64
}

// largestLine is more than an event of Aside can have.
const largestLine = 16 << 20

// Follow returns what happens in a room from now on, every event once and in order.
// It connects again by itself, and ends with an error when that does not succeed, or
// with the context's.
func (c *Client) Follow(ctx context.Context, room string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		last := ""
		for {
			s, err := c.connect(ctx, room, last)
			if err != nil {
				yield(Event{}, err)
				return
			}
			more := s.read(func(e Event) bool { return yield(e, nil) })
			last = s.last
			s.close()
			if !more {
				return
			}
			if err := c.wait(ctx, firstWait); err != nil {
				yield(Event{}, err)
				return
			}
		}
	}
}

// A stream is one connection of Follow.
type stream struct {
	body    io.ReadCloser
	last    string // the number of the last event
	alive   func() // is called for every line
	release func()
}

// connect opens a stream behind an event, and tries until there is one.
func (c *Client) connect(ctx context.Context, room, last string) (*stream, error) {
	var s *stream
	err := c.again(ctx, func() error {
		reading, cancel := context.WithCancel(ctx)
		// From the request on: a server that takes the connection and says nothing is
		// dead too.
		watchdog := time.AfterFunc(c.silence, cancel)
		r := request{method: http.MethodGet, path: inRoom(room, "events"), header: map[string]string{"Accept": "text/event-stream"}}
		if last != "" {
			r.header["Last-Event-ID"] = last
		}
		answer, err := c.send(reading, r)
		if err == nil && !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
			answer.Body.Close()
			err = ErrNotAside
		}
		if err != nil {
			watchdog.Stop()
			cancel()
			return err
		}
		s = &stream{
			body: answer.Body, last: last,
			alive:   func() { watchdog.Reset(c.silence) },
			release: func() { watchdog.Stop(); cancel() },
		}
		return nil
	})
	return s, err
}

func (s *stream) close() {
	s.release()
	s.body.Close()
}

// read gives all events of a stream away until it ends, whyever it does: true. It is
// false when nobody wants more.
func (s *stream) read(give func(Event) bool) bool {
	lines := bufio.NewScanner(s.body)
	lines.Buffer(nil, largestLine)
	var id, kind string
	var data []string
	begun := false
	for lines.Scan() {
		s.alive()
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case strings.HasPrefix(lines.Text(), ":"): // a comment
			if !give(Event{Kind: Alive}) {
				return false
			}
		case name == "id":
			id = value
		case name == "event":
			kind = value
		case name == "data":
			data = append(data, value)
		case name == "": // the event is complete
			if id != "" {
				s.last = id
			}
			if !begun {
				begun = true
				if !give(Event{Kind: Connected}) {
					return false
				}
			}
			if e, err := event(kind, strings.Join(data, "\n")); err == nil && !give(e) {
				return false
			}
			id, kind, data = "", "", nil
		}
	}
	return true
}

var errNoEvent = errors.New("not an event that is known here")

func event(kind, data string) (Event, error) {
	e := Event{Kind: kind}
	switch kind {
	case EventPost, EventEdit, EventDelete, EventReact, EventMark:
		return e, json.Unmarshal([]byte(data), &e.Message)
	case EventSettled:
		var body struct {
			Message string `json:"message"`
			Turn    int64  `json:"turn"`
		}
		err := json.Unmarshal([]byte(data), &body)
		e.Settled, e.Turn = body.Message, body.Turn
		return e, err
	case EventTyping:
		return e, nil
	}
	return e, errNoEvent
}
