package outbox

import (
	"context"
	"strings"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// Some posts can neither be repeated nor put in the place of what stands there. That one was
// begun is stored before it is sent. Whoever finds that stored does not send it: it is looked
// for, and where that leads to nothing a person is told that nobody knows.

// sendOnce sends a post that must not be sent twice, or looks for it if it was begun before.
func (o *Outbox) sendOnce(ctx context.Context, to platform.Platform, p *store.Post, post platform.Post) platform.Receipt {
	post.Begun = p.State == store.Sending
	if !post.Begun {
		p.State = store.Sending
		if err := o.Store.SavePost(ctx, *p); err != nil {
			p.State = store.Queued
			return platform.Receipt{Outcome: platform.Failed, Reason: errStore.Error()}
		}
	}
	r := to.Post(ctx, post)
	if r.Outcome != platform.Limited && r.Outcome != platform.Failed && !(r.Gone && !post.Begun) {
		return r
	}
	p.State = store.Queued // it certainly does not stand there
	if r.Apart {
		return o.openApart(ctx, to, p, post)
	}
	if err := o.Store.SavePost(ctx, *p); err != nil {
		// What is stored says that it may stand there. That is too careful, and no harm.
		r.Reason = errStore.Error()
	}
	return r
}

// openApart opens a post whose files cannot be shown as one, for each of them, and posts it.
func (o *Outbox) openApart(ctx context.Context, to platform.Platform, p *store.Post, post platform.Post) platform.Receipt {
	opener, ok := to.(platform.Opener)
	if !ok {
		return platform.Lacks(to, "send these files together")
	}
	r := opener.Open(ctx, post)
	if r.Outcome != platform.Delivered {
		return r
	}
	before := p.PostID
	p.PostID = r.ID
	if err := o.Store.SavePost(ctx, *p); err != nil {
		p.PostID = before
		return platform.Receipt{Outcome: platform.Failed, Reason: errStore.Error()}
	}
	post.Opened, post.Begun = p.PostID, false
	return to.Post(ctx, post)
}

// unproven is what the reason of a post begins with of which nobody knows whether it stands
// there. It is how such a post is told from a refused one: both are dead letters.
const unproven = "nobody can tell whether it has arrived"

// leaveUnproven ends the delivery of a post that may stand there.
func leaveUnproven(p store.Post, reason string) store.Post {
	p.State, p.PostID, p.Reason = store.Dead, "", unproven
	if reason != "" {
		p.Reason += ": " + reason
	}
	return p
}

// undelivered is why a post of an action was not delivered, for a person.
func undelivered(p store.Post) error {
	if why, ok := strings.CutPrefix(p.Reason, unproven); ok {
		return &platform.Problem{Outcome: platform.Unknown, Reason: strings.TrimPrefix(why, ": ")}
	}
	return platform.Refuse("%s", p.Reason)
}
