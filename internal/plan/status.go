package plan

import (
	"fmt"
	"slices"
	"strings"
)

// A Status is how far a plan has come.
type Status string

const (
	Draft        Status = "DRAFT"        // it is being written
	Review       Status = "REVIEW"       // it is written, and waits for somebody's yes
	Approved     Status = "APPROVED"     // it may be run
	Implementing Status = "IMPLEMENTING" // it is being run
	Done         Status = "DONE"         // every phase is done or skipped
	Closed       Status = "CLOSED"       // it was put away
	Cancelled    Status = "CANCELLED"    // it was given up
)

// Statuses are all there are, in order.
func Statuses() []Status {
	return []Status{Draft, Review, Approved, Implementing, Done, Closed, Cancelled}
}

// transitions are the changes that there may be. Approving once more is one of them: it
// says yes to what was changed since. Only a run makes a plan Implementing and takes it out
// of that again; a person may write anything into the file.
var transitions = map[Status][]Status{
	Draft:        {Review, Approved, Closed, Cancelled},
	Review:       {Draft, Approved, Closed, Cancelled},
	Approved:     {Draft, Review, Approved, Implementing, Closed, Cancelled},
	Implementing: {Approved, Done},
	Done:         {Closed},
	Closed:       nil,
	Cancelled:    nil,
}

// May tells whether a plan may go from one status to another.
func (s Status) May(next Status) bool { return slices.Contains(transitions[s], next) }

// Over tells whether nothing more will come of a plan.
func (s Status) Over() bool { return s == Done || s == Closed || s == Cancelled }

// ReadStatus is the status that a word names, however it is written.
func ReadStatus(word string) (Status, error) {
	s := Status(strings.ToUpper(strings.TrimSpace(word)))
	if !slices.Contains(Statuses(), s) {
		return "", fmt.Errorf("%q is no status of a plan; there are %s", word, statusList())
	}
	return s, nil
}

func statusList() string {
	var all []string
	for _, s := range Statuses() {
		all = append(all, string(s))
	}
	return strings.Join(all, ", ")
}

// refuse says why a plan cannot be approved, closed or run, "" if it can.
func refuse(id string, doing Status, now Status) string {
	switch {
	case now == Implementing && doing == Implementing:
		return ""
	case now == Implementing:
		return fmt.Sprintf("%s is being implemented; wait until its run has ended, or stop it first", id)
	case now.May(doing):
		return ""
	case doing == Implementing && !now.Over():
		return fmt.Sprintf("%s is %s and has to be approved before it can run", id, now)
	}
	return fmt.Sprintf("%s is %s, and that is its end; make a new plan for what is left", id, now)
}
