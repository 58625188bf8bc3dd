package platformtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/asidehq/aside/platform"
)

// adapter is the reference adapter, and with a mistake a broken one.
type adapter struct {
	server   *memory
	mistakes mistakes
	copies   int
}

// mistakes are what an adapter, or what it relies on, can do wrong.
type mistakes struct {
	acksFirst, skipsFailed, skipsFailedToEnd, acksAtShutdown, newIDs, newestFirst, swapsText bool
	botAuthor, noTime, losesWhileAway, neverReconnects, returnsContextError, neverAcks       bool

	noID, wrongID, ignoresKey, keyIsText, truncates, dropsLong, lowLimit, highLimit            bool
	lostIsDelivered, lostIsFailed, lostIsSentAgain, refusedIsFailed, noReason, limitedIsFailed bool
	noRetryAfter, wrongRetryAfter                                                              bool

	lacks, forgetsEdit, appendsEdit, editHasNoID, forgetsDelete, togglesReaction, noTyping, noEditEvery bool
	editIsAlwaysDelivered, reactIsAlwaysDelivered, upperCaseName                                        bool

	dropsFiles, renamesFiles, firstFileOnly, cutsFiles, filesTwice, dropsLargeFile, lowFileSize, highFileSize, fileIsAlwaysDelivered bool
	noFileSize, losesAttached, losesAttachedBytes, attachesOnce                                                                      bool

	opensWithText, openHasNoID, openIsAlwaysDelivered, forgetsOpened, opensTextTwice, dropsOpenedFiles bool
	dropsChoices, keepsChoices, addsChoices, losesPress, pressIsRemoval, noChoices                     bool
}

func (a *adapter) Name() string {
	if a.mistakes.upperCaseName {
		return "Memory"
	}
	return "memory"
}

func (a *adapter) Limits() platform.Limits {
	limits := a.server.limits
	if a.mistakes.highLimit {
		limits.Text *= 2
	}
	if a.mistakes.noEditEvery || a.mistakes.lacks {
		limits.EditEvery = 0
	}
	if a.mistakes.noFileSize || a.mistakes.lacks {
		limits.FileSize = 0
	}
	if a.mistakes.highFileSize {
		limits.FileSize *= 2
	}
	if a.mistakes.noChoices || a.mistakes.lacks {
		limits.Choices = 0
	}
	return limits
}

func (a *adapter) Run(ctx context.Context, inbox platform.Inbox) error {
	for ctx.Err() == nil {
		c := a.server.connect()
		if a.mistakes.losesWhileAway {
			a.server.change(func() { a.server.acked = len(a.server.events); c.at = a.server.acked })
		}
		for {
			batch, err := a.server.next(ctx, c)
			if err != nil {
				break
			}
			if a.mistakes.newestFirst {
				slices.Reverse(batch)
			}
			for _, m := range batch {
				if !a.take(ctx, inbox, m) {
					break
				}
			}
		}
		if a.mistakes.neverReconnects {
			<-ctx.Done()
		}
	}
	if a.mistakes.returnsContextError {
		return ctx.Err()
	}
	return nil
}

// take has a message stored and says so, and tells whether it was.
func (a *adapter) take(ctx context.Context, inbox platform.Inbox, m platform.Message) bool {
	a.spoil(&m)
	if a.mistakes.acksFirst {
		a.server.ack()
	}
	for {
		err := inbox.Receive(ctx, m)
		if a.mistakes.attachesOnce {
			m.Files = nil
		}
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			if a.mistakes.acksAtShutdown {
				a.server.ack()
			}
			return false
		}
		if a.mistakes.acksFirst || a.mistakes.skipsFailed {
			if a.mistakes.skipsFailed {
				a.server.ack()
				a.server.Repeat(m.Room, m.ID)
			}
			return true
		}
		if a.mistakes.skipsFailedToEnd {
			break
		}
	}
	if !a.mistakes.acksFirst && !a.mistakes.neverAcks {
		a.server.ack()
	}
	return true
}

// spoil makes the mistakes that concern what a message says.
func (a *adapter) spoil(m *platform.Message) {
	if a.mistakes.newIDs {
		a.copies++
		m.ID = fmt.Sprintf("%s-%d", m.ID, a.copies)
		if a.copies == 1 {
			m.ID = "1"
		}
	}
	if a.mistakes.swapsText {
		m.Text = "?"
	}
	if a.mistakes.pressIsRemoval && m.Reaction != nil {
		m.Reaction = &platform.Reaction{Emoji: m.Reaction.Emoji, Removed: true, ToAgent: true}
	}
	if a.mistakes.losesPress && m.Reaction != nil {
		m.Reaction = nil
	}
	if a.mistakes.losesAttached {
		m.Files = nil
	}
	if a.mistakes.losesAttachedBytes {
		m.Files = slices.Clone(m.Files)
		for i := range m.Files {
			m.Files[i].Data = nil
		}
	}
	if a.mistakes.botAuthor {
		m.Author.Bot = true
	}
	if a.mistakes.noTime {
		m.At = time.Time{}
	}
}

