package model

import "context"

// Interrupted is the error of a stream whose context has ended. Providers use it,
// so that a person reads the same words whichever model was asked.
func Interrupted(ctx context.Context) *Error {
	return &Error{Kind: Cancelled, Message: "The request was cancelled.", Cause: context.Cause(ctx)}
}
