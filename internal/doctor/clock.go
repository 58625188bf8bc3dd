package doctor

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/asidehq/aside/internal/config"
)

// How far the clock may be off. A server's Date has no fractions of a second and has
// travelled; schedules and tokens bear that.
const (
	slightlyOff = 30 * time.Second
	wayOff      = 5 * time.Minute
)

// homes are where providers are asked that have no base_url.
var homes = map[config.Provider]string{
	config.OpenAI:    "https://api.openai.com/",
	config.Anthropic: "https://api.anthropic.com/",
	config.Gemini:    "https://generativelanguage.googleapis.com/",
}

// checkClock compares this machine's clock with the database's, or else with that of
// the server of the model.
func (d *Doctor) checkClock(ctx context.Context) {
	const check = "clock"
	whose, other, at := "PostgreSQL's", d.clock, d.asked
	if other.IsZero() && !d.Offline {
		whose = "that of the model's server"
		other, at = d.serverClock(ctx)
	}
	if other.IsZero() {
		d.good(check, utc(d.Now())+"; there is no other clock to compare it with")
		return
	}
	off := at.Sub(other)
	text := fmt.Sprintf("it differs from %s by %s", whose, off.Abs().Round(time.Second))
	const do = "set the clock of the machine that is wrong; have it set by NTP"
	switch {
	case off.Abs() > wayOff:
		d.bad(check, text, do)
	case off.Abs() > slightlyOff:
		d.warn(check, text, do)
	default:
		d.good(check, "it agrees with "+whose)
	}
}

func utc(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// serverClock is the time that the server of the chat model tells with any answer; no
// key is sent.
func (d *Doctor) serverClock(ctx context.Context) (other, at time.Time) {
	m := d.Config.Model(config.Chat)
	url := m.BaseURL.Reveal()
	if url == "" {
		url = homes[m.Provider]
	}
	if url == "" {
		return time.Time{}, time.Time{}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, url, nil)
	if err != nil {
		return time.Time{}, time.Time{}
	}
	r.URL.User, r.URL.RawQuery = nil, "" // they may be keys
	answer, err := d.Client.Do(r)
	if err != nil {
		return time.Time{}, time.Time{}
	}
	answer.Body.Close()
	date, err := http.ParseTime(answer.Header.Get("Date"))
	if err != nil {
		return time.Time{}, time.Time{}
	}
	return date, d.Now()
}
