// Package messaging holds the actions that write and react.
package messaging

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

const category = "messaging"

// Platforms finds a platform by its name.
type Platforms interface {
	Platform(name string) (platform.Platform, bool)
}

// Sender posts to a room, once for each key, now or as soon as it can.
type Sender interface {
	Send(ctx context.Context, turn int64, key string, room platform.Room, text string) error
}

// Specs are the actions of this category.
func Specs(platforms Platforms, sender Sender) []*action.Spec {
	return []*action.Spec{react(platforms), sendMessage(platforms, sender)}
}
