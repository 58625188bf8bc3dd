package console

import (
	"errors"
	"net/http"

	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/internal/operator"
)

func (c *Console) plans(w http.ResponseWriter, r *http.Request) {
	list, err := c.Local.Plans(r.Context(), r.URL.Query().Get("status"))
	planAnswer(w, http.StatusOK, list, err)
}

func (c *Console) plan(w http.ResponseWriter, r *http.Request) {
	p, err := c.Local.Plan(r.Context(), r.PathValue("id"))
	planAnswer(w, http.StatusOK, p, err)
}

func (c *Console) approvePlan(w http.ResponseWriter, r *http.Request) {
	p, err := c.Local.ApprovePlan(r.Context(), r.PathValue("id"))
	planAnswer(w, http.StatusOK, p, err)
}

func (c *Console) closePlan(w http.ResponseWriter, r *http.Request) {
	p, err := c.Local.ClosePlan(r.Context(), r.PathValue("id"))
	planAnswer(w, http.StatusOK, p, err)
}

func (c *Console) runPlan(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	p, err := c.Local.RunPlan(r.Context(), r.PathValue("id"), plans.Options{Quiet: q.Get("quiet") == "true", RollOn: q.Get("roll_on") == "true"})
	planAnswer(w, http.StatusAccepted, p, err)
}

func (c *Console) stopPlan(w http.ResponseWriter, r *http.Request) {
	p, err := c.Local.StopPlan(r.Context(), r.PathValue("id"))
	planAnswer(w, http.StatusAccepted, p, err)
}

func planAnswer(w http.ResponseWriter, status int, body any, err error) {
	var mistake plans.Mistake
	var off operator.Off
	switch {
	case err == nil:
		answer(w, status, body)
	case errors.Is(err, operator.ErrNoSuchPlan):
		answer(w, http.StatusNotFound, problem{err.Error()})
	case errors.As(err, &off):
		answer(w, http.StatusForbidden, problem{off.Error()})
	case errors.As(err, &mistake):
		answer(w, http.StatusConflict, problem{mistake.Error()})
	default:
		answer(w, http.StatusServiceUnavailable, problem{"the plans cannot be read or written at the moment; try again"})
	}
}
