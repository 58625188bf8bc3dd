// Package messaging holds the actions that write, read and mark messages.
//
// Before changing it, know that whatever a platform says about a failure goes through
// venue.Reason, because an outcome is read by the model and by people, and that what
// people have written stands in an outcome's data only, cut to a size.
package messaging

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

const category = "messaging"

// Platforms finds a platform by its name.
type Platforms = venue.Platforms

// Sender posts to a room, once for each key, now or as soon as it can. It returns the
// post's id, "" where the platform gives none. Its errors are for a person.
type Sender interface {
	Send(ctx context.Context, turn int64, post platform.Post) (id string, err error)
}

// Specs are the actions of this category that need nothing more than platforms and a
// sender; SendFile and Voice are the others. others are the rooms that may be written to
// from another platform than their own.
func Specs(platforms Platforms, sender Sender, others ...platform.Room) []*action.Spec {
	return []*action.Spec{
		sendMessage(platforms, sender, others),
		react(platforms), unreact(platforms),
		readMessages(platforms), fetchMessage(platforms),
		editMessage(platforms), deleteMessage(platforms), bulkDelete(platforms),
		crosspost(platforms), threadCreate(platforms, sender),
		pinMessage(platforms), unpinMessage(platforms), listPins(platforms),
	}
}