func (a *adapter) Post(_ context.Context, post platform.Post) platform.Receipt {
	if a.mistakes.ignoresKey {
		post.Key = ""
	}
	if a.mistakes.keyIsText {
		post.Key = post.Text
	}
	limit := a.server.limits.Text
	if a.mistakes.truncates && len(post.Text) > limit {
		post.Text = post.Text[:limit]
	}
	if a.mistakes.dropsLong && len(post.Text) > limit {
		return platform.Receipt{Outcome: platform.Delivered}
	}
	if a.mistakes.lowLimit && len(post.Text) == limit {
		return platform.Receipt{Outcome: platform.Refused, Reason: "too long"}
	}
	if r, done := a.spoilFiles(&post); done {
		return r
	}
	if post.Opened != "" && !a.mistakes.forgetsOpened {
		return a.fill(post)
	}
	if a.mistakes.forgetsOpened && post.Opened != "" {
		post.Key += " again"
	}
	if a.mistakes.dropsChoices {
		post.Choices = nil
	}
	if len(post.Choices) > 0 {
		r := a.write(func() (string, error) { return a.server.put(post.Key, post.Text, post.Files) })
		a.server.change(func() { a.server.offer(r.ID, post.Choices) })
		return r
	}
	r := a.write(func() (string, error) { return a.server.put(post.Key, post.Text, post.Files) })
	if r.Outcome == platform.Unknown && a.mistakes.lostIsSentAgain {
		r = a.write(func() (string, error) { return a.server.put("", post.Text, post.Files) })
	}
	if a.mistakes.fileIsAlwaysDelivered && len(post.Files) > 0 {
		r.Outcome = platform.Delivered
	}
	if a.mistakes.noID {
		r.ID = ""
	}
	if a.mistakes.wrongID && r.ID != "" {
		r.ID = "post-" + r.ID
	}
	return r
}

// spoilFiles makes the mistakes that concern the files of a post.
func (a *adapter) spoilFiles(post *platform.Post) (r platform.Receipt, done bool) {
	m, limit := a.mistakes, a.server.limits.FileSize
	files := slices.Clone(post.Files)
	for i := range files {
		size := int64(len(files[i].Data))
		switch {
		case m.renamesFiles:
			files[i].Name = "file"
		case m.cutsFiles:
			files[i].Data = files[i].Data[:size-1]
		case m.dropsLargeFile && size > limit:
			return platform.Receipt{Outcome: platform.Delivered}, true
		case m.lowFileSize && size == limit:
			return platform.Receipt{Outcome: platform.Refused, Reason: "too large"}, true
		}
	}
	if m.dropsFiles {
		files = nil
	}
	if m.firstFileOnly && len(files) > 1 {
		files = files[:1]
	}
	post.Files = files
	return r, false
}

// write turns what the server says into a receipt.
func (a *adapter) write(do func() (string, error)) platform.Receipt {
	id, err := a.server.write(do)
	r := platform.Receipt{ID: id}
	if err != nil {
		r.Reason = err.Error()
	}
	switch {
	case err == nil:
		r.Outcome = platform.Delivered
	case errors.Is(err, errLimited):
		r.Outcome, r.RetryAfter = platform.Limited, RetryAfter
	case errors.Is(err, errGone):
		r.Outcome = platform.Unknown
	default:
		r.Outcome = platform.Refused
	}
	a.lie(&r)
	return r
}

// lie makes the mistakes that concern receipts.
func (a *adapter) lie(r *platform.Receipt) {
	m := a.mistakes
	switch {
	case r.Outcome == platform.Unknown && m.lostIsDelivered:
		r.Outcome = platform.Delivered
	case r.Outcome == platform.Unknown && m.lostIsFailed, r.Outcome == platform.Refused && m.refusedIsFailed, r.Outcome == platform.Limited && m.limitedIsFailed:
		r.Outcome = platform.Failed
	case r.Outcome == platform.Refused && m.noReason:
		r.Reason = ""
	case r.Outcome == platform.Limited && m.noRetryAfter:
		r.RetryAfter = 0
	case r.Outcome == platform.Limited && m.wrongRetryAfter:
		r.RetryAfter *= 1000
	}
}

func (a *adapter) Edit(_ context.Context, _ platform.Room, post, text string) platform.Receipt {
	r := a.write(func() (string, error) { return a.server.edit(post, text) })
	if !a.mistakes.keepsChoices {
		a.server.change(func() { a.server.offer(post, nil) })
	}
	if a.mistakes.editHasNoID {
		r.ID = ""
	}
	if a.mistakes.editIsAlwaysDelivered {
		r.Outcome = platform.Delivered
	}
	return r
}

func (a *adapter) Delete(_ context.Context, _ platform.Room, post string) platform.Receipt {
	return a.write(func() (string, error) { return a.server.delete(post) })
}

func (a *adapter) React(_ context.Context, _ platform.Room, message, emoji string) platform.Receipt {
	r := a.write(func() (string, error) { return a.server.react(message, emoji, true) })
	if a.mistakes.reactIsAlwaysDelivered {
		r.Outcome = platform.Delivered
	}
	return r
}

func (a *adapter) Unreact(_ context.Context, _ platform.Room, message, emoji string) platform.Receipt {
	return a.write(func() (string, error) { return a.server.react(message, emoji, false) })
}

func (a *adapter) Typing(context.Context, platform.Room) error {
	if a.mistakes.noTyping {
		return errRefused
	}
	return nil
}
