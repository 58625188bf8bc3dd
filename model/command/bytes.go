package command

import (
	"bytes"
	"context"
	"errors"
	"os/exec"

	"github.com/asidehq/aside/model"
)

// Output runs a program that makes something other than a reply, such as speech: it reads
// the input and writes up to limit bytes, which are returned as they are. Nothing in its
// arguments is replaced. The program and all that it has started are killed when the context
// ends. The error is a *model.Error.
func Output(ctx context.Context, c Config, input []byte, limit int) ([]byte, error) {
	if len(c.Command) == 0 {
		return nil, &model.Error{Kind: model.BadRequest, Message: "There is no program to run. Check command.", Cause: errors.New("no command")}
	}
	command := exec.Command(c.Command[0], c.Command[1:]...)
	command.Env = c.Environment
	command.Stdin = bytes.NewReader(input)
	m := New(c)
	m.limit = limit
	run := m.start(ctx, command)
	defer run.end()
	<-run.over
	if ctx.Err() != nil {
		return nil, model.Interrupted(ctx)
	}
	if failure := run.failure(); failure != nil {
		return nil, failure
	}
	return run.output.take(), nil
}
