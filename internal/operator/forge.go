package operator

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/forges"
)

// Forging is to have plans forged. Its errors are forges.ErrNone, a forges.Mistake, ErrOff,
// or that something cannot be read or stored.
type Forging interface {
	Forge(ctx context.Context) (forges.Forge, error)
	StartForge(ctx context.Context, wanted ForgeWanted) (forges.Forge, error)
	ResumeForge(ctx context.Context, plan string) (forges.Forge, error)
	CancelForge(ctx context.Context) (forges.Forge, error)
}

// ForgeWanted is what is to be forged.
type ForgeWanted struct {
	Description string `json:"description"`
	Context     string `json:"context,omitempty"`
	Room        string `json:"room,omitempty"` // platform/id, where it is shown; "" is web/forge
}

// forgeRoom is where it is shown what an operator has forged, if they do not say where.
const forgeRoom = "web/forge"

// forging is who forges, unless that is switched off.
func (l Local) forging() (forges.Forges, error) {
	if l.Off != nil {
		if why := l.Off("forge"); why != "" {
			return nil, fmt.Errorf("%s (%w in the configuration)", why, ErrOff)
		}
	}
	if l.Forges == nil {
		return nil, errors.New("nobody has said how plans are forged")
	}
	return l.Forges, nil
}

// operatorCall is what an operator asks for, each time anew. It belongs to no turn, and so
// needs nobody's rights.
func operatorCall(in string) (action.Call, error) {
	room, err := roomOf(in)
	if err != nil {
		return action.Call{}, forges.Mistake(err.Error())
	}
	return action.Call{
		Key: "operator/" + rand.Text(), Flow: action.OnMessage, Platform: room.Platform, Room: room.ID,
		Person: "operator", Name: "operator", Direct: room.Platform == "web",
	}, nil
}

// Forge is the forge that is running, or else the last one.
func (l Local) Forge(ctx context.Context) (forges.Forge, error) {
	f, err := l.forging()
	if err != nil {
		return forges.Forge{}, err
	}
	return f.Status(ctx)
}

// most is how long what is said of a plan may be, as it is for a model.
const most = 8000

// StartForge makes a plan and begins to forge it.
func (l Local) StartForge(ctx context.Context, w ForgeWanted) (forges.Forge, error) {
	f, err := l.forging()
	if err != nil {
		return forges.Forge{}, err
	}
	if w.Room == "" {
		w.Room = forgeRoom
	}
	switch {
	case w.Description == "":
		return forges.Forge{}, forges.Mistake("description is missing: what is to be changed, and what for")
	case len(w.Description) > most || len(w.Context) > most:
		return forges.Forge{}, forges.Mistake(fmt.Sprintf("description and context have at most %d bytes each", most))
	}
	call, err := operatorCall(w.Room)
	if err != nil {
		return forges.Forge{}, err
	}
	return f.Create(ctx, call, w.Description, w.Context)
}

// ResumeForge goes on with a plan.
func (l Local) ResumeForge(ctx context.Context, plan string) (forges.Forge, error) {
	f, err := l.forging()
	if err != nil {
		return forges.Forge{}, err
	}
	call, err := operatorCall(forgeRoom)
	if err != nil {
		return forges.Forge{}, err
	}
	return f.Resume(ctx, call, plan)
}

// CancelForge ends the forge that is running.
func (l Local) CancelForge(ctx context.Context) (forges.Forge, error) {
	f, err := l.forging()
	if err != nil {
		return forges.Forge{}, err
	}
	call, err := operatorCall(forgeRoom)
	if err != nil {
		return forges.Forge{}, err
	}
	return f.Cancel(ctx, call)
}

// Forge is the forge that is running, or else the last one.
func (r Remote) Forge(ctx context.Context) (f forges.Forge, err error) {
	err = r.ask(ctx, http.MethodGet, "/api/v1/forge", forges.ErrNone, &f)
	return f, err
}

// StartForge makes a plan and begins to forge it.
func (r Remote) StartForge(ctx context.Context, w ForgeWanted) (f forges.Forge, err error) {
	err = r.give(ctx, "/api/v1/forge", w, nil, &f)
	return f, err
}

// ResumeForge goes on with a plan.
func (r Remote) ResumeForge(ctx context.Context, plan string) (f forges.Forge, err error) {
	err = r.give(ctx, "/api/v1/forge/resume", map[string]string{"plan": plan}, nil, &f)
	return f, err
}

// CancelForge ends the forge that is running.
func (r Remote) CancelForge(ctx context.Context) (f forges.Forge, err error) {
	err = r.ask(ctx, http.MethodPost, "/api/v1/forge/cancel", nil, &f)
	return f, err
}
