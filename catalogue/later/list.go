package later

import (
	"context"
	"errors"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// A listed appointment is one as a model reads it.
type listed struct {
	ID     string `json:"id"`
	Label  string `json:"label,omitempty"`
	Prompt string `json:"prompt"`
	Room   string `json:"room"`
	By     string `json:"by"`
	State  string `json:"state"`
	Why    string `json:"why,omitempty"`
	Next   string `json:"next,omitempty"` // when it is done
	Every  string `json:"every,omitempty"`
}

const longestPrompt = 300 // in a list, in characters

func (a Appointment) listed() listed {
	l := listed{
		ID: a.ID, Label: venue.Name(a.Label), Prompt: venue.Clip(a.Prompt, longestPrompt), Room: venue.Name(a.Place),
		By: venue.Called(a.Person), State: a.State, Why: a.Reason,
	}
	if a.State == "pending" {
		l.Next = a.Due.UTC().Format(time.RFC3339)
	}
	if a.Every > 0 {
		l.Every = platform.DurationText(a.Every)
	}
	return l
}

func list(platforms venue.Platforms, book Book, kind Kind, s action.Spec) *action.Spec {
	s.Category, s.Query, s.Repeatable = string(kind), true, true
	return action.Define(s, func(ctx context.Context, c action.Call, _ struct{}) action.Outcome {
		all, err := book.List(ctx, kind)
		if err != nil {
			return action.Fail("%s: %v", s.Name, err)
		}
		shown := []listed{}
		rooms := map[platform.Room]bool{} // whether the person can see them
		for _, a := range all {
			if a.Room.Platform != c.Platform {
				continue
			}
			sees, known := rooms[a.Room]
			if !known && a.Person.ID != c.Person {
				sees = a.mayNot(ctx, platforms, c, platform.ViewRoom) == nil
				rooms[a.Room] = sees
			}
			if sees || a.Person.ID == c.Person {
				shown = append(shown, a.listed())
			}
		}
		return action.Found(shown, "%s", venue.Count(len(shown), noun[kind]))
	})
}

var noun = map[Kind]string{Deferral: "deferral", Loop: "loop"}

// mayNot is why the person of a call may not do something in the room of an appointment. In
// a chat between somebody else and the agent nobody else has rights.
func (a Appointment) mayNot(ctx context.Context, platforms venue.Platforms, c action.Call, right platform.Right) error {
	here := a.Room == venue.Here(c)
	switch {
	case a.Room.Platform != c.Platform:
		return platform.Refuse("it is on another platform")
	case a.Direct && !here:
		return platform.Refuse("it is in a direct chat")
	case here && right == platform.ViewRoom:
		return nil
	}
	return venue.May(ctx, platforms, c, right, platform.RoomInfo{Room: a.Room, Name: a.Place})
}

type cancelArgs struct {
	ID string `arg:"id,deferId,loopId" max:"40" doc:"which one, as in the list"`
}

func cancel(platforms venue.Platforms, book Book, kind Kind, s action.Spec) *action.Spec {
	s.Category, s.Repeatable = string(kind), true // what is cancelled stays cancelled
	return action.Define(s, func(ctx context.Context, c action.Call, args cancelArgs) action.Outcome {
		a, err := book.Find(ctx, kind, args.ID)
		if err != nil {
			return action.Fail("%s: %v", s.Name, err)
		}
		// Of what somebody cannot see they do not learn that it is there.
		if own := a.Person.ID == c.Person && a.Room.Platform == c.Platform; !own {
			if a.mayNot(ctx, platforms, c, platform.ViewRoom) != nil {
				return action.Fail("%s: %v", s.Name, NotFound(kind, args.ID))
			}
			if err := a.mayNot(ctx, platforms, c, platform.ManageRooms); err != nil {
				return action.Refuse("%s is %s's: %v", a.ID, venue.Called(a.Person), err)
			}
		}
		was, err := book.Cancel(ctx, kind, args.ID)
		switch {
		case err != nil:
			return action.Fail("%s: %v", s.Name, err)
		case was.State == "cancelled":
			return action.Done("%s is cancelled", a.called())
		case !was.Open:
			return action.Fail("%s: %s has ended already (%s)", s.Name, a.ID, was.State)
		case was.Busy:
			return action.Done("cancelled %s; it was being done, and what it had done by then stays", a.called())
		}
		return action.Done("cancelled %s", a.called())
	})
}

// NotFound is the error for an id that there is not.
func NotFound(kind Kind, id string) error {
	if id == "" {
		return errors.New("say which one")
	}
	return platform.Refuse("there is no %s %s; the list has those there are", noun[kind], venue.Clip(venue.Name(id), 40))
}
