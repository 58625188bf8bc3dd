package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// A room is one that somebody writes in and waits for each answer.
type room struct {
	p       *program
	name    string
	written int

	close   context.CancelFunc
	answers chan seen // closed when the stream has ended
}

// A seen is an answer on the event stream, with the time at which it was read.
type seen struct {
	text string
	at   time.Time
}

// open follows a room's events until close.
func (p *program) open(ctx context.Context, name string) (*room, error) {
	ctx, cancel := context.WithCancel(ctx)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/api/v1/rooms/"+name+"/events", nil)
	if err != nil {
		cancel()
		return nil, err
	}
	stream, err := p.client.Do(r)
	if err == nil && stream.StatusCode != http.StatusOK {
		stream.Body.Close()
		err = errors.New(stream.Status)
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("open room %s: %w", name, err)
	}
	in := &room{p: p, name: name, close: cancel, answers: make(chan seen, 16)}
	go func() {
		defer close(in.answers)
		defer stream.Body.Close()
		follow(stream.Body, func(text string) { in.answers <- seen{text, time.Now()} })
	}()
	return in, nil
}

// follow reads events to their end and passes on what the agent says: the text of its
// posts, and of their edits.
func follow(events io.Reader, said func(text string)) {
	lines := bufio.NewScanner(events)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var entry struct{ Kind, Text string }
		if json.Unmarshal([]byte(data), &entry) == nil && entry.Kind == "agent" {
			said(entry.Text)
		}
	}
}

// A cost is what a message took: until it was accepted, and until its answer stood
// in the room.
type cost struct{ accepted, answered time.Duration }

// answerWithin is how long an answer may take before it counts as lost.
const answerWithin = 30 * time.Second

// write writes a message and waits for its answer.
func (in *room) write(ctx context.Context) (cost, error) {
	in.written++
	text := fmt.Sprintf("message %d in %s", in.written, in.name)
	body, err := json.Marshal(map[string]string{"text": text, "user": "ada"})
	if err != nil {
		return cost{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, in.p.url+"/api/v1/rooms/"+in.name+"/messages", bytes.NewReader(body))
	if err != nil {
		return cost{}, err
	}
	r.Header.Set("Content-Type", "application/json")

	began := time.Now()
	answer, err := in.p.client.Do(r)
	accepted := time.Since(began)
	if err != nil {
		return cost{}, fmt.Errorf("write in room %s: %w", in.name, err)
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	if answer.StatusCode != http.StatusAccepted {
		return cost{}, fmt.Errorf("write in room %s: %s", in.name, answer.Status)
	}
	late := time.NewTimer(answerWithin)
	defer late.Stop()
	for {
		select {
		case s, open := <-in.answers:
			if !open {
				return cost{}, fmt.Errorf("room %s: the stream of events has ended", in.name)
			}
			// While the model writes, less than the final text may be there.
			if s.text == replyTo(text) {
				return cost{accepted, s.at.Sub(began)}, nil
			}
		case <-late.C:
			return cost{}, fmt.Errorf("room %s: message %d has no answer after %v", in.name, in.written, answerWithin)
		}
	}
}

// times writes messages one after the other, with a pause after each.
func (in *room) times(ctx context.Context, messages int, pause time.Duration) (accepted, answered []time.Duration, err error) {
	for range messages {
		c, err := in.write(ctx)
		if err != nil {
			return nil, nil, err
		}
		accepted, answered = append(accepted, c.accepted), append(answered, c.answered)
		time.Sleep(pause)
	}
	return accepted, answered, nil
}
