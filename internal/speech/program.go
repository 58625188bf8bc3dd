package speech

import (
	"context"

	"github.com/asidehq/aside/model/command"
)

// A Program speaks: it reads the text on its standard input and writes the sound to its
// standard output. What people write never becomes one of its arguments.
type Program struct {
	Command     []string
	Environment []string // NAME=value; nil is this process' own
	Limit       int      // how many bytes the sound may have
}

// Sound implements Source.
func (p *Program) Sound(ctx context.Context, text string) ([]byte, error) {
	return command.Output(ctx, command.Config{Command: p.Command, Environment: p.Environment}, []byte(text+"\n"), p.Limit)
}
