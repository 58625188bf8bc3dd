package main

import (
	"log/slog"
	"os"
	"path/filepath"

	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/internal/config"
)

// folders are the directories that files are sent from. The one for outgoing files is
// made, so that there is a place to put them; where it cannot be, as on a machine whose
// disk is read-only, everything else works.
func folders(c *config.Config, log *slog.Logger) messaging.Folders {
	outbound := filepath.Join(c.Data, "outbound")
	f := messaging.Folders{Allowed: c.Files.SendFrom, Outbound: outbound, MaxSize: int64(c.Files.MaxSize)}
	if len(f.Allowed) == 0 {
		f.Allowed = []string{outbound}
		if err := os.MkdirAll(outbound, 0o700); err != nil {
			log.Warn("there is no directory for outgoing files", "error", err)
		}
	}
	return f
}
