// Package forge drafts a plan, has it audited, and has it revised until nothing blocks it
// any more, or for so many rounds. The models of the roles forge-drafter and forge-auditor
// do the work.
//
// It works on the store, plans and errands, and implements what package catalogue/forge
// asks for. Before changing it, know that nothing of a forge is kept in memory: how far it
// has come stands in its row, every step is an errand, and the next one is opened in the
// transaction that ends the one before. Whichever process is alive goes on.
package forge
