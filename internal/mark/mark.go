// Package mark keeps the lifecycle reaction on a person's message: 👀 when it is queued,
// 🤔 while it is worked on, and in the end 🏆, 👍 or 😱. A mark is a promise about what
// happened to the message, so the final one is computed from receipts, in one place
// (Final), and brought to the platform by a Keeper until it stands there.
//
// It imports platform only; package store writes down which mark is wanted, and tells the
// Keeper. Before changing it, know that a final mark is final: whatever comes late must not
// replace it, also when it comes from a process that does not know of it yet.
package mark

// A Mark is what a person is told about their message.
type Mark string

const (
	Received   Mark = "received"   // stored and queued
	Stalled    Mark = "stalled"    // nobody has taken it up for a while; somebody will
	Processing Mark = "processing" // a turn is running

	Success  Mark = "success"  // settled, and there was nothing to say
	Complete Mark = "complete" // settled, and a text reply was delivered
	Error    Mark = "error"    // settled with an error, or the reply could not be delivered
	None     Mark = "none"     // settled as far as it goes: it waits for a person

	// What becomes of a mark that cannot be shown.
	Refused  Mark = "refused"  // by the platform
	GivenUp  Mark = "given up" // it could not be reached for too long
	Replaced Mark = "replaced" // the person has changed the message, and that has a mark of its own
)

// rank orders marks: one of a lower rank is late and replaces nothing.
func (m Mark) rank() int {
	switch m {
	case Received:
		return 1
	case Stalled:
		return 2
	case Processing:
		return 3
	}
	return 4
}

// Final tells whether a mark says how it ended.
func (m Mark) Final() bool { return m.rank() == 4 }

// What a reply was taken for, as it stands in a turn.
const (
	question   = "question"
	blocker    = "blocker"
	failure    = "error"
	PassedOver = "passed over" // the message was not for the agent
)

// Facts are what is known about a message when no turn of it is open.
type Facts struct {
	Failed  bool   // the last turn has no reply, or not all of one
	Stopped bool   // because a person wanted it to
	Output  string // what the last reply was taken for; "" is not known
	Asked   bool   // an action waits to be confirmed

	Delivered int // posts of the reply with words in them that have a receipt
	Lost      int // posts of the reply that were refused, or could not be sent in time
}

// Final is the mark that a settled message has in the end. A reply that did not arrive
// comes before everything else: whatever it said, nobody has read it.
func Final(f Facts) Mark {
	switch {
	case f.Lost > 0:
		return Error
	case f.Stopped: // which is what the person wanted
	case f.Failed, f.Output == failure, f.Output == blocker:
		return Error
	}
	switch {
	case f.Asked, f.Output == question, f.Output == PassedOver:
		return None
	case f.Delivered > 0:
		return Complete
	}
	return Success
}
