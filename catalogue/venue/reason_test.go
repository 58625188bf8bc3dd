package venue

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

func TestOnlyWhatWasWrittenForPeopleIsSaid(t *testing.T) {
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"a platform's reason", platform.Refuse("the room is closed"), "the room is closed"},
		{"a platform's reason inside another error", fmt.Errorf("post to https://x/bot1:secret: %w", platform.Refuse("the room is closed")), "the room is closed"},
		{"what has a token in it", errors.New("GET https://x/bot1:secret"), "the platform did not answer as it should; try again later"},
		{"a problem without a reason", &platform.Problem{}, "the platform did not answer as it should; try again later"},
		{"how long to wait", &platform.Problem{Outcome: platform.Limited, Reason: "asks to wait", RetryAfter: 90 * time.Second}, "asks to wait; try again in 1m30s"},
		{"to wait for a moment", &platform.Problem{Outcome: platform.Limited, Reason: "asks to wait", RetryAfter: time.Millisecond}, "asks to wait; try again in 1s"},
		{"to wait for nobody knows how long", &platform.Problem{Outcome: platform.Limited, Reason: "asks to wait"}, "asks to wait"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Reason(test.err); got != test.want {
				t.Errorf("it is %q", got)
			}
		})
	}
}

// A wall takes posts; a gate knows as well who may do what.
type (
	wall struct{}
	gate struct {
		wall
		may bool
		err error
	}
)

func (wall) Name() string                                         { return "wall" }
func (wall) Limits() platform.Limits                              { return platform.Limits{} }
func (wall) Run(context.Context, platform.Inbox) error            { return nil }
func (wall) Post(context.Context, platform.Post) platform.Receipt { return platform.Receipt{} }

func (g gate) May(context.Context, string, platform.Right, platform.Room) (bool, error) {
	return g.may, g.err
}

func (g gate) Outranks(context.Context, platform.Room, string, string) (bool, error) {
	return false, errors.ErrUnsupported
}

func (g gate) OutranksRole(context.Context, platform.Room, string, string) (bool, error) {
	return false, errors.ErrUnsupported
}

type only struct{ one platform.Platform }

func (o only) Platform(name string) (platform.Platform, bool) { return o.one, name == "wall" }

func TestNobodyMayWhatNobodyKnows(t *testing.T) {
	for _, test := range []struct {
		name string
		on   platform.Platform
		room string
		want string
	}{
		{"who may", gate{may: true}, "wall", ""},
		{"who may not", gate{}, "wall", "you may not pin messages there"},
		{"nobody knows", gate{err: errors.New("GET https://x/bot1:secret")}, "wall", "nobody knows whether you may pin messages: the platform did not answer as it should; try again later"},
		{"nobody can know", wall{}, "wall", "wall cannot tell who may pin messages"},
		{"on another platform", gate{may: true}, "telex", "nobody knows whether you may pin messages on telex"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := May(t.Context(), only{test.on}, action.Call{Platform: "wall"}, platform.PinMessages, platform.Room{Platform: test.room})
			if got := fmt.Sprint(err); err == nil && test.want != "" || err != nil && got != test.want {
				t.Errorf("it is %v", err)
			}
		})
	}
}
