package console

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/asidehq/aside/catalogue/forges"
	"github.com/asidehq/aside/internal/operator"
)

// longestForge is how long a request to forge a plan may be, in bytes.
const longestForge = 64 << 10

func (c *Console) forge(w http.ResponseWriter, r *http.Request) {
	f, err := c.Local.Forge(r.Context())
	forgeAnswer(w, http.StatusOK, f, err)
}

func (c *Console) startForge(w http.ResponseWriter, r *http.Request) {
	var wanted operator.ForgeWanted
	f, err := forges.Forge{}, readForge(w, r, &wanted, "the body is not a JSON object with description, and perhaps context and room")
	if err == nil {
		f, err = c.Local.StartForge(r.Context(), wanted)
	}
	forgeAnswer(w, http.StatusAccepted, f, err)
}

func (c *Console) resumeForge(w http.ResponseWriter, r *http.Request) {
	var wanted struct {
		Plan string `json:"plan"`
	}
	f, err := forges.Forge{}, readForge(w, r, &wanted, "the body is not a JSON object with plan, such as plan-001")
	if err == nil {
		f, err = c.Local.ResumeForge(r.Context(), wanted.Plan)
	}
	forgeAnswer(w, http.StatusAccepted, f, err)
}

func (c *Console) cancelForge(w http.ResponseWriter, r *http.Request) {
	f, err := c.Local.CancelForge(r.Context())
	forgeAnswer(w, http.StatusOK, f, err)
}

// readForge reads the body of a request.
func readForge(w http.ResponseWriter, r *http.Request, into any, wrong string) error {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, longestForge))
	decoder.DisallowUnknownFields()
	if decoder.Decode(into) != nil || decoder.More() {
		return forges.Mistake(wrong)
	}
	return nil
}

// forgeAnswer answers what became of a request about a forge.
func forgeAnswer(w http.ResponseWriter, status int, f forges.Forge, err error) {
	var mistake forges.Mistake
	switch {
	case err == nil:
		answer(w, status, f)
	case errors.Is(err, forges.ErrNone):
		answer(w, http.StatusNotFound, problem{err.Error()})
	case errors.As(err, &mistake):
		answer(w, http.StatusBadRequest, problem{mistake.Error()})
	case errors.Is(err, operator.ErrOff):
		answer(w, http.StatusForbidden, problem{err.Error()})
	default:
		answer(w, http.StatusServiceUnavailable, problem{"the forge cannot be reached; try again"})
	}
}
