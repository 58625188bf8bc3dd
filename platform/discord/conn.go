package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// What is sent over the gateway.
const (
	opDispatch  = 0
	opHeartbeat = 1
	opIdentify  = 2
	opPresence  = 3
	opVoice     = 4
	opResume    = 6
	opReconnect = 7
	opInvalid   = 9
	opHello     = 10
	opACK       = 11
)

// A frame is what the gateway sends.
type frame struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  int64           `json:"s"`
	Type string          `json:"t"`
}

// A conn is one connection to the gateway. It reads and sends heartbeats by itself, so
// that handling an event may take its time.
type conn struct {
	ws     *websocket.Conn
	log    *slog.Logger
	frames chan frame    // closed when there are no more
	done   chan struct{} // closed when nobody takes frames any more
	once   sync.Once
	seq    atomic.Int64
	acked  atomic.Bool
	work   sync.WaitGroup

	mu  sync.Mutex
	err error // why it has ended
}

const (
	largestFrame = 64 << 20 // a large guild is some megabytes
	readAhead    = 256      // events; then Discord has to wait
	dialPatience = 15 * time.Second
)

// dial connects, and waits for the gateway's hello.
func dial(ctx context.Context, gateway string, log *slog.Logger) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	u, err := url.Parse(gateway)
	if err != nil {
		return nil, fatal("the address of Discord's gateway cannot be read: look at platforms.discord.gateway_url")
	}
	u.RawQuery = "v=10&encoding=json"
	ws, response, err := websocket.Dial(ctx, u.String(), nil)
	if response != nil && response.Body != nil && err != nil {
		_ = response.Body.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("connect to Discord's gateway: %w", err)
	}
	ws.SetReadLimit(largestFrame)
	c := &conn{ws: ws, log: log, frames: make(chan frame, readAhead), done: make(chan struct{})}
	c.acked.Store(true)
	every, err := c.hello(ctx)
	if err != nil {
		_ = ws.CloseNow()
		return nil, err
	}
	c.work.Go(c.read)
	c.work.Go(func() { c.beat(every) })
	return c, nil
}

func (c *conn) hello(ctx context.Context) (time.Duration, error) {
	_, data, err := c.ws.Read(ctx)
	if err != nil {
		return 0, fmt.Errorf("read Discord's hello: %w", err)
	}
	var f struct {
		Op   int `json:"op"`
		Data struct {
			Every int64 `json:"heartbeat_interval"`
		} `json:"d"`
	}
	if json.Unmarshal(data, &f) != nil || f.Op != opHello || f.Data.Every <= 0 {
		return 0, errors.New("the gateway did not say hello")
	}
	return time.Duration(f.Data.Every) * time.Millisecond, nil
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
		if kind != websocket.MessageText || json.Unmarshal(data, &f) != nil {
			c.log.Warn("Discord has sent something that cannot be read", "bytes", len(data))
			continue
		}
		switch f.Op {
		case opHeartbeat:
			if err := c.pulse(); err != nil {
				c.fail(err)
				return
			}
		case opACK:
			c.acked.Store(true)
		}
		select {
		case c.frames <- f:
		case <-c.done:
			return
		}
	}
}

// beat sends heartbeats. A connection on which they are not answered is dead, whatever
// it looks like.
func (c *conn) beat(every time.Duration) {
	t := time.NewTimer(every / 2)
	defer t.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-t.C:
		}
		if !c.acked.Swap(false) {
			c.fail(errSilent)
			_ = c.ws.CloseNow()
			return
		}
		if c.pulse() != nil {
			return // reading fails too, and says so
		}
		t.Reset(every)
	}
}

func (c *conn) pulse() error {
	ctx, cancel := context.WithTimeout(context.Background(), dialPatience)
	defer cancel()
	var last any // nil before the first event
	if seq := c.seq.Load(); seq > 0 {
		last = seq
	}
	return c.write(ctx, opHeartbeat, last)
}

func (c *conn) write(ctx context.Context, op int, data any) error {
	packed, err := json.Marshal(map[string]any{"op": op, "d": data})
	if err != nil {
		return err
	}
	return c.ws.Write(ctx, websocket.MessageText, packed)
}

// fail remembers the first reason why the connection has ended.
func (c *conn) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
}

func (c *conn) why() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// leave says good-bye, which ends the session. end only hangs up, and the session can
// be resumed.
func (c *conn) leave() {
	c.stop()
	_ = c.ws.Close(websocket.StatusNormalClosure, "")
}

func (c *conn) stop() { c.once.Do(func() { close(c.done) }) }

// end hangs up and waits for what belongs to the connection.
func (c *conn) end() {
	c.stop()
	_ = c.ws.CloseNow()
	c.work.Wait()
}
