package discord

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// A shard is a session with the gateway over as many connections as it takes. Events
// are handled one after the other, which keeps the order of every room.
type shard struct {
	d            *Discord
	log          *slog.Logger
	inbox        platform.Inbox
	index, count int
	url          string

	// The session. seq is of the last event that was handled: what comes after it
	// is sent again when the session is resumed.
	session string
	resume  string // where to resume it
	seq     int64
	ready   bool // the connection has become a session
	tries   int  // to connect, since it was steady

	// position is up to where all messages have been handled, 0 if it is not known
	// yet; newest is the latest message. As long as guilds are pending, what was
	// written in them while nobody was connected has not been fetched, and the
	// position stays where it is.
	position snowflake.ID
	newest   snowflake.ID
	pending  map[snowflake.ID]bool

	registered bool // the slash commands

	mu   sync.Mutex
	conn *conn
	used sends
}

func newShard(d *Discord, inbox platform.Inbox, index, count int, gateway string) *shard {
	return &shard{
		d: d, log: d.log.With("shard", index), inbox: inbox, index: index, count: count, url: gateway,
		position: d.marks.position(index, count), pending: map[snowflake.ID]bool{},
	}
}

var (
	errAgain   = errors.New("Discord asked to connect again")
	errInvalid = errors.New("Discord has forgotten the session")
	errSilent  = errors.New("Discord does not answer heartbeats")
)

const (
	steady      = time.Minute // a connection that held for so long was no failure
	mostResumes = 8           // tries to resume a session, over some minutes
)

// run keeps the shard connected until the context ends.
func (s *shard) run(ctx context.Context) error {
	for {
		began := s.d.now()
		err := s.connect(ctx)
		s.d.guilds.connected(s.index, false)
		if ctx.Err() != nil {
			return nil
		}
		var end fatal
		if errors.As(err, &end) {
			return end
		}
		if s.ready && s.d.now().Sub(began) >= steady {
			s.tries = 0
		}
		pause := time.Duration(0) // the first time, nobody notices
		if s.tries > 0 || errors.Is(err, errInvalid) {
			pause = backoff(s.tries)
		}
		s.log.Info("the connection to Discord ended", "reason", err, "again_in", pause)
		if s.tries++; s.tries%mostResumes == 0 && !s.ready {
			s.forget() // what cannot be resumed is begun anew
		}
		if s.d.wait(ctx, pause) != nil {
			return nil
		}
	}
}

// forget makes the next connection begin a new session.
func (s *shard) forget() { s.session, s.resume, s.seq = "", "", 0 }

// connect lives through one connection, and says why it has ended.
func (s *shard) connect(ctx context.Context) error {
	to := s.address()
	s.ready = false
	if s.session == "" {
		// Whoever begins too many sessions in a day loses the token: Discord is asked.
		start, err := s.d.begin(ctx)
		if err != nil {
			return err
		}
		to, s.url = start.URL, start.URL
		if err := s.d.pass(ctx); err != nil {
			return err
		}
	}
	c, err := dial(ctx, to, s.log)
	if err != nil {
		return err
	}
	defer c.end()
	if err := s.greet(ctx, c); err != nil {
		return err
	}
	s.attach(c)
	defer s.attach(nil)
	for {
		select {
		case <-ctx.Done():
			c.leave()
			return nil
		case f, ok := <-c.frames:
			if !ok {
				return s.closed(c.why())
			}
			if err := s.take(ctx, f); err != nil {
				if ctx.Err() != nil {
					c.leave()
				}
				return err
			}
		}
	}
}

// address is where to connect to. A session is resumed where Discord says, unless that
// would be less safe than the gateway itself; every other try is at the gateway, in case
// nobody is there.
func (s *shard) address() string {
	if s.session == "" || s.resume == "" || s.tries%2 == 1 && !s.ready {
		return s.url
	}
	main, err1 := url.Parse(s.url)
	other, err2 := url.Parse(s.resume)
	if err1 != nil || err2 != nil || other.Scheme != main.Scheme {
		return s.url
	}
	return s.resume
}

// What the adapter wants to hear about: guilds, voice states, messages and reactions in
// guilds and in direct chats, and what messages say.
const intents = 1<<0 | 1<<7 | 1<<9 | 1<<10 | 1<<12 | 1<<13 | 1<<15

// greet answers the gateway's hello with who is there.
func (s *shard) greet(ctx context.Context, c *conn) error {
	if s.session != "" {
		c.seq.Store(s.seq)
		return c.write(ctx, opResume, map[string]any{"token": s.d.options.Token, "session_id": s.session, "seq": s.seq})
	}
	return c.write(ctx, opIdentify, map[string]any{
		"token": s.d.options.Token, "intents": intents, "shard": [2]int{s.index, s.count},
		"properties": map[string]string{"os": "linux", "browser": "aside", "device": "aside"},
		"presence":   s.d.presenceNow(),
	})
}

// take handles what the gateway sends.
func (s *shard) take(ctx context.Context, f frame) error {
	switch f.Op {
	case opDispatch:
		if !s.dispatch(ctx, f) {
			return ctx.Err() // not handled: it is time to go
		}
		if f.Seq > s.seq {
			s.seq = f.Seq
		}
		s.heard(f.Seq)
	case opReconnect:
		return errAgain
	case opInvalid:
		if string(f.Data) != "true" {
			s.forget()
			return errInvalid
		}
		return errAgain
	case opACK:
		s.save(ctx, false)
	}
	return nil
}

// heard has heartbeats say how far the shard is.
func (s *shard) heard(seq int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.conn.seq.Store(max(seq, s.conn.seq.Load()))
	}
}

func (s *shard) attach(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn = c
}

// closed says what the end of a connection means.
func (s *shard) closed(err error) error {
	switch websocket.CloseStatus(err) {
	case 4004:
		return fatal(wrongToken)
	case 4010, 4011:
		return fatal("Discord wants another number of shards: start Aside again, and it asks Discord for the number")
	case 4012:
		return fatal("Discord does not speak this version of its gateway any more: update Aside")
	case 4013:
		return fatal("Discord does not know the intents that Aside asks for: update Aside")
	case 4014:
		return fatal("Discord does not let the bot read messages: switch on Message Content Intent for it in the developer portal, under Bot")
	case 4003, 4007, 4009:
		s.forget()
	}
	return err
}

// sends counts what was sent, to stay below Discord's limit of 120 a minute, heartbeats
// included.
type sends struct {
	since time.Time
	count int
}

const mostSends = 90

// send sends something over the gateway.
func (s *shard) send(ctx context.Context, op int, data any) error {
	s.mu.Lock()
	c, now := s.conn, s.d.now()
	if now.Sub(s.used.since) >= time.Minute {
		s.used = sends{since: now}
	}
	s.used.count++
	used := s.used
	s.mu.Unlock()
	if used.count > mostSends {
		return &platform.Problem{Outcome: platform.Limited, Reason: "Discord asks to wait", RetryAfter: time.Minute - now.Sub(used.since)}
	}
	if c == nil || c.write(ctx, op, data) != nil {
		return notConnected()
	}
	return nil
}

// save keeps how far the shard is.
func (s *shard) save(ctx context.Context, urgent bool) {
	if err := s.d.marks.save(ctx, s.d.now(), urgent); err != nil && ctx.Err() == nil {
		s.log.Error("how far messages were handled could not be kept", "error", err)
	}
}
