package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	keepAlive  = 15 * time.Second
	eventBatch = 100 // events read from the log at once

	// readWithin is how long a client may take to read what is there for it. It is
	// cut off then and can come back to where it was.
	readWithin = 30 * time.Second
)

// getEvents streams what happens in a room. It is driven by the log alone: being
// woken only says when to look, and so does the keep-alive, so that an event arrives
// even if nobody said so.
func (w *Web) getEvents(rw http.ResponseWriter, r *http.Request) {
	run := w.running()
	if run == nil || w.streams.Err() != nil {
		refuseForNow(rw)
		return
	}
	room, err := roomOf(r)
	if err != nil {
		refuseRequest(rw, err)
		return
	}
	after, resumes, err := resumeAfter(r)
	if err != nil {
		refuseRequest(rw, err)
		return
	}
	html, err := wantsHTML(r)
	if err != nil {
		refuseRequest(rw, err)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(run.ctx, cancel)()
	defer context.AfterFunc(w.streams, cancel)()

	// Before the log is read for the first time, or what is written in between would
	// wake nobody.
	sub := w.subscribe(room)
	defer w.unsubscribe(room, sub)
	last, err := w.log.Last(ctx, room)
	if err != nil {
		w.broken(rw, "the events could not be read", err)
		return
	}
	// A number that the room has not reached is from before its log was begun anew.
	if !resumes || after > last {
		after = last
	}
	s := &stream{log: w.log, room: room, after: after, sub: sub, out: rw, control: http.NewResponseController(rw)}
	if html {
		s.dress = w.withHTML
	}
	if !s.begin() || r.Method == http.MethodHead {
		return
	}
	defer s.end()
	tick, stop := w.every(keepAlive)
	defer stop()
	if err := s.follow(ctx, tick); !errors.Is(err, errGone) && ctx.Err() == nil {
		w.logger.Error("an event stream ended early", "room", room, "error", err)
	}
}

// resumeAfter is the number of the last event that the client has seen. The header
// is what a browser sends when it comes back, to an address that still says where
// it began.
func resumeAfter(r *http.Request) (after int64, resumes bool, err error) {
	name, value := "Last-Event-ID", r.Header.Get("Last-Event-ID")
	if value == "" {
		name, value = "after", r.URL.Query().Get("after")
	}
	if value == "" {
		return 0, false, nil
	}
	after, err = strconv.ParseInt(value, 10, 64)
	if err != nil || after < 0 {
		return 0, false, invalid("%s is the number of an event", name)
	}
	return after, true, nil
}

// A stream is one client's.
type stream struct {
	log   Log
	room  string
	after int64 // the last event that was sent
	sub   *subscriber
	dress func(Event) (Event, error) // nil sends events as they are

	out     http.ResponseWriter
	control *http.ResponseController
	buffer  bytes.Buffer
}

// begin sends the number that the stream begins after, so that a client which is cut
// off before the first event can resume too.
func (s *stream) begin() bool {
	header := s.out.Header()
	header.Set("Content-Type", "text/event-stream; charset=utf-8")
	header.Set("X-Accel-Buffering", "no") // or a proxy holds events back
	// The server's own time limits are for requests that end. Where they cannot be
	// lifted there are none.
	_ = s.control.SetReadDeadline(time.Time{})
	fmt.Fprintf(&s.buffer, "retry: 1000\nid: %d\n\n", s.after)
	return s.send() == nil
}

// end takes back the deadline, which the connection's next request would inherit.
func (s *stream) end() { _ = s.control.SetWriteDeadline(time.Time{}) }

// errGone says that the client went away or was too slow.
var errGone = errors.New("the client is gone")

// follow sends events until it cannot go on, and says why.
func (s *stream) follow(ctx context.Context, tick <-chan time.Time) error {
	for {
		if s.sub.typing.Swap(false) {
			// Without a number: it is not in the log, and nobody resumes after it.
			fmt.Fprintf(&s.buffer, "event: typing\ndata: {\"room\":%q}\n\n", s.room)
		}
		if err := s.catchUp(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.sub.wake:
		case <-tick:
			s.buffer.WriteString(": still here\n\n")
		}
	}
}

// catchUp sends what the log has behind the last event.
func (s *stream) catchUp(ctx context.Context) error {
	for {
		events, err := s.log.Events(ctx, s.room, s.after, eventBatch)
		if err != nil {
			return err
		}
		for _, e := range events {
			if s.dress != nil {
				if e, err = s.dress(e); err != nil {
					return err
				}
			}
			fmt.Fprintf(&s.buffer, "id: %d\nevent: %s\ndata: %s\n\n", e.ID, e.Kind, oneLine.Replace(string(e.Body)))
			s.after = e.ID
		}
		if err := s.send(); err != nil {
			return errGone
		}
		if len(events) < eventBatch {
			return nil
		}
	}
}

// oneLine keeps an event's body on its line. In JSON a line break is white space.
var oneLine = strings.NewReplacer("\n", " ", "\r", " ")

// send writes the buffer.
func (s *stream) send() error {
	if s.buffer.Len() == 0 {
		return nil
	}
	defer s.buffer.Reset()
	// The network's clock, not ours.
	_ = s.control.SetWriteDeadline(time.Now().Add(readWithin))
	if _, err := s.out.Write(s.buffer.Bytes()); err != nil {
		return err
	}
	return s.control.Flush()
}
