package telegram

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/asidehq/aside/platform"
)

// onReaction hands over that somebody has put emoji on a message or taken them off. The
// update says which there were and which there are.
func (t *Telegram) onReaction(ctx context.Context, inbox platform.Inbox, u *update) error {
	r := u.Reaction
	if r.Chat.ID == 0 || r.Message == 0 || r.User == nil && r.As == nil {
		return nil
	}
	who := author(&message{From: r.User, As: r.As})
	if who.ID == strconv.FormatInt(t.me().ID, 10) {
		return nil
	}
	in, found, err := t.lookUp(ctx, r.Chat.ID, r.Message)
	if err != nil {
		t.log.Warn("what has a reaction could not be looked up", "error", err)
	}
	to := platform.Message{Room: in.room(), ID: strconv.Itoa(r.Message)}
	own := false
	if found != nil {
		to, own = found.Message, found.Own
	}
	before, after := emojis(r.Old), emojis(r.New)
	var changes []platform.Reaction
	for _, e := range before {
		if !slices.Contains(after, e) {
			changes = append(changes, platform.Reaction{Emoji: e, Removed: true})
		}
	}
	for _, e := range after {
		if !slices.Contains(before, e) {
			changes = append(changes, platform.Reaction{Emoji: e})
		}
	}
	for i, change := range changes {
		change.To, change.ToAgent = to, own
		m := platform.Message{
			Room: in.room(), Parent: in.parent(), ID: fmt.Sprintf("reaction-%d-%d", u.ID, i), Author: who, ReplyTo: strconv.Itoa(r.Message),
			At: time.Unix(r.Date, 0).UTC(), Direct: r.Chat.Type == "private", Mentioned: own, Reaction: &change,
		}
		if err := t.hand(ctx, inbox, m); err != nil {
			return err
		}
	}
	return nil
}

// emojis are reactions as we write them: a character, or custom:id.
func emojis(all []reactionType) []string {
	var out []string
	for _, r := range all {
		switch {
		case r.Emoji != "":
			out = append(out, r.Emoji)
		case r.Custom != "":
			out = append(out, "custom:"+r.Custom)
		}
	}
	return out
}
