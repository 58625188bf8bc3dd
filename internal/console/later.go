package console

import (
	"errors"
	"net/http"

	"github.com/asidehq/aside/internal/operator"
)

func (c *Console) appointments(name string, kind operator.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		all, err := c.Local.Appointments(r.Context(), kind)
		appointmentAnswer(w, map[string]any{name: all}, err)
	}
}

func (c *Console) appointment(kind operator.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, err := c.Local.Appointment(r.Context(), kind, r.PathValue("id"))
		appointmentAnswer(w, a, err)
	}
}

func (c *Console) cancelAppointment(kind operator.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, err := c.Local.Cancel(r.Context(), kind, r.PathValue("id"))
		appointmentAnswer(w, a, err)
	}
}

func appointmentAnswer(w http.ResponseWriter, body any, err error) {
	var off operator.OffError
	switch {
	case err == nil:
		answer(w, http.StatusOK, body)
	case errors.As(err, &off):
		answer(w, http.StatusForbidden, problem{off.Error()})
	case errors.Is(err, operator.ErrNoSuchAppointment):
		answer(w, http.StatusNotFound, problem{err.Error()})
	case errors.Is(err, operator.ErrEnded):
		answer(w, http.StatusConflict, problem{err.Error()})
	default:
		answer(w, http.StatusServiceUnavailable, problem{"it could not be done; try again"})
	}
}
