package web

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"

	"github.com/asidehq/aside/platform"
)

// The first letter of an id says what it is of, so that the kinds never meet.
const (
	idOfPost    = "a" // by the agent, from the post's key
	idOfKey     = "k" // by a person, from the request's Idempotency-Key
	idOfMessage = "m" // by a person, without one
	idOfFile    = "f" // always random: who knows it may read the file
)

// derive makes an id of what identifies an entry.
func derive(prefix, from string) string {
	sum := sha256.Sum256([]byte(from))
	return prefix + base64.RawURLEncoding.EncodeToString(sum[:])[:22]
}

// Post implements platform.Platform. The key is the id, so a post that is written
// again changes nothing.
func (w *Web) Post(ctx context.Context, post platform.Post) platform.Receipt {
	room := post.Room.ID
	if !validRoom(room) {
		return platform.Receipt{Outcome: platform.Refused, Reason: "the web page has no such room: " + roomRule}
	}
	files := []File{}
	for _, f := range post.Files {
		if int64(len(f.Data)) > w.fileSize {
			return platform.Receipt{Outcome: platform.Refused, Reason: "the web page takes files up to " + platform.SizeText(w.fileSize)}
		}
		files = append(files, w.newFile(f))
	}
	id := derive(idOfPost, post.Key)
	err := w.log.Add(ctx, Entry{
		ID: id, Room: room, Author: w.agent, Kind: "agent", Text: post.Text, ReplyTo: post.ReplyTo,
		Reactions: []string{}, Files: files, At: w.now(),
	})
	return w.receipt(ctx, room, id, true, err)
}

// Edit implements platform.Editor.
func (w *Web) Edit(ctx context.Context, room platform.Room, post, text string) platform.Receipt {
	if !strings.HasPrefix(post, idOfPost) {
		return platform.Receipt{Outcome: platform.Refused, Reason: "only the agent's own posts can be edited"}
	}
	found, err := w.log.Edit(ctx, room.ID, post, text)
	return w.receipt(ctx, room.ID, post, found, err)
}

// Delete implements platform.Deleter. A post that is not there is as good as
// deleted.
func (w *Web) Delete(ctx context.Context, room platform.Room, post string) platform.Receipt {
	_, err := w.log.Delete(ctx, room.ID, post)
	return w.receipt(ctx, room.ID, post, true, err)
}

// React implements platform.Reactor.
func (w *Web) React(ctx context.Context, room platform.Room, message, emoji string) platform.Receipt {
	return w.react(ctx, room.ID, message, emoji, true)
}

// Unreact implements platform.Reactor.
func (w *Web) Unreact(ctx context.Context, room platform.Room, message, emoji string) platform.Receipt {
	return w.react(ctx, room.ID, message, emoji, false)
}

func (w *Web) react(ctx context.Context, room, message, emoji string, on bool) platform.Receipt {
	found, err := w.log.React(ctx, room, message, emoji, on)
	return w.receipt(ctx, room, message, found, err)
}

// Settled implements platform.Settler.
func (w *Web) Settled(_ context.Context, room platform.Room, _ string, _ int64) { w.wake(room.ID) }

// receipt says what came of a change, and wakes whoever waits for one.
func (w *Web) receipt(ctx context.Context, room, id string, found bool, err error) platform.Receipt {
	// Even if there was an error: part of it may have been done.
	defer w.wake(room)
	switch {
	case err == nil && found:
		return platform.Receipt{Outcome: platform.Delivered, ID: id}
	case err == nil:
		return platform.Receipt{Outcome: platform.Refused, Reason: "it does not stand in the room any more"}
	case ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return platform.Receipt{Outcome: platform.Unknown, Reason: "it was interrupted"}
	}
	w.logger.Error("a room could not be written", "room", room, "entry", id, "error", err)
	return platform.Receipt{Outcome: platform.Failed, Reason: "the room could not be written; the log says why"}
}
