package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"syscall"

	"github.com/asidehq/aside/model"
)

// failure is why the run has failed, nil if it has not. Only when it is over.
func (r *run) failure() *model.Error {
	if r.output.tooMuch() {
		r.err = errTooMuch // and was killed for it
	}
	var exit *exec.ExitError
	fail := func(kind model.Kind, format string, args ...any) *model.Error {
		return &model.Error{Kind: kind, Message: fmt.Sprintf(format, args...), Cause: r.cause(r.err.Error())}
	}
	switch {
	case r.err == nil:
		return nil
	case errors.Is(r.err, errTooMuch):
		return fail(model.Broken, "The model's program writes without end.")
	case errors.Is(r.err, syscall.E2BIG):
		return fail(model.TooLong, "The conversation is too long for a program's arguments.")
	case errors.Is(r.err, exec.ErrNotFound), errors.Is(r.err, fs.ErrNotExist):
		return fail(model.BadRequest, "There is no program called %q. Is it installed? Check command.", r.program)
	case errors.Is(r.err, fs.ErrPermission):
		return fail(model.BadRequest, "The program %q may not be run. Check command.", r.program)
	case errors.As(r.err, &exit) && !exit.Exited():
		return fail(model.Unavailable, "The model's program was killed before it had answered.")
	case errors.As(r.err, &exit):
		return fail(model.Unavailable, "The model's program has failed. The log says why.")
	}
	return fail(model.Unavailable, "The model's program cannot be run. The log says why.")
}

// cause is what the log says.
func (r *run) cause(what string) error {
	if said := strings.TrimSpace(r.errors.String()); said != "" {
		return fmt.Errorf("%s: %s; it says: %s", r.program, what, said)
	}
	return fmt.Errorf("%s: %s", r.program, what)
}
