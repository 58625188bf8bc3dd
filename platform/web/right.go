package web

import (
	"context"

	"github.com/asidehq/aside/platform"
)

var _ platform.Warden = (*Web)(nil)

// May implements platform.Warden. Whoever gets past the guard is the operator: there
// are no lesser people on this page.
func (w *Web) May(context.Context, string, platform.Right, platform.Room) (bool, error) {
	return true, nil
}

// Outranks implements platform.Warden.
func (w *Web) Outranks(context.Context, platform.Room, string, string) (bool, error) {
	return true, nil
}

// OutranksRole implements platform.Warden.
func (w *Web) OutranksRole(context.Context, platform.Room, string, string) (bool, error) {
	return true, nil
}
