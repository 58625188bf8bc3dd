package slack

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

const (
	// overlap is fetched once more: events do not always come in order.
	overlap = 10 * time.Second

	mostPages   = 5                  // of a room
	threadAge   = 3 * 24 * time.Hour // in which a thread was talked in that is looked at
	mostThreads = 10                 // of a channel
	together    = 3                  // rooms at a time
)

// A reach is what a connection has to catch up with: since the one before it ended.
type reach struct {
	began  time.Time
	before kept
}

// since is from where on messages of a channel may have been missed.
func (c reach) since(channel string) string {
	since := c.before.Positions[channel]
	if since == "" {
		since = c.before.Seen
	}
	since = stamp(moment(since).Add(-overlap))
	if later(c.before.Start, since) {
		since = c.before.Start
	}
	return since
}

// anew says that messages may have been missed before a time: the next one of every
// channel waits until they have been fetched. It is called before anything comes in, so
// that what is noted of that does not hide what was missed.
func (r *receiver) anew(ctx context.Context, began time.Time) {
	r.mu.Lock()
	r.behind = reach{began, r.s.marks.begin(began)}
	clear(r.caught)
	r.mu.Unlock()
	r.save(ctx, true)
	r.work.Go(func() { r.catchUp(ctx) })
}

// caughtUp fetches what was missed in a channel, unless that was done since the agent has
// connected. It is called in the channel's lane, and returns false if the context ends
// first.
func (r *receiver) caughtUp(ctx context.Context, channel string) bool {
	if !channelID.MatchString(channel) {
		return true
	}
	r.mu.Lock()
	behind, done := r.behind, r.caught[channel]
	r.mu.Unlock()
	if done {
		return true
	}
	if r.allowed(channel) && !r.fetch(ctx, channel, behind.since(channel)) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.behind.began.Equal(behind.began) {
		r.caught[channel] = true
	}
	return true
}

// allowed tells whether a channel is one of those the agent is in.
func (r *receiver) allowed(channel string) bool {
	rooms := r.s.options.Rooms
	return len(rooms) == 0 || strings.HasPrefix(channel, "D") || slices.Contains(rooms, channel)
}

// fetch hands over what was written in a channel and the threads that matter, oldest
// first.
func (r *receiver) fetch(ctx context.Context, channel, since string) bool {
	missed := map[string]*event{}
	read := func(at place) error {
		return r.insist(ctx, func() error {
			err := r.s.messages(ctx, at, since, mostPages, func(m *event) bool {
				if later(m.TS, since) {
					missed[m.TS] = m
				}
				return true
			})
			if errors.Is(err, errMore) {
				r.s.log.Error("so much was written while Slack was not connected that some of it is left out", "room", at.room().String(), "fetched", len(missed))
				return nil
			}
			return err
		})
	}
	if read(place{channel: channel}) != nil {
		return false
	}
	threads := map[string]bool{}
	for _, m := range missed {
		if m.Replies > 0 {
			threads[m.TS] = true
		}
	}
	for _, room := range r.recent(ctx, channel) {
		if at, err := where(room); err == nil && at.thread != "" {
			threads[at.thread] = true
		}
	}
	for thread := range threads {
		if read(place{channel, thread}) != nil {
			return false
		}
	}
	all := make([]*event, 0, len(missed))
	for _, m := range missed {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *event) int { return cmp.Or(moment(a.TS).Compare(moment(b.TS)), strings.Compare(a.TS, b.TS)) })
	for _, m := range all {
		if !r.onMessage(ctx, m) {
			return false
		}
	}
	return ctx.Err() == nil
}

// recent are the threads of a channel that the agent was talking in. A history does not
// tell what was written in threads that are older.
func (r *receiver) recent(ctx context.Context, channel string) []platform.Room {
	if r.s.options.Threads == nil {
		return nil
	}
	rooms, err := r.s.options.Threads.Recent(ctx, place{channel: channel}.room(), r.s.now().Add(-threadAge), mostThreads)
	if err != nil && ctx.Err() == nil {
		r.s.log.Error("nobody knows which threads the agent takes part in", "channel", channel, "error", err)
	}
	return rooms
}

// catchUp catches up with all channels, those first that were written in last. Where
// somebody writes in the meantime, that comes first.
func (r *receiver) catchUp(ctx context.Context) {
	r.mu.Lock()
	behind := r.behind
	r.mu.Unlock()
	channels, err := r.conversations(ctx)
	if err != nil {
		return
	}
	for channel := range behind.before.Positions {
		if strings.HasPrefix(channel, "D") && !slices.Contains(channels, channel) {
			channels = append(channels, channel)
		}
	}
	position := func(channel string) string {
		if strings.HasPrefix(channel, "D") {
			return stamp(behind.began) // somebody waits
		}
		return behind.before.Positions[channel]
	}
	slices.SortStableFunc(channels, func(a, b string) int { return moment(position(b)).Compare(moment(position(a))) })
	free := make(chan struct{}, together)
	for _, channel := range channels {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return
		}
		added := r.lanes.add(ctx, channel, func() {
			defer func() { <-free }()
			r.caughtUp(ctx, channel)
		})
		if !added {
			return
		}
	}
	for range together {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return
		}
	}
	r.save(ctx, true)
}

// conversations are the channels and chats that the bot is in.
func (r *receiver) conversations(ctx context.Context) ([]string, error) {
	var all []string
	values := url.Values{"types": {"public_channel,private_channel,mpim,im"}, "exclude_archived": {"true"}, "limit": {"200"}}
	for {
		var page struct {
			Channels []channel `json:"channels"`
			cursor
		}
		if err := r.insist(ctx, func() error { return r.s.call(ctx, "users.conversations", values, &page) }); err != nil {
			return nil, err
		}
		for _, c := range page.Channels {
			all = append(all, c.ID)
		}
		if page.Metadata.Next == "" {
			return all, nil
		}
		values.Set("cursor", page.Metadata.Next)
	}
}

// insist asks until there is an answer. What Slack refuses is let go: the bot may not read
// everything. Its error is the context's.
func (r *receiver) insist(ctx context.Context, ask func() error) error {
	for tries := 0; ; tries++ {
		err := ask()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case refused(err):
			r.s.log.Warn("what was written while Slack was not connected cannot be read", "reason", err)
			return nil
		}
		if err := r.s.wait(ctx, max(backoff(tries), receipt("", err).RetryAfter)); err != nil {
			return err
		}
	}
}
