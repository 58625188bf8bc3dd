package slack

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/asidehq/aside/platform"
)

// A frame is what Socket Mode sends.
type frame struct {
	Type     string          `json:"type"`
	Envelope string          `json:"envelope_id"`
	Payload  json.RawMessage `json:"payload"`
	Reason   string          `json:"reason"`
}

// A conn is one connection of Socket Mode. It reads and pings by itself, so that handling
// an event may take its time.
type conn struct {
	ws     *websocket.Conn
	log    *slog.Logger
	frames chan frame    // closed when there are no more
	done   chan struct{} // closed when nobody takes frames any more
	once   sync.Once
	full   atomic.Bool // nobody reads: there are frames enough
	work   sync.WaitGroup

	mu  sync.Mutex
	err error // why it has ended
}

const (
	largestFrame = 8 << 20
	readAhead    = 64
	dialPatience = 15 * time.Second
)

var errSilent = errors.New("pings are not answered")

// dial asks for a connection, connects, and waits for the hello. The address is a secret:
// it does not get into an error.
func (s *Slack) dial(ctx context.Context) (*conn, error) {
	var open struct {
		URL string `json:"url"`
	}
	if err := s.call(ctx, "apps.connections.open", nil, &open); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	ws, response, err := websocket.Dial(ctx, open.URL, nil)
	if response != nil && response.Body != nil && err != nil {
		_ = response.Body.Close()
	}
	if err != nil {
		return nil, errors.New("the connection for Socket Mode cannot be made")
	}
	ws.SetReadLimit(largestFrame)
	c := &conn{ws: ws, log: s.log, frames: make(chan frame, readAhead), done: make(chan struct{})}
	if err := c.hello(ctx); err != nil {
		_ = ws.CloseNow()
		return nil, err
	}
	c.work.Go(c.read)
	c.work.Go(func() { c.ping(s.options.Ping) })
	return c, nil
}

func (c *conn) hello(ctx context.Context) error {
	_, data, err := c.ws.Read(ctx)
	if err != nil {
		return errors.New("Slack has hung up without a hello")
	}
	var f frame
	if decode(data, &f) != nil || f.Type != "hello" {
		if f.Type == "disconnect" && f.Reason == disabled {
			return fatal(socketModeOff)
		}
		return errors.New("Slack did not say hello")
	}
	return nil
}

// read reads frames until the connection ends. What is no frame is left out.
func (c *conn) read() {
	defer close(c.frames)
	for {
		kind, data, err := c.ws.Read(context.Background())
		if err != nil {
			c.fail(err)
			return
		}
		var f frame
		if kind != websocket.MessageText || decode(data, &f) != nil {
			c.log.Warn("Slack has sent something that cannot be read", "bytes", len(data))
			continue
		}
		c.full.Store(true)
		select {
		case c.frames <- f:
			c.full.Store(false)
		case <-c.done:
			return
		}
	}
}

// ping tries the connection out. One on which nothing comes back is dead, whatever it
// looks like. While nobody reads, nothing can come back.
func (c *conn) ping(every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-t.C:
		}
		if c.full.Load() {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), every)
		err := c.ws.Ping(ctx)
		cancel()
		if err != nil && !c.full.Load() {
			c.fail(errSilent)
			_ = c.ws.CloseNow()
			return
		}
	}
}

// acknowledge tells Slack that an envelope was received, with an answer if it is not nil.
// If it cannot, Slack sends the envelope again.
func (c *conn) acknowledge(envelope string, answer any) {
	ack := map[string]any{"envelope_id": envelope}
	if answer != nil {
		ack["payload"] = answer
	}
	packed, err := json.Marshal(ack)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), dialPatience)
	defer cancel()
	_ = c.ws.Write(ctx, websocket.MessageText, packed)
}

// fail remembers the first reason why the connection has ended.
func (c *conn) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
}

// why is the reason why the connection has ended, nil if it has not.
func (c *conn) why() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// end hangs up and waits for what belongs to the connection.
func (c *conn) end() {
	c.once.Do(func() { close(c.done) })
	_ = c.ws.CloseNow()
	c.work.Wait()
}

// A fatal error is one that a person must mend.
type fatal string

func (f fatal) Error() string { return string(f) }

// mend is the error if a person must mend it, and nil otherwise.
func mend(err error) error {
	var end fatal
	var p *platform.Problem
	switch {
	case errors.As(err, &end):
		return end
	case is(err, "missing_scope") && errors.As(err, &p), refused(err) && errors.As(err, &p):
		return fatal(p.Reason)
	}
	return nil
}
