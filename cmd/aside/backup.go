package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/backup"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/store"
)

func newBackup() *cobra.Command {
	var (
		place         placeFlags
		force, asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database into one file, also while Aside runs",
		Long: `Copy the SQLite database into one file: a gzipped tar with the database, as it was at
one moment, and a manifest with its sum. Aside may go on running. What was written is
checked before FILE is there; if anything goes wrong, FILE is not there at all. If it
is killed, a directory .aside-backup-… may be left beside FILE; delete it.

It does not hold aside.yaml, persona.md or keys. For PostgreSQL, pg_dump does this; the
command says how to call it.`,
		Example: `  aside backup aside-$(date +%F).tar.gz`,
		Args:    oneFile("aside-backup.tar.gz"),
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			c, err := place.load()
			if err != nil {
				return err
			}
			if store.IsPostgres(c.Database.Reveal()) {
				return fmt.Errorf("the data is in PostgreSQL, which has a better way: pg_dump --format=custom --file=%s '%s'", args[0], withoutPassword(c.Database))
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			m, err := backup.Write(ctx, c.Data, args[0], programVersion(), force, time.Now)
			if err != nil {
				return explainBackup(err, args[0], c)
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(m)
			}
			return printText(cmd.OutOrStdout(), fmt.Sprintf("%s holds %s, and was checked\n", args[0], contents(m)))
		}),
	}
	cmd.Flags().BoolVar(&force, "force", false, "write over a FILE that is there")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the manifest as JSON")
	place.register(cmd)
	return cmd
}

func newRestore() *cobra.Command {
	var (
		place         placeFlags
		force, asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a database that aside backup has written into the data directory",
		Long: `Put a database that aside backup has written into the data directory. FILE is checked
completely first. No Aside may be running there, and there must be no data, unless
--force is given: then the old database is moved aside and never deleted.`,
		Example: `  aside restore aside-2026-03-01.tar.gz
  aside restore aside-2026-03-01.tar.gz --data ./elsewhere`,
		Args: oneFile("aside-backup.tar.gz"),
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			c, err := place.load()
			if err != nil {
				return err
			}
			if store.IsPostgres(c.Database.Reveal()) {
				return fmt.Errorf("the data is in PostgreSQL, which has a better way: pg_restore --clean --if-exists --dbname='%s' %s", withoutPassword(c.Database), args[0])
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			r, err := backup.Restore(ctx, args[0], c.Data, force, time.Now)
			if err != nil {
				return explainBackup(err, args[0], c)
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(struct {
					backup.Manifest
					Data string `json:"data"`
					Kept string `json:"kept"`
				}{r.Manifest, c.Data, r.Kept})
			}
			text := fmt.Sprintf("%s holds %s now\n", c.Data, contents(r.Manifest))
			if r.Kept != "" {
				text += fmt.Sprintf("the old database is in %s; delete it when you are sure\n", r.Kept)
			}
			return printText(cmd.OutOrStdout(), text)
		}),
	}
	cmd.Flags().BoolVar(&force, "force", false, "move a database that is there aside, inside the data directory")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func oneFile(example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 && args[0] != "" {
			return nil
		}
		return fmt.Errorf("name one file, as in %s %s", cmd.CommandPath(), example)
	}
}

func contents(m backup.Manifest) string {
	return fmt.Sprintf("%d messages and %d turns of %s", m.Counts["message"], m.Counts["turn"], when(m.Time))
}

// withoutPassword is the URL of a database to be copied from a screen. pg_dump asks for
// the password, or finds it in PGPASSWORD or ~/.pgpass.
func withoutPassword(database config.URL) string {
	u, err := url.Parse(database.Reveal())
	if err != nil {
		return "$DATABASE"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	query := u.Query()
	query.Del("password")
	u.RawQuery = query.Encode()
	return u.String()
}

// explainBackup adds what can be done about a backup that could not be written or read.
func explainBackup(err error, file string, c *config.Config) error {
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted; nothing was changed")
	case errors.Is(err, backup.ErrExists):
		return fmt.Errorf("%s is there already; choose another name, or write over it with --force", file)
	case errors.Is(err, backup.ErrNotEmpty):
		return fmt.Errorf("there is data in %s already; choose another directory with --data, or move it aside with --force", c.Data)
	case errors.Is(err, backup.ErrNoBackup):
		return fmt.Errorf("%s: %w; choose another file", file, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, store.ErrFull):
		return fmt.Errorf("the disk of %s is full; free some space, or choose another place", filepath.Dir(file))
	case errors.Is(err, store.ErrNoData), errors.Is(err, store.ErrInUse), errors.Is(err, store.ErrDamaged):
		return explainData(err, c)
	}
	return err
}
