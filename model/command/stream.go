package command

import (
	"context"
	"errors"
	"iter"
	"os/exec"
	"strings"

	"github.com/asidehq/aside/model"
)

// Stream runs the program. The text comes as the program writes it.
func (m *Model) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		if ctx.Err() != nil {
			yield(model.Delta{}, model.Interrupted(ctx))
			return
		}
		run := m.start(ctx, m.prepare(r))
		defer run.end()

		var text cleaner
		blank := "" // line ends that came last: a program ends its output with one, a reply does not
		some, over := false, false
		for !over {
			select {
			case <-run.output.more:
			case <-run.over:
				over = true
			}
			said := blank + text.clean(run.output.take())
			if over {
				said += text.rest()
			}
			blank = said[len(strings.TrimRight(said, "\n")):]
			said = strings.TrimSuffix(said, blank)
			some = some || said != ""
			if said != "" && ctx.Err() == nil && !yield(model.Delta{Text: said}, nil) {
				return
			}
		}
		switch failure := run.failure(); {
		case ctx.Err() != nil:
			yield(model.Delta{}, model.Interrupted(ctx))
		case failure != nil:
			yield(model.Delta{}, failure)
		case !some:
			yield(model.Delta{}, &model.Error{Kind: model.Broken, Message: "The model has answered nothing.", Cause: run.cause("it wrote nothing")})
		default:
			yield(model.Delta{End: model.Done}, nil)
		}
	}
}

// A run is a program that is running, or has been.
type run struct {
	program string
	cancel  func()
	output  output
	errors  tail // what it wrote to standard error

	over chan struct{} // closed when the program has ended, and err is there
	err  error
}

// start starts the program. Whether that has worked is known when the run is over.
func (m *Model) start(ctx context.Context, command *exec.Cmd) *run {
	ctx, cancel := context.WithCancel(ctx)
	run := &run{program: command.Path, cancel: cancel, output: newOutput(m.limit, cancel), over: make(chan struct{})}
	if len(m.config.Command) > 0 {
		run.program = m.config.Command[0]
	}
	command.Stdout, command.Stderr = &run.output, &run.errors
	alone(command)
	command.WaitDelay = m.afterExit
	go func() {
		defer close(run.over)
		run.err = runCancelled(ctx, command)
	}()
	return run
}

// runCancelled runs the program, and kills it and all that it has started when the
// context ends.
func runCancelled(ctx context.Context, command *exec.Cmd) error {
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-ctx.Done():
			kill(command.Process)
		case <-ended:
		}
	}()
	err := command.Wait()
	close(ended)
	<-watched
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // it has ended well; something it started holds its output open
	}
	return err
}

// end ends the run, however far it is, and waits for that.
func (r *run) end() {
	r.cancel()
	<-r.over
}
