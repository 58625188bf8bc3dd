package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/turn"
)

// placeFlags say where the data is of which a command tells something.
type placeFlags struct {
	config configPath
	data   string
}

func (f *placeFlags) register(cmd *cobra.Command) {
	f.config.flag(cmd)
	cmd.Flags().StringVar(&f.data, "data", "", "the data `DIRECTORY` (default what the configuration says)")
}

// load reads the configuration and puts the flags over it.
func (f *placeFlags) load() (*config.Config, error) {
	c, err := f.config.load()
	if err == nil && f.data != "" {
		c.Data = f.data
	}
	return c, err
}

// open finds the way to the data.
func (f *placeFlags) open(ctx context.Context) (operator.Operator, error) {
	c, err := f.load()
	if err != nil {
		return nil, err
	}
	o, err := operator.Open(ctx, c.Database.Reveal(), c.Data, c.Token.Reveal())
	if err != nil {
		return nil, explainData(err, c)
	}
	if local, ok := o.(operator.Local); ok {
		work := newErrands(c, local.Store, slog.New(slog.DiscardHandler)) // which nobody works on
		local.Off, local.Board, local.Planning, local.Forges = policy(c).Off, work.board, work.plans, work.forging
		local.Leave = turn.IsCommand
		o = local
	}
	return o, nil
}

// with opens the way to the data, does something with it, and closes it.
func (f *placeFlags) with(ctx context.Context, do func(operator.Operator) error) error {
	o, err := f.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(o), o.Close())
}

// nothingElse refuses arguments where there is nothing to name.
func nothingElse(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q; see %s --help", args[0], cmd.CommandPath())
}

// explainData adds what can be done about data that cannot be looked at.
func explainData(err error, c *config.Config) error {
	switch {
	case errors.Is(err, store.ErrNoData) && store.IsPostgres(c.Database.Reveal()):
		return errors.New("there is no data in the database yet; aside run makes it")
	case errors.Is(err, store.ErrNoData):
		return fmt.Errorf("there is no data in %s yet; aside run makes it, or name another directory with --data", c.Data)
	}
	return explainOpen(err, c.Data)
}

const placeHelp = `It works on the data directory of the configuration. While an Aside runs there, it
asks that one through its HTTP API; otherwise it opens the data itself. PostgreSQL is
always asked directly.`
