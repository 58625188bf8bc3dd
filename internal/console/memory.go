package console

import (
	"errors"
	"net/http"

	"github.com/asidehq/aside/internal/operator"
)

func (c *Console) memory(w http.ResponseWriter, r *http.Request) {
	all, err := c.Local.Facts(r.Context(), operator.FactQuery{Person: r.FormValue("person"), Words: r.FormValue("words"), About: r.FormValue("about")})
	switch {
	case errors.Is(err, operator.ErrWhose):
		answer(w, http.StatusBadRequest, problem{err.Error()})
	case err != nil:
		answer(w, http.StatusServiceUnavailable, problem{"what is remembered could not be read; try again"})
	default:
		answer(w, http.StatusOK, map[string]any{"memory": all})
	}
}

func (c *Console) episodes(w http.ResponseWriter, r *http.Request) {
	all, err := c.Local.Episodes(r.Context(), operator.EpisodeQuery{Person: r.FormValue("person"), Words: r.FormValue("words")})
	if err != nil {
		answer(w, http.StatusServiceUnavailable, problem{"past conversations could not be read; try again"})
		return
	}
	answer(w, http.StatusOK, map[string]any{"episodes": all})
}
