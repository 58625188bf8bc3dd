// Package slacktest is a Slack for tests: an HTTP server that speaks the Web API and
// Socket Mode, as far as platform/slack uses them, to whatever client connects. It keeps
// channels, threads, people, files and messages with all their versions, and answers with
// Slack's own errors. A test drives it ("Ada writes …", "drop the connection", "do what is
// asked and lose the answer") and looks at its state.
//
// It imports nothing of the adapter. Before changing it, know that it is meant to be as
// strict as Slack is, and no friendlier: an event that happens while nobody is connected is
// lost, a history has no replies of threads in it, emoji come as their names, an edit takes
// 4,000 characters where a post takes 40,000, and a file is shared some time after it was
// uploaded.
package slacktest
