package messaging

import (
	"errors"
	"fmt"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// missing is what an action still needs to be told.
type missing string

func (m missing) Error() string { return string(m) }

// A notAllowed room is on another platform, where nobody knows the person who asked.
type notAllowed struct {
	room   platform.Room
	others []platform.Room // those that are allowed
}

func (n notAllowed) Error() string {
	if len(n.others) == 0 {
		return fmt.Sprintf("%s is on another platform, and no room there may be written to from here", n.room)
	}
	return fmt.Sprintf("%s is none of the rooms that may be written to from another platform: %s", n.room, list(n.others))
}

// mostListed is how many rooms are named to somebody who has named another one.
const mostListed = 20

func list(rooms []platform.Room) string {
	var names []string
	for _, room := range rooms {
		names = append(names, room.String())
	}
	if more := len(names) - mostListed; more > 0 {
		names = append(names[:mostListed], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// failed is the outcome of an action that could not even begin.
func failed(name string, err error) action.Outcome {
	var m missing
	var not notAllowed
	switch {
	case errors.As(err, &m):
		return action.Fail("%s: %v", name, m)
	case errors.As(err, &not):
		return action.Refuse("%v", not)
	}
	return action.Fail("%s", venue.Reason(err))
}

// couldNot is the outcome of what a platform did not do.
func couldNot(what string, err error) action.Outcome {
	return action.Fail("could not %s: %s", what, venue.Reason(err))
}
