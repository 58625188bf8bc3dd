// Package outbox brings posts to their platforms. A post has a key; it is tried
// until there is a receipt that settles it, waits as long as a platform asks, and
// keeps the order of its room.
//
// Before changing it, know that "delivered" is written from a receipt and from
// nothing else.
package outbox

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/asidehq/aside/internal/observe"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// An Outbox delivers.
type Outbox struct {
	Store     *store.Store
	Platforms map[string]platform.Platform
	MaxAge    time.Duration // what is older is not sent without asking
	Now       func() time.Time

	Metrics *observe.Metrics // what became of posts; nil counts nothing

	// Wait waits for a time, or returns the context's error.
	Wait func(ctx context.Context, d time.Duration) error

	mu    sync.Mutex
	rooms map[platform.Room]chan struct{}
}

// Platform finds a platform by its name.
func (o *Outbox) Platform(name string) (platform.Platform, bool) {
	p, ok := o.Platforms[name]
	return p, ok
}

const (
	firstWait   = 200 * time.Millisecond
	longestWait = 30 * time.Second
)

// Deliver brings a post to its platform and returns it with its final state, which
// is not stored yet. It returns an error only if the context ends first.
func (o *Outbox) Deliver(ctx context.Context, p store.Post) (store.Post, error) {
	name := p.Room.Platform
	if _, ok := o.Platforms[name]; !ok {
		name = observe.Unknown
	}
	ctx, span := observe.Start(ctx, "post", observe.PlatformKey.String(name))
	p, err := o.deliver(ctx, p)
	span.SetAttributes(observe.StateKey.String(string(p.State)), observe.TriesKey.Int(p.Tries))
	if err == nil {
		if p.State != store.Delivered {
			observe.Fail(span, string(p.State))
		}
		o.Metrics.Post(name, string(p.State))
	}
	observe.End(span, err)
	return p, err
}

func (o *Outbox) deliver(ctx context.Context, p store.Post) (store.Post, error) {
	to, ok := o.Platforms[p.Room.Platform]
	if !ok {
		p.State, p.Reason = store.Dead, p.Room.Platform+" is not connected"
		return p, nil
	}
	release, err := o.enter(ctx, p.Room)
	if err != nil {
		return p, err
	}
	defer release()
	anew, tried := false, false
	for wait := firstWait; ; wait = min(2*wait, longestWait) {
		late := o.Now().Sub(p.Created) > o.MaxAge
		switch {
		case late && p.State == store.Sending && !tried:
			// It may stand there since long, which is found out without sending anything.
		case late && p.State == store.Sending:
			return leaveUnproven(p, p.Reason), nil
		case late:
			p.State, p.Reason = store.Late, "could not be delivered for "+platform.DurationText(o.MaxAge)
			o.takeAway(ctx, to, &p)
			return p, nil
		}
		tried = true
		p.Tries++
		r := o.send(ctx, to, &p)
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		switch r.Outcome {
		case platform.Delivered:
			p.State, p.Reason = store.Delivered, ""
			if r.ID != "" {
				p.PostID = r.ID
			}
			return p, nil
		case platform.Refused:
			if r.Gone && p.PostID != "" && !anew { // somebody has deleted what was to be edited
				p.PostID, anew = "", true
				continue
			}
			p.State, p.Reason = store.Dead, r.Reason
			o.takeAway(ctx, to, &p)
			return p, nil
		case platform.Unknown:
			if r.Final {
				return leaveUnproven(p, r.Reason), nil
			}
			p.Reason = r.Reason
			err = o.Wait(ctx, wait)
		case platform.Limited:
			// Being asked to wait is no failure and costs no patience.
			wait = firstWait
			err = o.Wait(ctx, max(r.RetryAfter, firstWait))
		default:
			p.Reason = r.Reason
			err = o.Wait(ctx, wait)
		}
		if err != nil {
			return p, err
		}
	}
}

