package turn

import (
	"cmp"
	"context"
	"time"
	"unicode/utf8"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A live post shows a reply while the model still writes it: a post whose id is
// stored, and edits of it. An answer that is there at once needs none.
type live struct {
	e       *Engine
	ctx     context.Context
	turn    *store.Turn
	to      platform.Platform
	editor  platform.Editor // nil where the platform cannot edit
	limits  platform.Limits
	before  saidBefore // what the post says already
	next    time.Time  // when the post may be written again
	full    bool       // what more there is stands in other posts, in the end
	post    *store.Post
	written string
	names   *names // of files, which stand in place of their paths; nil changes nothing
	begins  func() // is called before anything is shown; nil is nothing
}

// firstShown is how long the model may write before a person should see something.
const firstShown = 300 * time.Millisecond

func (e *Engine) newLive(ctx context.Context, t *store.Turn, before saidBefore) *live {
	l := &live{e: e, ctx: ctx, turn: t, before: before, names: e.newNames(t), next: e.Now().Add(firstShown)}
	if p, ok := e.Outbox.Platform(t.Message.Room.Platform); ok && !t.Silent && t.Brief == nil {
		l.to, l.limits = p, p.Limits()
		l.editor, _ = p.(platform.Editor)
	}
	return l
}

// due tells whether it is time to write the text so far. It is asked for every part of a
// reply, so it must not look at the whole of it: of a long one that took a minute.
func (l *live) due() bool {
	return l.editor != nil && !l.full && !l.e.Now().Before(l.next)
}

// show writes the text so far. Whatever goes wrong here is made good when the finished
// reply is delivered.
func (l *live) show(text string) {
	text = wholeCharacters(text)
	if text == "" || text == l.written {
		return
	}
	l.next = l.e.Now().Add(l.limits.EditEvery)
	if l.names != nil {
		text = l.names.soFar(text)
	}
	text = joined([]string{l.before.text, text})
	if text == "" {
		return
	}
	parts := platform.Split(text, l.limits)
	text = parts[0]
	if text != l.written && l.post == nil && !l.begin(text) {
		return
	}
	l.full = len(parts) > 1
	if text == l.written {
		return
	}
	if l.written != "" {
		l.editor.Edit(l.ctx, l.post.Room, l.post.PostID, text)
	}
	l.written = text
	l.next = l.e.Now().Add(l.limits.EditEvery)
}

// wholeCharacters is a text without the beginning of a character whose rest is still to
// come: a model that is read byte by byte cuts them anywhere.
func wholeCharacters(text string) string {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if !utf8.RuneStart(text[i]) {
			continue
		}
		if !utf8.FullRuneInString(text[i:]) {
			return text[:i]
		}
		break
	}
	return text
}

// begin writes the post for the first time, or takes up the one of a process that
// died.
func (l *live) begin(text string) bool {
	key := postKey(cmp.Or(l.before.turn, l.turn.ID), 0)
	p, err := l.e.Store.PostByKey(l.ctx, key)
	if err != nil {
		return false
	}
	if p == nil {
		p = &store.Post{
			Key: key, Turn: l.turn.ID, Room: l.turn.Message.Room, Text: text, ReplyTo: l.before.replyTo,
			State: store.Live, Tries: 1, Created: l.e.Now(),
		}
		if err := l.e.Store.AddPost(l.ctx, *p); err != nil {
			return false
		}
	}
	if l.begins != nil {
		l.begins()
	}
	if p.PostID != "" {
		l.post = p
		l.written = " " // something else stands there
		return true
	}
	post := platform.Post{Key: p.Key, Room: p.Room, Text: text, ReplyTo: p.ReplyTo, Created: p.Created} // it may have been tried before
	opener, opens := l.to.(platform.Opener)
	var r platform.Receipt
	if opens {
		r = opener.Open(l.ctx, post)
	} else {
		r = l.to.Post(l.ctx, post)
	}
	if r.Outcome != platform.Delivered || r.ID == "" {
		l.next = l.e.Now().Add(max(r.RetryAfter, time.Second))
		return false
	}
	p.PostID = r.ID
	if err := l.e.Store.SavePost(l.ctx, *p); err != nil {
		return false
	}
	l.post = p
	if opens {
		l.written = " " // the text is still to come
	}
	l.e.firstText(l.turn)
	return true
}
