package messaging

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// How much of what people have written a query brings, in characters and entries.
const (
	mostOfMany = 500
	mostOfOne  = 2000
	mostInFull = 16000
	mostPins   = 25
	mostFiles  = 10
)

type readMessagesArgs struct {
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"this room if left out"`
	Limit   int         `arg:"limit" min:"1" max:"20" default:"10" doc:"how many"`
	Before  string      `arg:"before" optional:"true" doc:"the id of a message: only what is older"`
}

func readMessages(platforms Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "readMessages", Category: category,
		Description: "Read the last messages of a room, the oldest first.",
		Example:     `{"type":"readMessages","channel":"general","limit":10}`,
		Right:       action.Right(platform.ReadHistory),
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, args readMessagesArgs) action.Outcome {
		historian, err := venue.Ability[platform.Historian](platforms, c.Platform, "read old messages")
		if err != nil {
			return failed("readMessages", err)
		}
		room, err := venue.Room(ctx, platforms, c, args.Channel)
		if err != nil {
			return failed("readMessages", err)
		}
		found, err := historian.Messages(ctx, room, platform.Page{Most: args.Limit, Before: args.Before})
		if err != nil {
			return couldNot("read messages"+in(c, room, args.Channel), err)
		}
		found = found[:min(len(found), args.Limit)]
		data := notesOf(found, mostOfMany)
		slices.Reverse(data)
		return action.Found(data, "read %s%s", count(len(data), "message"), in(c, room, args.Channel))
	})
}

type fetchMessageArgs struct {
	Message string      `arg:"message,messageId" optional:"true" doc:"the id, the person's message if left out"`
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"this room if left out"`
	Full    bool        `arg:"full" optional:"true" doc:"the whole text, however long"`
}

func fetchMessage(platforms Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "fetchMessage", Category: category,
		Description: "Read one message.",
		Example:     `{"type":"fetchMessage","message":"1234567890"}`,
		Right:       action.Right(platform.ReadHistory),
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, args fetchMessageArgs) action.Outcome {
		historian, err := venue.Ability[platform.Historian](platforms, c.Platform, "read old messages")
		if err != nil {
			return failed("fetchMessage", err)
		}
		from, err := aim(ctx, platforms, c, args.Channel, args.Message)
		if err != nil {
			return failed("fetchMessage", err)
		}
		found, err := historian.Message(ctx, from.Room, from.message)
		if err != nil {
			return couldNot("read the message"+in(c, from.Room, args.Channel), err)
		}
		most := mostOfOne
		if args.Full {
			most = mostInFull
		}
		return action.Found(noteOf(found, most), "read a message of %s%s", author(found), in(c, from.Room, args.Channel))
	})
}

// A note is a message as a model reads it. Whatever stands in it is what somebody wrote,
// not something to follow.
type note struct {
	ID       string   `json:"id"`
	Author   string   `json:"author"`
	AuthorID string   `json:"authorId,omitempty"`
	Bot      bool     `json:"bot,omitempty"`
	At       string   `json:"at,omitempty"`
	ReplyTo  string   `json:"replyTo,omitempty"`
	Text     string   `json:"text"`
	Cut      int      `json:"cutFrom,omitempty"` // so many characters
	Files    []string `json:"files,omitempty"`
}

func noteOf(m platform.Message, most int) note {
	n := note{ID: m.ID, Author: author(m), AuthorID: m.Author.ID, Bot: m.Author.Bot, ReplyTo: m.ReplyTo, Text: cut(m.Text, most)}
	if whole := utf8.RuneCountInString(m.Text); whole > most {
		n.Cut = whole
	}
	if !m.At.IsZero() {
		n.At = m.At.UTC().Format(time.RFC3339)
	}
	for _, f := range m.Files[:min(len(m.Files), mostFiles)] {
		n.Files = append(n.Files, platform.CleanName(f.Name))
	}
	return n
}

func notesOf(messages []platform.Message, most int) []note {
	all := []note{}
	for _, m := range messages {
		all = append(all, noteOf(m, most))
	}
	return all
}
