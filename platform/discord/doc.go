// Package discord is the adapter for Discord: the gateway brings what people write,
// REST does everything else.
//
// It imports platform, and disgo for REST: routes, requests, files, ids. The gateway is
// its own, and so are the types of what Discord sends. disgo's gateway decodes in a
// goroutine of its own and panics there on events that it does not expect, which nobody
// can recover from; it counts an event as received before it is handled; and it refuses
// a whole page of messages for one with a component that it does not know.
//
// Before changing it, know that Discord does not acknowledge single messages. An event
// counts when it has been handled (shard.seq), so that a resumed session repeats what
// was not; and how far messages have been handled is kept (bookmark.go), so that a
// session that cannot be resumed is made up for from the rooms' history (catchup.go).
package discord
