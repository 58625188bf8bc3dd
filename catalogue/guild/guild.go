// Package guild holds the actions about a server's people, roles, events and past
// messages.
//
// Before changing it, know that what it lists is what the person who asked may see: an
// event in a room that is hidden from them does not exist for them.
package guild

import (
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
)

const category = "guild"

// Specs are the actions of this category.
func Specs(platforms venue.Platforms, now func() time.Time) []*action.Spec {
	return []*action.Spec{
		memberInfo(platforms, now), roleInfo(platforms), addRole(platforms), removeRole(platforms),
		searchMessages(platforms),
		listEvents(platforms), createEvent(platforms, now), editEvent(platforms, now), deleteEvent(platforms),
	}
}
