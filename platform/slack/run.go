package slack

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// A receiver is one call of Run.
type receiver struct {
	s     *Slack
	inbox platform.Inbox
	me    self
	lanes *lanes
	work  sync.WaitGroup // besides lanes

	mu     sync.Mutex
	behind reach           // what may have been missed
	caught map[string]bool // the channels in which it was fetched
	ended  bool            // no more requests are taken
	hooks  sync.WaitGroup  // requests that are being handled
	ctx    context.Context // of Run, for requests
}

const (
	disabled      = "link_disabled"
	socketModeOff = "Socket Mode is switched off for the app: switch it on on its page, or use platforms.slack.signing_secret in place of app_token"
	steady        = time.Minute      // a connection that held for so long was no failure
	lingering     = 30 * time.Second // for which an old connection is listened to beside the new one
)

// Run implements platform.Platform.
func (s *Slack) Run(ctx context.Context, inbox platform.Inbox) error {
	if err := s.marks.load(ctx); err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	r := &receiver{s: s, inbox: inbox, lanes: newLanes(), caught: map[string]bool{}, ctx: running}
	err := r.introduce(running)
	if err == nil && s.options.AppToken != "" {
		err = r.listen(running)
	} else if err == nil {
		r.answer(running)
	}
	stop() // whatever else goes on: nobody can be reached any more
	r.lanes.end()
	r.work.Wait()
	// What was handled is kept, also when it is time to go.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	r.save(last, true)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// introduce finds out who the agent is, until there is an answer. A wrong token is found
// out here.
func (r *receiver) introduce(ctx context.Context) error {
	for tries := 0; ; tries++ {
		me, err := r.s.me(ctx)
		if err == nil {
			r.me = me
			return nil
		}
		if end := mend(err); end != nil {
			return end
		}
		if ctx.Err() == nil {
			r.s.log.Warn("Slack cannot be reached", "reason", err)
		}
		if err := r.s.wait(ctx, max(backoff(tries), receipt("", err).RetryAfter)); err != nil {
			return err
		}
	}
}

// backoff is how long to wait after some tries.
func backoff(tries int) time.Duration {
	return min(time.Second<<min(tries, 6), time.Minute)
}

// listen keeps a connection of Socket Mode until the context ends. When Slack says that
// it will close one, that is listened to until the next is there.
func (r *receiver) listen(ctx context.Context) error {
	var old *conn
	tries := 0
	for {
		began := r.s.now()
		c, err := r.s.dial(ctx)
		if err == nil {
			if old == nil || old.why() != nil {
				r.anew(ctx, began)
			}
			old = nil
			r.s.log.Info("connected to Slack")
			err = r.serve(ctx, c)
			switch {
			case errors.Is(err, errRefresh):
				old = c
				r.work.Go(func() { r.linger(ctx, c) })
			case ctx.Err() != nil:
				r.lanes.end() // what is being stored is still acknowledged
				fallthrough
			default:
				c.end()
			}
		}
		if ctx.Err() != nil || mend(err) != nil {
			return mend(err)
		}
		if r.s.now().Sub(began) >= steady {
			tries = 0
		}
		pause := time.Duration(0) // the first time, nobody notices
		if tries > 0 {
			pause = max(backoff(tries-1), receipt("", err).RetryAfter)
		}
		tries++
		r.s.log.Info("the connection to Slack ended", "reason", err, "again_in", pause)
		if r.s.wait(ctx, pause) != nil {
			return nil
		}
	}
}

var errRefresh = errors.New("Slack asked to connect again")

// serve takes frames until the connection ends or Slack is about to end it.
func (r *receiver) serve(ctx context.Context, c *conn) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case f, ok := <-c.frames:
			switch {
			case !ok:
				return c.why()
			case f.Type == "disconnect" && f.Reason == disabled:
				return fatal(socketModeOff)
			case f.Type == "disconnect":
				return errRefresh
			}
			r.take(ctx, c, f)
		}
	}
}

// linger takes what still comes on a connection that is about to be closed.
func (r *receiver) linger(ctx context.Context, c *conn) {
	defer c.end()
	t := time.NewTimer(lingering)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			return
		case f, ok := <-c.frames:
			if !ok {
				return
			}
			r.take(ctx, c, f)
		}
	}
}

// take has a frame handled in the lane of its channel, and acknowledged after that.
func (r *receiver) take(ctx context.Context, c *conn, f frame) {
	if f.Envelope == "" {
		return
	}
	r.s.marks.see(r.s.now())
	d := r.read(f.Type, f.Payload)
	r.lanes.add(ctx, d.channel, func() {
		if handled, answer := r.guarded(ctx, d); handled {
			c.acknowledge(f.Envelope, answer)
		}
	})
}

// A delivery is what Slack delivers, by whichever way.
type delivery struct {
	kind    string
	channel string
	do      func(ctx context.Context) (handled bool, answer any) // nil if it is of no interest
}

// guarded handles a delivery. One that cannot be handled is logged and counts as handled,
// since it would not be any better the next time.
func (r *receiver) guarded(ctx context.Context, d delivery) (handled bool, answer any) {
	defer func() {
		if p := recover(); p != nil {
			r.s.log.Error("an event of Slack could not be handled", "kind", short(d.kind), "stack", string(debug.Stack()))
			handled = true
		}
	}()
	if d.do == nil {
		return true, nil
	}
	return d.do(ctx)
}

// read reads a payload: what kind of thing it is, and where it belongs.
func (r *receiver) read(kind string, payload []byte) delivery {
	d := delivery{kind: kind}
	switch kind {
	case "events_api":
		var p struct {
			Event event `json:"event"`
		}
		if decode(payload, &p) == nil {
			d.channel = p.Event.place().channel
			d.do = func(ctx context.Context) (bool, any) { return r.onEvent(ctx, &p.Event), nil }
		}
	case "slash_commands":
		var p command
		if decode(payload, &p) == nil {
			d.channel = p.Channel
			d.do = func(ctx context.Context) (bool, any) { return r.onCommand(ctx, p) }
		}
	case "interactive":
		var p interaction
		if decode(payload, &p) == nil {
			d.channel = p.Channel.ID
			d.do = func(ctx context.Context) (bool, any) { return r.onInteraction(ctx, p), nil }
		}
	}
	if d.do == nil {
		r.s.log.Warn("Slack has sent something that cannot be read", "kind", short(kind), "bytes", len(payload))
	}
	return d
}

// save keeps how far messages were handled.
func (r *receiver) save(ctx context.Context, urgent bool) {
	if err := r.s.marks.save(ctx, r.s.now(), urgent); err != nil && ctx.Err() == nil {
		r.s.log.Error("how far messages were handled could not be kept", "error", err)
	}
}
