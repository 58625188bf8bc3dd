// Package slack is the adapter for Slack: Socket Mode or HTTP brings what people write, the
// Web API does everything else.
//
// It imports platform, goldmark for what a model writes, and the emoji library for the
// names that Slack has for emoji. The requests are its own, and so are the types of what
// Slack sends: a client that takes an answer without "ok" for a success, or fails a request
// that was done because of a block it does not know, cannot give honest receipts.
//
// Before changing it, know three things. An envelope is acknowledged when its message is
// stored and not before; what nobody has acknowledged may be lost all the same, so that
// every new connection begins with the rooms' history (catchup.go). Slack has no keys for
// posts: the key stands in the metadata of a post, and whoever may have made it before looks
// for it there (find.go). And a thread is a room: C1 is a channel, C1:123.456 the thread of
// one of its messages (place.go).
package slack
