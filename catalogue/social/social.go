// Package social holds what agents of social networks do with a message, as far as it
// makes sense in a chat: like, repost, quote and reply, each alone or all in one with the
// flags of an envelope.
package social

import (
	"cmp"
	"context"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

const category = "social"

// Specs are the actions of this category. reposts is the room that messages are reposted
// to; without an ID there is none, and a message can only be crossposted.
func Specs(platforms venue.Platforms, sender messaging.Sender, reposts platform.Room) []*action.Spec {
	n := network{platforms, sender, reposts}
	return []*action.Spec{n.likeSpec(), n.repostSpec(), n.quoteSpec(), n.replySpec(), n.engageSpec()}
}

// A network is what the actions work with.
type network struct {
	platforms venue.Platforms
	sender    messaging.Sender
	reposts   platform.Room
}

type messageArgs struct {
	Message string `arg:"message,messageId" optional:"true" doc:"the id, the person's message if left out"`
}

type textArgs struct {
	Content string `arg:"content,text" optional:"true" doc:"your words"`
	Message string `arg:"message,messageId" optional:"true" doc:"the id, the person's message if left out"`
}

// noMessage is said where no message has started the turn, and none was named.
const noMessage = "message is missing; say its id"

// mayRead tells why the person who asked may not have a message read to them: what they
// cannot look up themselves, other than their own.
func (n network) mayRead(ctx context.Context, c action.Call, message string) error {
	if message == c.Message {
		return nil
	}
	return venue.MayHere(ctx, n.platforms, c, platform.ReadHistory)
}

// fetch reads a message of the call's room.
func (n network) fetch(ctx context.Context, c action.Call, message string) (platform.Message, error) {
	historian, err := venue.Ability[platform.Historian](n.platforms, c.Platform, "read old messages")
	if err != nil {
		return platform.Message{}, err
	}
	return historian.Message(ctx, venue.Here(c), message)
}

// How much of a message is quoted.
const (
	mostQuoted = 1000 // characters
	mostLines  = 20
)

// quotation is a message as others read it: every line marked, so that nothing in it
// looks like the agent's own words, and with who wrote it.
func quotation(m platform.Message) string {
	text := strings.TrimSpace(strings.ToValidUTF8(m.Text, "\ufffd"))
	if text == "" && len(m.Files) > 0 {
		text = "(" + platform.CleanName(m.Files[0].Name) + ")"
	}
	if runes := []rune(text); len(runes) > mostQuoted {
		text = string(runes[:mostQuoted]) + "…"
	}
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text), "\n")
	if len(lines) > mostLines {
		lines = append(lines[:mostLines], "…")
	}
	return "> " + strings.Join(lines, "\n> ") + "\n— " + author(m)
}

// author is who wrote a message, on one line.
func author(m platform.Message) string {
	name := []rune(strings.Join(strings.Fields(cmp.Or(m.Author.Name, m.Author.ID, "somebody")), " "))
	return string(name[:min(len(name), 80)])
}
