// Package plan keeps plans and runs them. A plan is a Markdown file under the data
// directory that people read and edit as they like (Document, Folder); its status says what
// may be done with it; a run works through its phases, each an errand of the queue.
//
// It imports the store, the actions of the category plan, and platform. Before changing it,
// know three things. The file is a person's: what was not asked to change stays byte for
// byte, and a file that cannot be read is never written. What a run has come to is the
// store's: the file is brought in line with it afterwards, as often as it takes. And nothing
// of a run lives in memory only: what follows a phase is opened in the transaction that ends
// it.
package plan
