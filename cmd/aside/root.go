package main

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// version is set when a release is linked: -ldflags "-X main.version=v1.2.3".
var version string

func newRoot() *cobra.Command {
	var flags runFlags
	root := &cobra.Command{
		Use:   "aside",
		Short: "Run chat agents whose replies act",
		Long: `Aside runs chat agents whose replies act: a model answers with text, and inside
that text stand instructions. Aside takes them out while the reply streams, runs
them, and delivers only the words meant for people.

Without a command it is aside run.`,
		Version: programVersion(),
		Args:    noSuchCommand,
		RunE:    flags.run,
		// An error is one line that main prints; the usage would bury it.
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	flags.register(root)
	root.SetFlagErrorFunc(explainFlag)
	root.AddCommand(newInit(), newRun(), newChat(), newExtract(), newHealth())
	root.AddCommand(newConfig(), newActions(), newDialects(), newPlatformsCommand(), newTurns(), newPrompt(), newDead(), newPairing(), newMemoryCommand(), newTask(), newCron(), newLater(), newPlan(), newForge(), newReplay())
	root.AddCommand(newDoctor(), newBackup(), newRestore(), newVersion(), newDocs())
	return root
}

func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("there is no command %q; %s --help lists them", args[0], cmd.CommandPath())
}

// explainFlag says what is wrong with a flag and where to read on.
func explainFlag(cmd *cobra.Command, err error) error {
	// The name of the flag and our own words say it all; pflag's are about Go.
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) && invalid.Unwrap() != nil {
		err = fmt.Errorf("--%s: %w", invalid.GetFlag().Name, invalid.Unwrap())
	}
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}

// programVersion is the linked version, or else what go build knows.
func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "(devel)"
}
