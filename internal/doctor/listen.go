package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"

	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/store"
)

// checkListen looks whether the address is free, or whose it is.
func (d *Doctor) checkListen(ctx context.Context) {
	const check = "listen"
	address := string(d.Config.Listen)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err == nil {
		text := address + " is free"
		if d.holder.held && d.holder.address != "" {
			text += "; the running Aside listens at " + d.holder.address
		}
		if err := listener.Close(); err != nil {
			text += " (" + err.Error() + ")"
		}
		d.good(check, text)
		return
	}
	const choose = "choose another address with listen in aside.yaml"
	switch {
	case !errors.Is(err, syscall.EADDRINUSE):
		d.bad(check, fmt.Sprintf("Aside cannot listen at %s: %v", address, why(err)), choose)
	case d.holder.held && samePort(d.holder.address, address):
		d.good(check, "the running Aside listens at "+address)
	case store.IsPostgres(d.Config.Database.Reveal()) && d.isAside(ctx, address):
		// There is no lock that would tell whose it is.
		d.good(check, "an Aside listens at "+address+", as it does if this configuration is running")
	case d.isAside(ctx, address):
		d.bad(check, "another Aside listens at "+address, "stop it, or "+choose)
	default:
		d.bad(check, "another program listens at "+address, "stop it, or "+choose)
	}
}

// why leaves out what was tried.
func why(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

func samePort(a, b string) bool {
	_, x, errX := net.SplitHostPort(a)
	_, y, errY := net.SplitHostPort(b)
	return errX == nil && errY == nil && x == y
}

// isAside asks whoever listens at an address how it is.
func (d *Doctor) isAside(ctx context.Context, address string) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+operator.Dial(address)+"/healthz", nil)
	if err != nil {
		return false
	}
	answer, err := d.Client.Do(r)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 100))
	return err == nil && answer.StatusCode == http.StatusOK && string(body) == "ok\n"
}
