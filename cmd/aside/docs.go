package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newDocs() *cobra.Command {
	cmd := &cobra.Command{
		Use:    "docs",
		Short:  "Write the documentation of the commands",
		Hidden: true, // for whoever makes packages
		Args:   noSuchCommand,
		RunE:   func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDocsMan())
	return cmd
}

func newDocsMan() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIRECTORY",
		Short: "Write a manual page for each command",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one directory, as in %s man1", cmd.CommandPath())
			}
			return nil
		},
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("cannot make %s: %w; choose another directory", args[0], cause(err))
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Source: "Aside " + programVersion(), Manual: "Aside", Date: committed()}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("cannot write the pages: %w", err)
			}
			return nil
		}),
	}
}
