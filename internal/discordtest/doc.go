// Package discordtest is a Discord for tests: an HTTP server that speaks REST v10 and
// the gateway, as far as platform/discord uses them, to whatever client connects. It
// keeps guilds, rooms, people and messages, computes what the bot is allowed to do, and
// answers with Discord's own codes. A test drives it ("Ada writes …", "drop the
// connection", "answer the next post with 500 after doing it") and looks at its state.
//
// It imports nothing of the adapter, and computes rights by itself: what both agree on
// was written twice. Before changing it, know that it is meant to be as strict as
// Discord is, and no friendlier: a history has no nonces, a session that was closed with
// 1000 cannot be resumed, and a reaction comes without the message it stands on.
package discordtest
