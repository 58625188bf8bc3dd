package outbox

import (
	"context"
	"errors"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// Notify says something in a room that is the answer to nobody's message. It is stored
// first and is the same notice whenever it is called with the same key, also after a crash.
// It tries once: whoever calls it tries again, unless it is Delivered or Refused.
func (o *Outbox) Notify(ctx context.Context, subject string, post platform.Post) (platform.Receipt, error) {
	n, err := o.Store.AddNotice(ctx, store.Notice{Key: post.Key, Subject: subject, Room: post.Room, Text: post.Text, Count: 1})
	if err != nil {
		return platform.Receipt{}, err
	}
	switch n.State {
	case store.Delivered:
		return platform.Receipt{Outcome: platform.Delivered, ID: n.PostID}, nil
	case store.Dead:
		return platform.Receipt{Outcome: platform.Refused, Reason: n.Reason}, nil
	}
	return o.notify(ctx, n)
}

// notify tries to bring a stored notice to its room, and stores what became of it.
func (o *Outbox) notify(ctx context.Context, n store.Notice) (platform.Receipt, error) {
	to, ok := o.Platforms[n.Room.Platform]
	if !ok {
		return platform.Receipt{Outcome: platform.Failed, Reason: n.Room.Platform + " is not connected"}, nil
	}
	release, err := o.enter(ctx, n.Room)
	if err != nil {
		return platform.Receipt{}, err
	}
	defer release()
	n.Tries++
	r, err := o.sendNotice(ctx, to, &n)
	if err = errors.Join(err, ctx.Err()); err != nil {
		return r, err
	}
	n.Reason = r.Reason
	switch {
	case r.Outcome == platform.Delivered:
		n.State, n.Reason = store.Delivered, ""
		if r.ID != "" {
			n.PostID = r.ID
		}
	case r.Gone:
		n.PostID = "" // somebody has deleted what was to be edited; the next try begins anew
		r.Outcome = platform.Failed
	case r.Outcome == platform.Refused:
		n.State = store.Dead
	}
	return r, o.Store.SaveNotice(ctx, n)
}

// sendNotice posts a notice, or edits it where it stands already.
func (o *Outbox) sendNotice(ctx context.Context, to platform.Platform, n *store.Notice) (platform.Receipt, error) {
	text := platform.Split(n.Text, to.Limits())[0]
	post := platform.Post{Key: n.Key, Room: n.Room, Text: text, Created: n.Created}
	editor, edits := to.(platform.Editor)
	if opener, ok := to.(platform.Opener); ok && edits && n.PostID == "" {
		r := opener.Open(ctx, post)
		if r.Outcome != platform.Delivered {
			return r, nil
		}
		stands, err := o.Store.OpenedNotice(ctx, n.Key, r.ID)
		if err != nil {
			return r, err
		}
		if deleter, ok := to.(platform.Deleter); ok && stands != r.ID {
			deleter.Delete(ctx, n.Room, r.ID) // another process was first
		}
		n.PostID = stands
	}
	if edits && n.PostID != "" {
		return editor.Edit(ctx, n.Room, n.PostID, text), nil
	}
	r := to.Post(ctx, post)
	if edits && n.Tries > 1 && r.Outcome == platform.Delivered && r.ID != "" {
		// It may have been posted before, when it said something else.
		id := r.ID
		r = editor.Edit(ctx, n.Room, id, text)
		r.ID = id
	}
	return r, nil
}
