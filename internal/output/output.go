// Package output says what a reply is: an answer, a report on the way to one, a question,
// something that blocks, or a failure.
//
// It imports package model. Before changing it, know what a mistake costs: a reply that
// is taken for a status update is held back and the model is asked to go on. So whatever
// is not surely something else is a completion, and is delivered.
package output

// A Type is what a reply is. The words are stored.
type Type string

const (
	Completion   Type = "completion"
	StatusUpdate Type = "status update" // says what is being done, and not what came of it
	Question     Type = "question"      // waits for the person's answer
	Blocker      Type = "blocker"       // cannot go on without something
	Error        Type = "error"         // there is no reply, or only a part of one
)

// Types are all types.
func Types() []Type { return []Type{Completion, StatusUpdate, Question, Blocker, Error} }

// A Verdict is a type and why a reply was taken for it, for a person to read.
type Verdict struct {
	Type Type
	Why  string
}

// longestStatus is how long a status update may be, in characters. What is longer has
// something to say.
const longestStatus = 400

// Holds tells whether a text may be held back as a status update. Whoever thinks it is one:
// a text with code in it, or a long one, is worth being read.
func Holds(text string) bool {
	return len([]rune(text)) <= longestStatus && !fence.MatchString(text)
}
