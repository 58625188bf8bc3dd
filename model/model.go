// Package model says what Aside needs of a language model: a request in, a stream
// of text out. Providers are folders beside this file.
//
// The package imports the standard library only. Before changing it, know that a
// stream may start over: whoever shows its text must be able to take it back (see
// Delta.Restart).
package model

import (
	"context"
	"iter"
	"time"
)

// A Model answers requests.
type Model interface {
	// Stream asks the model. The deltas come as the model writes; the last one
	// has an End. An error, of type *Error, is yielded at most once and ends the
	// stream. Breaking out of the loop, or ending the context, cancels the
	// request.
	Stream(ctx context.Context, r Request) iter.Seq2[Delta, error]
}

// A Request is what a model is asked.
type Request struct {
	System   string
	Messages []Message // oldest first; the last is a person's
}

// A Message is a part of the conversation.
type Message struct {
	Role   Role
	Text   string
	Images []Image
}

// A Role says who speaks.
type Role string

const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// An Image is shown to a model that can see.
type Image struct {
	Type string // its media type, such as image/png
	Data []byte
}

// A Delta is the next part of a reply.
type Delta struct {
	Text string

	// Restart says that the reply begins again: the text so far does not count.
	// The stream broke half-way, and the model was asked once more.
	Restart bool

	// End is set on the last delta, and Usage with it where the provider counts.
	End   End
	Usage Usage
}

// An End is why a reply ended.
type End string

const (
	Done     End = "done"
	Length   End = "length"   // the model may not write more
	Filtered End = "filtered" // the provider has cut the reply
)

// Usage is what a request has cost, in tokens.
type Usage struct {
	Input, Output int
}

// An Error is why there is no reply. Its message is for a person, short and
// without the provider's own words; Cause has those for the log.
type Error struct {
	Kind    Kind
	Message string
	Wait    time.Duration // how long to wait before the next try, if the provider says so
	Cause   error
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.Cause }

// A Kind tells errors apart.
type Kind string

const (
	BadKey       Kind = "bad-key"       // the provider does not accept the key
	UnknownModel Kind = "unknown-model" // it has no such model
	TooLong      Kind = "too-long"      // the conversation does not fit
	BadRequest   Kind = "bad-request"   // it does not understand the request
	Busy         Kind = "busy"          // it asks to come back later (429)
	Unavailable  Kind = "unavailable"   // it does not work at the moment (5xx), or cannot be reached
	Broken       Kind = "broken"        // the stream broke half-way, or made no sense
	Stalled      Kind = "stalled"       // nothing came for too long
	Cancelled    Kind = "cancelled"     // the context ended
)

// Again tells whether the same request may succeed later.
func (k Kind) Again() bool {
	return k == Busy || k == Unavailable || k == Broken || k == Stalled
}
