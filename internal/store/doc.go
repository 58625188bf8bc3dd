// Package store keeps everything that must survive: messages, turns, the ledger of
// actions, posts, what the web page shows, facts. One schema, two engines: SQLite in
// a file, PostgreSQL for several machines.
//
// SQL stands as text next to the function that runs it, written with ? and turned
// into the engine's own placeholders. Before changing it, know that each stage of a
// turn is one transaction here: a crash between two functions must leave a state
// from which the next one can go on.
package store
