package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/doctor"
	"github.com/asidehq/aside/model"
)

func newDoctor() *cobra.Command {
	var (
		place           placeFlags
		offline, asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look whether everything is in order, and say what to do",
		Long: `Look whether everything that Aside needs is in order: the configuration, the data
directory, the store, the models, the platforms, the address and the clock. It may run
beside a running Aside and changes nothing. Each model is asked for one word, which
costs a few tokens, and Discord, Telegram and Slack are asked whose token it is;
--offline asks nobody.

✓ is in order, ! works but should be looked at, ✗ does not work. The exit code is 1 if
there is any ✗.`,
		Example: `  aside doctor
  aside doctor --offline --json`,
		Args: nothingElse,
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			report := &doctorReport{out: cmd.OutOrStdout(), palette: newPalette(cmd.OutOrStdout()), silent: asJSON, Findings: []doctor.Finding{}}
			if c, ok := report.configuration(&place); ok {
				d := &doctor.Doctor{
					Config: c, Offline: offline, Known: slices.Sorted(maps.Keys(knownPlatforms())), Now: time.Now, Client: &http.Client{Timeout: 10 * time.Second},
					Model: func(m config.Model) (model.Model, error) { return newSource(c, m.Source, 1, unobserved) },
				}
				d.Examine(cmd.Context(), report.add)
			}
			return report.end(asJSON)
		}),
	}
	cmd.Flags().BoolVar(&offline, "offline", false, "ask no model and no platform, and compare no clock")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

// A doctorReport prints findings as they come.
type doctorReport struct {
	OK       bool             `json:"ok"`
	Findings []doctor.Finding `json:"findings"`

	out     io.Writer
	palette palette
	silent  bool
	err     error // of printing
	bad     int
}

func (r *doctorReport) add(f doctor.Finding) {
	r.Findings = append(r.Findings, f)
	if f.Level == doctor.Bad {
		r.bad++
	}
	if r.silent || r.err != nil {
		return
	}
	mark := map[doctor.Level]string{doctor.Good: r.palette.good("✓"), doctor.Warn: r.palette.warn("!"), doctor.Bad: r.palette.bad("✗")}[f.Level]
	line := fmt.Sprintf("%s %s: %s", mark, f.Check, visible(f.Text))
	if f.Do != "" {
		line += "\n  → " + visible(f.Do)
	}
	r.err = printText(r.out, line+"\n")
}

// configuration reads aside.yaml. What is wrong with it are findings like any other.
func (r *doctorReport) configuration(place *placeFlags) (*config.Config, bool) {
	const check = "configuration"
	c, err := place.config.load()
	var problems config.Problems
	switch {
	case errors.As(err, &problems):
		for _, p := range problems {
			r.add(doctor.Finding{Check: check, Level: doctor.Bad, Text: p.String(), Do: "correct it; docs/configuration.md lists the keys"})
		}
		return nil, false
	case err != nil:
		r.add(doctor.Finding{Check: check, Level: doctor.Bad, Text: err.Error()})
		return nil, false
	}
	text := place.config.name() + " is fine"
	if place.config.missing() {
		text = "there is no aside.yaml here; the defaults are fine, and aside init writes one"
	}
	r.add(doctor.Finding{Check: check, Level: doctor.Good, Text: text})
	if place.data != "" {
		c.Data = place.data
	}
	return c, true
}

// end prints what is left to print, and is an error if anything does not work.
func (r *doctorReport) end(asJSON bool) error {
	r.OK = r.bad == 0
	if asJSON {
		r.err = newPrinter(r.out).print(r)
	}
	if r.err != nil || r.OK {
		return r.err
	}
	if r.bad == 1 {
		return errors.New("one thing does not work; what to do stands behind the ✗")
	}
	return fmt.Errorf("%d things do not work; what to do stands behind each ✗", r.bad)
}
