// Package chat is the conversation in a terminal: a prompt, the answer as it is
// written, and what its actions came to. It also sends single messages, for pipes. It
// is a client of the HTTP API like any other and knows nothing of the engine.
//
// Before changing it, know that everything Aside sends is hostile: it goes through
// Visible before it is printed, so that no reply can move the cursor, change a title
// or fake a prompt.
package chat
