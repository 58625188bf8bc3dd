package tasks

import (
	"errors"

	"github.com/asidehq/aside/action"
)

// Specs are the actions of this category. forum is nil where no forum shows the tasks.
func Specs(board Board, forum Forum) []*action.Spec {
	return []*action.Spec{create(board), update(board), closeTask(board), show(board), list(board), sync(forum), reloadTags(forum)}
}

// failed is the outcome of what the board did not do.
func failed(name, id string, err error) action.Outcome {
	var mistake Mistake
	switch {
	case errors.Is(err, ErrNoTask):
		return action.Fail("%s does not exist; taskList shows what does", clipped(id, longestName))
	case errors.As(err, &mistake):
		return action.Fail("%s: %s", name, mistake)
	}
	return action.Fail("%s: the board cannot be reached at the moment; try again later", name)
}

// longestName is how much of a name that nobody knows is repeated.
const longestName = 60

// clipped is the beginning of a text, so many characters at most.
func clipped(text string, most int) string {
	if all := []rune(text); len(all) > most {
		return string(all[:most]) + "…"
	}
	return text
}
