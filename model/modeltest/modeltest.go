// Package modeltest is the suite that every provider asked over HTTP passes.
//
// Run has a provider talk to servers of its own, which speak the provider's protocol
// and go wrong in every way that servers do. RunEmulated has it talk to an emulator
// that was written by others and knows the protocols from elsewhere. It imports model
// and the standard library.
//
// Before changing it, know that a Provider brings its protocol as the text that is
// sent, not as code: whoever reads the test sees what goes over the wire.
package modeltest

import (
	"testing"

	"github.com/asidehq/aside/model"
)

const (
	// Key is the key that models are asked with. It may be in no error.
	Key = "sk-test-0123456789abcdef"

	// Name is the model that is asked for.
	Name = "small-1"
)

// A Provider is what the suite has to know of one.
type Provider struct {
	// New is the model Name at the server at that address (http://127.0.0.1:1234).
	New func(address, key string) model.Model

	Begin string                   // the events before the text
	Text  func(text string) string // an event with text
	End   map[model.End]string     // the events behind it, with a usage of 11 in and 7 out

	// Refusals are the responses to requests that fail, by what they mean. All kinds
	// from BadKey to Unavailable have to be there.
	Refusals map[model.Kind]Refusal
	Midway   Refusal // an event that says in the middle of a stream that it does not go on

	KeyHeader   string            // where the key is
	Environment map[string]string // what the SDK would read from there, and must not
}

// A Refusal is what a server says instead of a reply.
type Refusal struct {
	Status int
	Body   string
	Kind   model.Kind // what it means; needed for Midway only
}

// Run runs the suite.
func Run(t *testing.T, p Provider) {
	t.Run("replies", func(t *testing.T) { replies(t, p) })
	t.Run("requests", func(t *testing.T) { requests(t, p) })
	t.Run("refusals", func(t *testing.T) { refusals(t, p) })
	t.Run("broken streams", func(t *testing.T) { brokenStreams(t, p) })
	t.Run("no server", func(t *testing.T) { noServer(t, p) })
	t.Run("giving up", func(t *testing.T) { givingUp(t, p) })
}
