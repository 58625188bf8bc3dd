// Package platform says what Aside needs of a place where people write: Discord,
// Telegram, Slack, WhatsApp, Signal, the web page, the terminal. An adapter
// implements Platform and as many of the abilities (ability.go) as its platform
// has; everything else finds out by asking for them.
//
// The package imports the standard library and, for the splitter, what knows where a
// character ends. Before changing it, know that a Receipt is evidence: whatever Aside tells a person about a delivery is computed
// from receipts, so an adapter that cannot be sure says Unknown.
package platform

import (
	"context"
	"time"
)

// A Platform receives messages and posts.
type Platform interface {
	// Name is the platform's name in configuration, tables and logs: "discord".
	Name() string

	// Limits says how much fits into a post and how often one may be edited.
	Limits() Limits

	// Run receives messages until the context ends, reconnecting by itself. It
	// hands every message to inbox, in the order in which a room's messages were
	// written, and tells the platform "received" only after that has returned
	// without an error. It returns nil when the context has ended, or an error
	// that a person must mend (a wrong token).
	Run(ctx context.Context, inbox Inbox) error

	// Post writes a post. It is called again with the same Key after a crash or
	// when a receipt was Unknown; an adapter uses what its platform offers so
	// that this is not a second post.
	Post(ctx context.Context, post Post) Receipt
}

// An Inbox takes what people write. Receive returns once the message is stored; a
// message it has seen before is no error.
type Inbox interface {
	Receive(ctx context.Context, m Message) error
}

// A Room is a place on a platform where messages stand: a channel, a thread, a
// topic, a direct chat.
type Room struct {
	Platform string
	ID       string // the platform's own id
}

// String is the room as it stands in tables and logs: "discord/1234".
func (r Room) String() string { return r.Platform + "/" + r.ID }

// A Person writes messages. Bots are persons too, and are told apart.
type Person struct {
	ID     string
	Name   string
	Handle string // a name that is theirs alone on the platform, without @; "" where there is none
	Bot    bool
}

// A Message is something a person wrote, as it arrived.
type Message struct {
	Room    Room
	ID      string // the platform's own id, unique in its room
	Author  Person
	Text    string
	ReplyTo string // the id of the message it answers, or ""
	At      time.Time
	Direct  bool // in a chat between the person and the agent alone
	Files   []File

	// Parent is the id of the room that a thread or a topic is in, "" elsewhere. What is
	// configured about that room counts in the thread too.
	Parent string

	// Edits is set where the person has changed what they wrote before: it is the id of
	// that message, and Text its new text. ID is then unique to the change, and At is when
	// it was made: of two changes the later one counts.
	Edits string

	// Unseen is set where nothing of it stands in the room, as with a slash command: nothing
	// can be put on it.
	Unseen bool

	// Mentioned is set where the agent is called by its name or answered.
	Mentioned bool

	// Reaction is set where the person has not written but reacted. ID is then unique to
	// the event, and ReplyTo the message that has the reaction.
	Reaction *Reaction
}

// Stands is the id of what stands in the room: the message itself, or the one that was
// changed or has the reaction; "" if nothing does.
func (m Message) Stands() string {
	switch {
	case m.Unseen:
		return ""
	case m.Reaction != nil:
		return m.ReplyTo
	case m.Edits != "":
		return m.Edits
	}
	return m.ID
}

// A Reaction is an emoji that a person has put on a message or taken off, or the button
// that they have pressed below a post.
type Reaction struct {
	Emoji   string // a character, or name:id
	Removed bool
	To      Message // as far as it is known
	ToAgent bool    // it is one of the agent's own posts
}

// A Post is something Aside writes.
type Post struct {
	Key     string // the same for every try
	Room    Room
	Text    string
	ReplyTo string // the id of the message it answers, or ""

	// Created is when the post was made, or zero. A try long after that may not be
	// the first, and a platform's memory for keys is short.
	Created time.Time

	// Files go with the text, as one post with one receipt. There are none where
	// Limits.FileSize is 0, and none that is larger.
	Files []File

	// Opened is what an Opener has given for the post: its text and its files go there.
	Opened string

	// Choices are emoji that people can press below the post; what they press comes in as a
	// Reaction to it. There are no more than Limits.Choices.
	Choices []string

	// Begun is set where a Once has said that the post is sent once, and that was begun
	// before: it may stand there. It is looked for, and not sent again.
	Begun bool
}

// A Receipt is proof of what the platform did with a post, an edit or a reaction.
type Receipt struct {
	Outcome    Outcome
	ID         string        // the id of the post, where the platform gives one
	Reason     string        // why it was not delivered, for a person to read
	RetryAfter time.Duration // how long a Limited one must wait
	Gone       bool          // it was Refused because what was to be changed stands there no more
	Final      bool          // it is Unknown and will stay so: it was looked for, and only a person can say whether to try again
	Apart      bool          // it Failed because its files cannot be shown as one: open it again, for each of them
}

// An Outcome says what became of a post.
type Outcome uint8

const (
	Unknown   Outcome = iota // the answer was lost: it may or may not stand there
	Delivered                // it stands there
	Refused                  // the platform will not take it, now or later
	Limited                  // not now: the platform asks to wait
	Failed                   // it certainly does not stand there; try again
)

var outcomeNames = [...]string{"unknown", "delivered", "refused", "limited", "failed"}

func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return "unknown"
}

// Limits are what a platform allows.
type Limits struct {
	Text      int           // characters in a post, counted as Count says; 0 is no limit
	Count     Count         // how the platform counts
	EditEvery time.Duration // how long to wait between edits of a post; 0 where it cannot edit
	FileSize  int64         // bytes of a file in a post; 0 where it cannot send files
	Choices   int           // buttons below a post; 0 where it has none
}

// A Count is a way of counting characters.
type Count uint8

const (
	CountRunes Count = iota // Unicode characters
	CountUTF16              // UTF-16 code units, as Telegram counts
	CountBytes
)

// Of is how long text is.
func (c Count) Of(text string) int {
	n := 0
	for _, r := range text {
		n += c.ofRune(r)
	}
	if c == CountBytes {
		return len(text)
	}
	return n
}

func (c Count) ofRune(r rune) int {
	if c == CountUTF16 && r > 0xffff {
		return 2
	}
	return 1
}
