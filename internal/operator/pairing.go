package operator

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/access"
	"github.com/asidehq/aside/internal/store"
)

var (
	// ErrNoSuchCode says that nobody waits with a code, or no longer.
	ErrNoSuchCode = errors.New("no one waits with that code")

	// ErrNoSuchPerson says that a person was not let in.
	ErrNoSuchPerson = errors.New("no such person was let in")

	// ErrPerson says that a person is none.
	ErrPerson = errors.New("a person is platform/id, such as telegram/1234")
)

// A Pairing is a person who waits to be let in, or was let in.
type Pairing struct {
	Person   string             `json:"person"` // platform/id
	Platform string             `json:"platform"`
	Name     string             `json:"name"` // as they call themselves
	State    store.PairingState `json:"state"`
	Code     string             `json:"code,omitempty"` // while it is pending
	Since    time.Time          `json:"since"`
	Expires  *time.Time         `json:"expires,omitempty"` // while it is pending
}

func pairingOf(p store.Pairing) Pairing {
	shown := Pairing{
		Person: p.Room.Platform + "/" + p.Person.ID, Platform: p.Room.Platform, Name: p.Person.Name,
		State: p.State, Code: p.Code, Since: p.Changed,
	}
	if p.State == store.PairingPending {
		shown.Expires = &p.Expires
	}
	return shown
}

// Pairings returns who waits to be let in and who was, oldest first.
func (l Local) Pairings(ctx context.Context) ([]Pairing, error) {
	all, err := l.Store.Pairings(ctx)
	shown := []Pairing{}
	for _, p := range all {
		shown = append(shown, pairingOf(p))
	}
	return shown, err
}

// Approve lets the person in who waits with a code.
func (l Local) Approve(ctx context.Context, code string) (Pairing, error) {
	p, err := l.Store.Approve(ctx, access.ReadCode(code))
	if err == nil && l.Told != nil {
		l.Told()
	}
	return pairingOf(p), pairingError(err)
}

// Deny does not let the person in who waits with a code.
func (l Local) Deny(ctx context.Context, code string) (Pairing, error) {
	p, err := l.Store.Deny(ctx, access.ReadCode(code))
	return pairingOf(p), pairingError(err)
}

// Revoke takes back that a person was let in.
func (l Local) Revoke(ctx context.Context, person string) error {
	platform, id, ok := strings.Cut(person, "/")
	if !ok || platform == "" || id == "" {
		return ErrPerson
	}
	return pairingError(l.Store.Revoke(ctx, platform, id))
}

func pairingError(err error) error {
	switch {
	case errors.Is(err, store.ErrNoSuchCode):
		return ErrNoSuchCode
	case errors.Is(err, store.ErrNoSuchPerson):
		return ErrNoSuchPerson
	}
	return err
}

// Pairings returns who waits to be let in and who was, oldest first.
func (r Remote) Pairings(ctx context.Context) ([]Pairing, error) {
	page := struct{ Pairing []Pairing }{Pairing: []Pairing{}}
	err := r.ask(ctx, http.MethodGet, "/api/v1/pairing", nil, &page)
	return page.Pairing, err
}

// Approve lets the person in who waits with a code.
func (r Remote) Approve(ctx context.Context, code string) (p Pairing, err error) {
	err = r.ask(ctx, http.MethodPost, "/api/v1/pairing/"+url.PathEscape(access.ReadCode(code))+"/approve", ErrNoSuchCode, &p)
	return p, err
}

// Deny does not let the person in who waits with a code.
func (r Remote) Deny(ctx context.Context, code string) (p Pairing, err error) {
	err = r.ask(ctx, http.MethodPost, "/api/v1/pairing/"+url.PathEscape(access.ReadCode(code))+"/deny", ErrNoSuchCode, &p)
	return p, err
}

// Revoke takes back that a person was let in.
func (r Remote) Revoke(ctx context.Context, person string) error {
	if platform, id, ok := strings.Cut(person, "/"); !ok || platform == "" || id == "" {
		return ErrPerson
	}
	return r.ask(ctx, http.MethodDelete, "/api/v1/pairing?"+url.Values{"person": {person}}.Encode(), ErrNoSuchPerson, nil)
}
