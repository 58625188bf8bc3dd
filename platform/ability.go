package platform

import (
	"context"
	"fmt"
)

// Abilities are what only some platforms can do. Whoever needs one asks for it
// with a type assertion, and says Lacks where it is missing.

// An Editor can change a post it has written. The edit is repeatable: the text
// replaces whatever stands there.
type Editor interface {
	Edit(ctx context.Context, room Room, post, text string) Receipt
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

// A Typist can show that an answer is being written. It lasts a few seconds.
type Typist interface {
	Typing(ctx context.Context, room Room) error
}

// A Settler wants to know when everything that follows from a message is done.
type Settler interface {
	Settled(ctx context.Context, room Room, message string, turn int64)
}

// Lacks is the outcome of asking a platform for what it cannot do.
func Lacks(p Platform, what string) Receipt {
	return Receipt{Outcome: Refused, Reason: fmt.Sprintf("%s cannot %s", p.Name(), what)}
}
