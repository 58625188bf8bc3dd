package console

import (
	"errors"
	"net/http"

	"github.com/asidehq/aside/internal/operator"
)

// prompt answers with what the model would be asked.
func (c *Console) prompt(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	p, err := c.Local.Prompt(r.Context(), query.Get("room"), query.Get("text"))
	switch {
	case errors.Is(err, operator.ErrRoom):
		answer(w, http.StatusBadRequest, problem{err.Error()})
	case err != nil:
		answer(w, http.StatusServiceUnavailable, problem{"the prompt could not be put together; try again"})
	default:
		answer(w, http.StatusOK, p)
	}
}
