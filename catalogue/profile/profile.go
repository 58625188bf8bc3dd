// Package profile holds the actions that change how the agent itself appears.
package profile

import (
	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
)

const category = "profile"

// Specs are the actions of this category.
func Specs(platforms venue.Platforms) []*action.Spec {
	return []*action.Spec{setStatus(platforms), setActivity(platforms), setNickname(platforms)}
}