// send posts, or edits where the post stands already. A post that was tried before
// may stand there with an older text, which its key does not tell: it is edited as
// well.
func (o *Outbox) send(ctx context.Context, to platform.Platform, p *store.Post) platform.Receipt {
	post := platform.Post{Key: p.Key, Room: p.Room, Text: p.Text, ReplyTo: p.ReplyTo, Created: p.Created, Choices: p.Choices}
	if p.Files > 0 {
		return o.sendFiles(ctx, to, p, post)
	}
	if r, opened := o.open(ctx, to, p, post); !opened {
		return r
	}
	editor, edits := to.(platform.Editor)
	edit := func(post string) platform.Receipt {
		if chooser, ok := to.(platform.Chooser); ok && len(p.Choices) > 0 {
			return chooser.EditChoices(ctx, p.Room, post, p.Text, p.Choices)
		}
		return editor.Edit(ctx, p.Room, post, p.Text)
	}
	if edits && p.PostID != "" {
		return edit(p.PostID)
	}
	r := to.Post(ctx, post)
	if edits && p.Tries > 1 && r.Outcome == platform.Delivered && r.ID != "" {
		edited := edit(r.ID)
		edited.ID = r.ID
		return edited
	}
	return r
}

// open sees to it that a post has an id before anything is written there, where the
// platform wants that. It is stored at once: whoever takes the post up after a crash goes
// on with the same one.
func (o *Outbox) open(ctx context.Context, to platform.Platform, p *store.Post, post platform.Post) (r platform.Receipt, opened bool) {
	opener, ok := to.(platform.Opener)
	if !ok || p.PostID != "" {
		return r, true
	}
	if r = opener.Open(ctx, post); r.Outcome != platform.Delivered {
		return r, false
	}
	p.PostID = r.ID
	if err := o.Store.SavePost(ctx, *p); err != nil {
		p.PostID = ""
		return platform.Receipt{Outcome: platform.Failed, Reason: errStore.Error()}, false
	}
	return r, true
}

// enter waits for a room's turn to be written to.
func (o *Outbox) enter(ctx context.Context, room platform.Room) (release func(), err error) {
	o.mu.Lock()
	if o.rooms == nil {
		o.rooms = map[platform.Room]chan struct{}{}
	}
	door := o.rooms[room]
	if door == nil {
		door = make(chan struct{}, 1)
		o.rooms[room] = door
	}
	o.mu.Unlock()
	select {
	case door <- struct{}{}:
		return func() { <-door }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Send puts a post of a turn's action into the outbox and delivers it, in parts if it is
// too long for one. It is the same post whenever it is called with the same key. It
// returns the id of the first part, "" where the platform gives none. Its errors are for a
// person.
func (o *Outbox) Send(ctx context.Context, turn int64, post platform.Post) (id string, err error) {
	parts := []string{post.Text}
	if to, ok := o.Platforms[post.Room.Platform]; ok {
		parts = platform.Split(post.Text, to.Limits())
	}
	for i, part := range parts {
		next := post
		next.Text = part
		if i > 0 {
			next.Key, next.ReplyTo, next.Choices = fmt.Sprintf("%s-part-%d", post.Key, i), "", nil
		}
		sent, err := o.sendPart(ctx, turn, next)
		if err != nil {
			return id, err
		}
		if i == 0 {
			id = sent
		}
	}
	return id, nil
}

func (o *Outbox) sendPart(ctx context.Context, turn int64, post platform.Post) (id string, err error) {
	p, err := o.Store.PostByKey(ctx, post.Key)
	if err != nil {
		return "", errStore
	}
	if p == nil {
		p = &store.Post{Key: post.Key, Turn: turn, Room: post.Room, Text: post.Text, ReplyTo: post.ReplyTo, Choices: post.Choices, State: store.Queued, Created: o.Now()}
		if err := o.Store.AddPost(ctx, *p); err != nil {
			return "", errStore
		}
	}
	return o.finish(ctx, *p)
}

// finish delivers a post of an action, unless that was done before, and returns its id,
// or why it was not delivered.
func (o *Outbox) finish(ctx context.Context, p store.Post) (id string, err error) {
	if p.State == store.Queued || p.State == store.Sending {
		if p, err = o.Deliver(ctx, p); err != nil {
			if p.State == store.Sending { // it is looked for when the turn's posts are delivered
				err = &platform.Problem{Outcome: platform.Unknown, Reason: "it took too long"}
			}
			return "", err
		}
		if err := o.Store.SavePost(ctx, p); err != nil {
			return "", errStore
		}
	}
	if p.State == store.Dead || p.State == store.Late {
		return "", undelivered(p)
	}
	return p.PostID, nil
}
