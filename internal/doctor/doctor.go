// Package doctor looks whether everything that Aside needs is in order: the data
// directory, the store, the models, the platforms, the address, the clock.
//
// It imports config, operator and store, and is given what asks a model. Before
// changing it, know that it must be harmless beside a running Aside: it takes no lock
// for longer than a look, and changes nothing.
package doctor

import (
	"context"
	"net/http"
	"time"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// A Level says how bad a finding is.
type Level string

const (
	Good Level = "good"
	Warn Level = "warn" // it works, but look at it
	Bad  Level = "bad"  // it does not work
)

// A Finding is what one check came to.
type Finding struct {
	Check string `json:"check"` // what was looked at
	Level Level  `json:"level"`
	Text  string `json:"text"`
	Do    string `json:"do,omitempty"` // what to do about it
}

// A Doctor looks at what a configuration describes.
type Doctor struct {
	Config  *config.Config
	Offline bool     // asks no model, no platform, and nobody's clock
	Known   []string // the platforms that this version can connect to

	// Model is how a model is asked, once and not again.
	Model  func(config.Model) (model.Model, error)
	Client *http.Client // for platforms, the clock and who listens; it must give up in time
	Now    func() time.Time

	report func(Finding)
	holder holder
	clock  time.Time // the database's, if it has one
	asked  time.Time // when
}

// A holder is the process that holds the data directory.
type holder struct {
	held    bool
	address string // "" if it has not said so yet
}

// Examine runs all checks, one after the other, and reports what each has found.
func (d *Doctor) Examine(ctx context.Context, report func(Finding)) {
	d.report = report
	if !store.IsPostgres(d.Config.Database.Reveal()) {
		d.checkData()
	}
	d.checkStore(ctx)
	d.checkPersona()
	d.checkModels(ctx)
	d.checkSpeech()
	d.checkPlatforms(ctx)
	d.checkListen(ctx)
	d.checkClock(ctx)
}

func (d *Doctor) good(check, text string)     { d.report(Finding{check, Good, text, ""}) }
func (d *Doctor) warn(check, text, do string) { d.report(Finding{check, Warn, text, do}) }
func (d *Doctor) bad(check, text, do string)  { d.report(Finding{check, Bad, text, do}) }

// schema is the version of the schema that this program knows, or 0.
func schema() int64 {
	v, err := store.SchemaVersion()
	if err != nil {
		return 0
	}
	return v
}
