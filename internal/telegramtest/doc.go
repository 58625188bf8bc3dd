// Package telegramtest is a Telegram for tests: an HTTP server that speaks the Bot API,
// as far as platform/telegram uses it, to whatever client asks. It keeps chats, people
// and every version of every message, and answers with Telegram's own words. A test
// drives it ("Ada writes …", "cut the connection", "drop the next answer after doing what
// was asked") and looks at its state.
//
// It imports nothing of the adapter. Before changing it, know that it is meant to be as
// strict as Telegram is, and no friendlier: it has no keys for posts and no history to
// read, private chats and small groups share one count of message ids, an update that was
// confirmed is gone, and an edit that changes nothing is an error.
package telegramtest
