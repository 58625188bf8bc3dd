package operator

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/asidehq/aside/catalogue/plans"
)

// ErrNoSuchPlan says that there is no plan that is called so.
var ErrNoSuchPlan = errors.New("there is no such plan")

// An Off is why something is not done: what it belongs to is switched off.
type Off string

func (o Off) Error() string { return string(o) }

// A PlanList is what plans there are.
type PlanList struct {
	Plans      []plans.Plan `json:"plans"`
	Unreadable []string     `json:"unreadable,omitempty"` // what is wrong with files that are none
}

// onPlans does something with plans, unless they are switched off.
func (l Local) onPlans(do func() error) error {
	if l.Planning == nil {
		return errors.New("plans cannot be looked at here")
	}
	if l.Off != nil {
		if why := l.Off("plan"); why != "" {
			return Off(why)
		}
	}
	err := do()
	if errors.Is(err, plans.NoPlan) {
		return ErrNoSuchPlan
	}
	return err
}

// operatorsOwn is what an operator asks for: each time it is something else.
func operatorsOwn() plans.By { return plans.By{Key: "operator/" + rand.Text()} }

// Plans returns the plans with a status, "" for all.
func (l Local) Plans(ctx context.Context, status string) (list PlanList, err error) {
	err = l.onPlans(func() (err error) {
		list.Plans, list.Unreadable, err = l.Planning.List(ctx, status)
		return err
	})
	return list, err
}

// Plan returns a plan with its text.
func (l Local) Plan(ctx context.Context, id string) (p plans.Plan, err error) {
	err = l.onPlans(func() (err error) { p, err = l.Planning.Show(ctx, id); return err })
	return p, err
}

// ApprovePlan says yes to a plan.
func (l Local) ApprovePlan(ctx context.Context, id string) (p plans.Plan, err error) {
	err = l.onPlans(func() (err error) { p, err = l.Planning.Approve(ctx, operatorsOwn(), id); return err })
	return p, err
}

// ClosePlan puts a plan away.
func (l Local) ClosePlan(ctx context.Context, id string) (p plans.Plan, err error) {
	err = l.onPlans(func() (err error) { p, err = l.Planning.Close(ctx, operatorsOwn(), id); return err })
	return p, err
}

// RunPlan begins to work through what remains of a plan, for who made it.
func (l Local) RunPlan(ctx context.Context, id string, o plans.Options) (p plans.Plan, err error) {
	err = l.onPlans(func() (err error) { p, _, err = l.Planning.Run(ctx, operatorsOwn(), id, o); return err })
	return p, err
}

// StopPlan ends the run of a plan.
func (l Local) StopPlan(ctx context.Context, id string) (p plans.Plan, err error) {
	err = l.onPlans(func() (err error) { p, err = l.Planning.Stop(ctx, id); return err })
	return p, err
}

// Plans returns the plans with a status, "" for all.
func (r Remote) Plans(ctx context.Context, status string) (list PlanList, err error) {
	err = r.ask(ctx, http.MethodGet, "/api/v1/plans?"+url.Values{"status": {status}}.Encode(), nil, &list)
	return list, err
}

// Plan returns a plan with its text.
func (r Remote) Plan(ctx context.Context, id string) (p plans.Plan, err error) {
	err = r.ask(ctx, http.MethodGet, planPath(id, ""), ErrNoSuchPlan, &p)
	return p, err
}

// ApprovePlan says yes to a plan.
func (r Remote) ApprovePlan(ctx context.Context, id string) (plans.Plan, error) {
	return r.changePlan(ctx, planPath(id, "/approve"))
}

// ClosePlan puts a plan away.
func (r Remote) ClosePlan(ctx context.Context, id string) (plans.Plan, error) {
	return r.changePlan(ctx, planPath(id, "/close"))
}

// RunPlan begins to work through what remains of a plan, for who made it.
func (r Remote) RunPlan(ctx context.Context, id string, o plans.Options) (plans.Plan, error) {
	return r.changePlan(ctx, planPath(id, "/run")+"?"+url.Values{"quiet": {strconv.FormatBool(o.Quiet)}, "roll_on": {strconv.FormatBool(o.RollOn)}}.Encode())
}

// StopPlan ends the run of a plan.
func (r Remote) StopPlan(ctx context.Context, id string) (plans.Plan, error) {
	return r.changePlan(ctx, planPath(id, "/stop"))
}

func (r Remote) changePlan(ctx context.Context, path string) (p plans.Plan, err error) {
	err = r.ask(ctx, http.MethodPost, path, ErrNoSuchPlan, &p)
	return p, err
}

func planPath(id, more string) string { return "/api/v1/plans/" + url.PathEscape(id) + more }
