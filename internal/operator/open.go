package operator

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/internal/store"
)

// An Operator answers, until it is closed.
type Operator interface {
	Turn(ctx context.Context, id int64) (*Turn, error)
	Turns(ctx context.Context, q Query) ([]*Turn, error)
	Prompt(ctx context.Context, room, text string) (*Prompt, error)
	Dead(ctx context.Context) ([]Letter, error)
	Resend(ctx context.Context, key string) error
	Drop(ctx context.Context, key string) error
	Pairings(ctx context.Context) ([]Pairing, error)
	Approve(ctx context.Context, code string) (Pairing, error)
	Deny(ctx context.Context, code string) (Pairing, error)
	Revoke(ctx context.Context, person string) error
	Facts(ctx context.Context, q FactQuery) ([]Fact, error)
	Episodes(ctx context.Context, q EpisodeQuery) ([]Episode, error)
	Tasks
	Appointments(ctx context.Context, kind Kind) ([]Appointment, error)
	Appointment(ctx context.Context, kind Kind, id string) (Appointment, error)
	Cancel(ctx context.Context, kind Kind, id string) (Appointment, error)
	Crons(ctx context.Context) ([]Cron, error)
	Cron(ctx context.Context, id string) (Cron, error)
	RunCron(ctx context.Context, id string) (Cron, error)
	PauseCron(ctx context.Context, id string, paused bool) (Cron, error)
	DeleteCron(ctx context.Context, id string) (Cron, error)
	Forging
	Plans(ctx context.Context, status string) (PlanList, error)
	Plan(ctx context.Context, id string) (plans.Plan, error)
	ApprovePlan(ctx context.Context, id string) (plans.Plan, error)
	ClosePlan(ctx context.Context, id string) (plans.Plan, error)
	RunPlan(ctx context.Context, id string, o plans.Options) (plans.Plan, error)
	StopPlan(ctx context.Context, id string) (plans.Plan, error)
	Close() error
}

var (
	_ Operator = Local{}
	_ Operator = Remote{}
)

// ErrStarting says that a process holds the data directory and cannot be asked yet.
var ErrStarting = errors.New("an Aside is just starting on this data directory; try again in a moment")

// patience is how long a running Aside has for an answer.
const patience = 30 * time.Second

// Open finds the way to the data. PostgreSQL can be asked beside whoever works on it.
// A SQLite file belongs to the process that holds its directory: where there is one,
// it is asked, at the address that it has left there; where there is none, this
// process holds the directory meanwhile.
func Open(ctx context.Context, database, data, token string) (Operator, error) {
	s, err := store.OpenExisting(ctx, database, data, time.Now)
	if err == nil {
		return Local{Store: s}, nil
	}
	if !errors.Is(err, store.ErrInUse) {
		return nil, err
	}
	address, held, err := store.Holder(data)
	switch {
	case err != nil:
		return nil, err
	case !held || address == "":
		return nil, ErrStarting
	}
	return Remote{Address: address, Token: token, Client: &http.Client{Timeout: patience}}, nil
}
