// Package memory holds the actions with which an agent remembers.
package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/asidehq/aside/action"
)

// Facts is where facts about people are kept. They belong to a person, who is a platform
// and that platform's id, and to nobody else.
type Facts interface {
	// Remember keeps a fact, once for each source.
	Remember(ctx context.Context, person, source, kind, text string) (Kept, error)

	// Forget deletes what contains a text, and returns it.
	Forget(ctx context.Context, person, substring string) ([]string, error)

	// Correct replaces the one fact that old names, and returns what it was. It returns
	// ErrNoFact or a *Several where there is not exactly one.
	Correct(ctx context.Context, person, source, old, text string) (was string, err error)

	// Recall returns what is remembered about a person, oldest first.
	Recall(ctx context.Context, person string) ([]string, error)
}

// Kept is what became of a fact.
type Kept struct {
	Text    string // as it is remembered
	Merged  string // what was remembered before and said the same, "" if nothing did
	Retired string // what had to make room, "" if nothing had to
}

// ErrNoFact says that nothing is remembered that could be meant.
var ErrNoFact = errors.New("nothing like that is remembered")

// Several says that more than one fact could be meant.
type Several struct{ Texts []string }

func (s *Several) Error() string {
	return "that could be " + strings.Join(quoted(s.Texts), " or ") + "; say which, in full"
}

// Specs are the actions of this category.
func Specs(facts Facts) []*action.Spec {
	return []*action.Spec{remember(facts), forget(facts), correct(facts), show(facts)}
}

const category = "memory"

// owner is whom facts belong to: a person, in whatever room.
func owner(c action.Call) string { return c.Platform + "/" + c.Person }

// notStored is what is said when the store does not work.
func notStored(did string) action.Outcome {
	return action.Fail("could not %s: nothing can be stored at the moment; try again later", did)
}

func quoted(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, fmt.Sprintf("%q", text))
	}
	return all
}

// listed is a list of facts that is not too long to read.
func listed(texts []string) string {
	const most = 5
	all := quoted(texts)
	if len(all) > most {
		return strings.Join(all[:most], ", ") + fmt.Sprintf(" and %d more", len(all)-most)
	}
	return strings.Join(all, ", ")
}
