// Package channels holds the actions about the places of a server, which people call
// channels: rooms, categories, threads, and the tags of forums.
//
// Before changing it, know that the engine checks the Right of an action in the room
// that its action.Room argument names. A second room that an action touches, such as
// the category that a channel goes to, is checked here.
package channels

import (
	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
)

const category = "channels"

// Specs are the actions of this category.
func Specs(platforms venue.Platforms) []*action.Spec {
	return []*action.Spec{
		list(platforms), info(platforms),
		create(platforms), edit(platforms), remove(platforms), move(platforms), createCategory(platforms),
		listArchived(platforms), editThread(platforms),
		createTag(platforms), deleteTag(platforms), listTags(platforms),
	}
}
