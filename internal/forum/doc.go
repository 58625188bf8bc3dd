// Package forum mirrors a board, of tasks or of jobs, in the threads of a forum: each item
// has a thread with its name, its text and its tags, which is archived while the item is
// closed, and whoever archives the thread closes the item.
//
// It knows boards and platforms by interfaces. Before changing it, know that nothing counts
// but what is read: a sync reads the board, the forum and what was stored when both last
// agreed, plans what is to be done about the difference (plan.go, a pure function) and does
// it (apply.go). What it was told by events, and what it was doing when it was killed, only
// decides when the next sync is. A sync that has come to its end leaves nothing to plan.
package forum
