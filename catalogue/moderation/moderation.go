// Package moderation holds the actions that silence and remove people. A person has to
// confirm each, and whoever asks must stand above whom it is done to.
package moderation

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

const category = "moderation"

// Specs are the actions of this category.
func Specs(platforms venue.Platforms) []*action.Spec {
	return []*action.Spec{timeout(platforms), kick(platforms), ban(platforms)}
}

// A target is a person to whom something is done, and who does it.
type target struct {
	moderator platform.Moderator
	person    platform.Person
	name      string
}

// aim finds the person, and says why the one who asked may do nothing to them. what is
// what the platform must be able to do: "kick people".
func aim(ctx context.Context, platforms venue.Platforms, c action.Call, user action.Person, what string) (target, *action.Outcome) {
	fail := func(out action.Outcome) (target, *action.Outcome) { return target{}, &out }
	moderator, err := venue.Ability[platform.Moderator](platforms, c.Platform, what)
	if err != nil {
		return fail(action.Fail("%v", err))
	}
	person, err := venue.Person(ctx, platforms, c, user)
	if err != nil {
		return fail(action.Fail("%v", err))
	}
	if err := venue.Outranks(ctx, platforms, c, person); err != nil {
		return fail(action.Refuse("%v", err))
	}
	return target{moderator, person, venue.Called(person)}, nil
}
