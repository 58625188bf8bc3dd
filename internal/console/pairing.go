package console

import (
	"errors"
	"net/http"

	"github.com/asidehq/aside/internal/operator"
)

func (c *Console) pairings(w http.ResponseWriter, r *http.Request) {
	all, err := c.Local.Pairings(r.Context())
	if err != nil {
		answer(w, http.StatusServiceUnavailable, problem{"it could not be read who was let in; try again"})
		return
	}
	answer(w, http.StatusOK, map[string]any{"pairing": all})
}

func (c *Console) approve(w http.ResponseWriter, r *http.Request) {
	p, err := c.Local.Approve(r.Context(), r.PathValue("code"))
	pairingAnswer(w, p, err)
}

func (c *Console) deny(w http.ResponseWriter, r *http.Request) {
	p, err := c.Local.Deny(r.Context(), r.PathValue("code"))
	pairingAnswer(w, p, err)
}

func (c *Console) revoke(w http.ResponseWriter, r *http.Request) {
	person := r.URL.Query().Get("person")
	pairingAnswer(w, map[string]string{"person": person}, c.Local.Revoke(r.Context(), person))
}

func pairingAnswer(w http.ResponseWriter, body any, err error) {
	switch {
	case err == nil:
		answer(w, http.StatusOK, body)
	case errors.Is(err, operator.ErrNoSuchCode), errors.Is(err, operator.ErrNoSuchPerson):
		answer(w, http.StatusNotFound, problem{err.Error()})
	case errors.Is(err, operator.ErrPerson):
		answer(w, http.StatusBadRequest, problem{err.Error()})
	default:
		answer(w, http.StatusServiceUnavailable, problem{"nothing was changed; try again"})
	}
}
