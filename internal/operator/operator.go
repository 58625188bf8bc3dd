// Package operator is what someone who looks after Aside can ask and do: turns,
// prompts, dead letters, tasks, jobs, and who is let in. There are two ways to it with the same answers: Local works on the
// store, Remote asks the HTTP API of a process that holds it; Open chooses.
//
// It imports the store. Before changing it, know that its types are the JSON of the
// API (docs/api.md) and of the commands' --json.
package operator

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/store"
)

var (
	// ErrNoSuchTurn says that there is no turn of that number.
	ErrNoSuchTurn = errors.New("there is no such turn")

	// ErrNoSuchLetter says that there is no dead letter of that key.
	ErrNoSuchLetter = errors.New("there is no such dead letter")
)

// A Turn is a turn with everything that followed from it.
type Turn struct {
	ID      int64       `json:"id"`
	Session string      `json:"session"`
	Room    string      `json:"room"`
	Flow    string      `json:"flow"`
	State   store.Stage `json:"state"`
	Message string      `json:"message"` // the platform's id of it
	Author  string      `json:"author"`
	Text    string      `json:"text"` // what the person wrote
	Reply   string      `json:"reply"`
	Shown   string      `json:"shown"`
	Failure string      `json:"failure,omitempty"`
	Role    string      `json:"role,omitempty"`   // of the model that answers, "" for chat
	Joined  int64       `json:"joined,omitempty"` // the turn that answers the message instead
	Held    string      `json:"held,omitempty"`   // what of it was held back
	Output  string      `json:"output,omitempty"` // what the reply is
	Why     string      `json:"why,omitempty"`    // it was taken for that

	Unanswered string `json:"unanswered,omitempty"` // why nobody answered
	Silent     bool   `json:"silent,omitempty"`     // what was said was shown to nobody

	Actions  []Action        `json:"actions"`
	Receipts []Receipt       `json:"receipts"`
	Problems json.RawMessage `json:"problems"`
	Timings  json.RawMessage `json:"timings"`
	Created  time.Time       `json:"created"`
	Updated  time.Time       `json:"updated"`
}

// An Action is a row of a turn's ledger.
type Action struct {
	Dialect string            `json:"dialect"`
	Type    string            `json:"type"`
	Args    json.RawMessage   `json:"args"`
	Outcome store.ActionState `json:"outcome"`
	Summary string            `json:"summary"`
	Data    json.RawMessage   `json:"data,omitempty"`
}

// A Receipt is what became of a post.
type Receipt struct {
	Key    string          `json:"key"`
	Room   string          `json:"room"`
	Post   string          `json:"post"`
	State  store.PostState `json:"state"`
	Reason string          `json:"reason,omitempty"`
	Tries  int             `json:"tries"`
}

// A Letter is a dead letter: a post that was not delivered.
type Letter struct {
	Key    string          `json:"key"`
	Turn   int64           `json:"turn"`
	Room   string          `json:"room"`
	Text   string          `json:"text"`
	State  store.PostState `json:"state"`
	Reason string          `json:"reason"`
	At     time.Time       `json:"at"`
}

// A Query says which turns are wanted; what is not set does not matter.
type Query struct {
	Room  string // platform/id
	State string
	Since time.Time
	Limit int // from 1 to MostTurns
}

// MostTurns is how many turns are listed at most.
const MostTurns = 1000

// Check says what is wrong with a query, for whoever asked.
func (q Query) Check() error {
	_, err := q.check()
	return err
}

// check turns a query into the store's.
func (q Query) check() (store.TurnQuery, error) {
	in := store.TurnQuery{Stage: store.Stage(q.State), Since: q.Since, Limit: q.Limit}
	if q.Limit < 1 || q.Limit > MostTurns {
		return in, fmt.Errorf("limit is a whole number from 1 to %d", MostTurns)
	}
	if q.Room != "" {
		var err error
		if in.Room, err = roomOf(q.Room); err != nil {
			return in, err
		}
	}
	if q.State != "" && !slices.Contains(store.Stages(), in.Stage) {
		return in, fmt.Errorf("state is one of %s", strings.Join(States(), ", "))
	}
	return in, nil
}

// States are the states that a turn can be in, in order.
func States() []string {
	var all []string
	for _, stage := range store.Stages() {
		all = append(all, string(stage))
	}
	return all
}
