// Package telegram is the adapter for Telegram's Bot API.
//
// It imports platform, and goldmark to read Markdown. Requests and the types of what comes
// in are its own (api.go, wire.go): a receipt has to say whether a request was sent at all,
// and an update with something new in it must not take the whole batch with it.
//
// In: updates are asked for with getUpdates, or brought to a webhook. Each is handed over
// before the next one, and Telegram is told "received" (the offset moves, the webhook
// answers 200) only when everything up to it is stored.
//
// Out: Telegram has no keys for posts, and a bot cannot read what stands in a chat. A text
// whose answer was lost may stand there or not, and nobody can tell. So no text is ever
// sent. Before changing post.go, know its protocol:
//
//  1. Open sends a placeholder, "…", and its id is stored by whoever asked.
//  2. The text, or the file, replaces it by an edit. An edit can be repeated: that "message
//     is not modified" is a success.
//
// When the answer to a placeholder is lost, another one is sent. At worst a "…" is left
// over, never a text that people read twice. What is left over is looked for (stray.go):
// ids in a chat grow, so it stands between the last id that was known and the next one
// that is. An edit to "…" is tried on each id between: only on our own placeholder does it
// say "not modified", and then it is deleted. Messages of others cannot be edited by the
// bot, and what is stored is left alone. So whatever is written has to be stored first. What
// cannot be finished is kept (left.go) and taken up when the chat is written to again, also
// by the next process.
//
// Albums and voice messages cannot take the place of a placeholder. They are the only thing
// that is sent (whole.go), and they are sent once:
//
//  1. Open gives the newest id that is known, which is stored. Then it is stored that the
//     sending begins (platform.Once).
//  2. They are sent.
//
// Whoever finds the beginning stored and no end, or gets no answer, looks for them behind
// that id (look.go). Looking changes nothing that people read. What is found was
// delivered. What is not found is not sent again: Telegram may carry a request out long after
// the connection has ended, so that nothing proves that it will not stand there, and a part
// of an album may stand there although the answer is an error. The receipt then is Unknown
// and Final, a person is told, and decides. What Telegram refuses as an album goes as
// messages of their own, each of them an edit; what it refuses as a voice goes as a sound.
package telegram
