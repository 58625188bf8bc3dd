package platform

import (
	"context"
	"fmt"
	"net/http"
)

// Abilities are what only some platforms can do. Whoever needs one asks for it
// with a type assertion, and says Lacks where it is missing.

// An Editor can change a post it has written. The edit is repeatable: the text
// replaces whatever stands there.
type Editor interface {
	Edit(ctx context.Context, room Room, post, text string) Receipt
}

// An Opener is an Editor whose platform has no keys for posts, and cannot be asked what
// stands there. It opens a post: something small stands in its room, and the receipt has the
// id, which is stored before the text is written there with Edit, or text and files with
// Post.Opened. What is opened a second time because the answer was lost is no text that
// people read twice.
type Opener interface {
	Open(ctx context.Context, post Post) Receipt
}

// A Once is an Opener with posts that cannot take the place of what was opened: an album, a
// voice message. Such a post is sent, and nobody may send it a second time unless a receipt
// says that it does not stand there (Refused, Limited, Failed). That it was begun is stored
// before Post is called, and whoever takes it up after that says so with Post.Begun. What was
// opened says where to begin to look for it, and need be nothing that people see.
type Once interface {
	// Once tells whether a post is one of those. Its Opened is set.
	Once(post Post) bool
}

// A Grouper can show several files as one post, an album.
type Grouper interface {
	// Groups tells whether these files can be shown as one. It looks at no more than the
	// files, so that what it says does not change.
	Groups(files []File) bool
}

// A Deleter can take a post away.
type Deleter interface {
	Delete(ctx context.Context, room Room, post string) Receipt
}

// A Reactor can put an emoji on a message and take its own off. Both are
// repeatable.
type Reactor interface {
	React(ctx context.Context, room Room, message, emoji string) Receipt
	Unreact(ctx context.Context, room Room, message, emoji string) Receipt
}

// A Marker shows one mark of the agent's on a person's message, in place of the one before
// it; "" takes it away. It is repeatable. A Reactor that can have several emoji on a message
// need not be one.
type Marker interface {
	Mark(ctx context.Context, room Room, message, glyph string) Receipt
}

// A Chooser can have buttons below its posts (Post.Choices, Limits.Choices). Edit takes them
// away; EditChoices writes the text and the buttons anew. It is repeatable.
type Chooser interface {
	EditChoices(ctx context.Context, room Room, post, text string, choices []string) Receipt
}

// A Picky platform takes only some emoji as reactions.
type Picky interface {
	// Nearest is the emoji itself where the platform takes it, without what is invisible,
	// or the nearest one that it takes; "" if none is near. It is asked before anything is
	// connected, and of an adapter that is nil.
	Nearest(emoji string) string
}

// A Typist can show that an answer is being written. It lasts a few seconds.
type Typist interface {
	Typing(ctx context.Context, room Room) error
}

// A Hooked platform has what people write brought to it over HTTP. Hook handles such a
// request, and proves by itself where it is from; nil is none. It is at /hooks/ and the
// platform's name.
type Hooked interface {
	Hook() http.HandlerFunc
}

// A Settler wants to know when everything that follows from a message is done.
type Settler interface {
	Settled(ctx context.Context, room Room, message string, turn int64)
}

// Lacks is the outcome of asking a platform for what it cannot do.
func Lacks(p Platform, what string) Receipt {
	return Receipt{Outcome: Refused, Reason: fmt.Sprintf("%s cannot %s", p.Name(), what)}
}
