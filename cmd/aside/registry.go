package main

import (
	"slices"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/catalogue/tools"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/config"
)

// A sender posts what actions send.
type sender interface {
	messaging.Sender
	messaging.FileSender
}

// newRegistry has the actions there are. Whoever runs none of them may leave out what
// they work on.
func newRegistry(platforms messaging.Platforms, sender sender, facts memory.Facts, folders messaging.Folders) (*action.Registry, error) {
	return action.NewRegistry(slices.Concat(
		messaging.Specs(platforms, sender), []*action.Spec{messaging.SendFile(platforms, sender, folders)},
		memory.Specs(facts), tools.Specs(),
	)...)
}

// reading is how replies are read.
func reading(c *config.Config) extract.Config {
	return extract.Config{Dialects: c.Dialects, VisibleSignals: c.Signals.Visible}
}
