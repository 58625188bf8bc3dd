package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/platform/web/client"
)

// newHealth is for containers: an image with nothing but aside in it has no other
// program to ask with.
func newHealth() *cobra.Command {
	var path configPath
	var address string
	cmd := &cobra.Command{
		Use:    "health",
		Short:  "Say whether the Aside that runs here takes messages, by the exit code",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := path.load()
			if err != nil {
				return err
			}
			if address == "" {
				address = addressOf(c.Listen)
			}
			aside, err := client.New(client.Options{URL: address})
			if err != nil {
				return fmt.Errorf("--url: %w", err)
			}
			if err := aside.Ready(cmd.Context()); err != nil {
				return failed{errors.New("not ready: " + lineOf(err.Error()))}
			}
			return printText(cmd.OutOrStdout(), "ready\n")
		},
	}
	path.flag(cmd)
	cmd.Flags().StringVar(&address, "url", "", "where it runs (default the configured address)")
	return cmd
}
