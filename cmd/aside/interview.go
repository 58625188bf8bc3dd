package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/asidehq/aside/internal/config"
)

// An interview asks questions on standard error and reads answers line by line, also
// from a pipe. Where the answers end, the defaults are taken.
type interview struct {
	in    *bufio.Reader
	out   io.Writer
	quiet bool // asks nothing
	typed bool // someone types, and can be asked again
	err   error
}

func newInterview(in io.Reader, out io.Writer, quiet bool) *interview {
	file, ok := in.(*os.File)
	return &interview{in: bufio.NewReader(in), out: out, quiet: quiet, typed: ok && term.IsTerminal(int(file.Fd()))}
}

// ask returns the answer to a question, or otherwise if it is empty.
func (i *interview) ask(question, otherwise string) string {
	if i.quiet || i.err != nil {
		return otherwise
	}
	if otherwise != "" {
		question += " [" + otherwise + "]"
	}
	fmt.Fprint(i.out, question+" ")
	line, err := i.in.ReadString('\n')
	if !i.typed {
		fmt.Fprintln(i.out, strings.TrimSpace(visible(line))) // nobody else ends the line
	}
	if err != nil {
		i.quiet = true
		if !errors.Is(err, io.EOF) {
			i.err = fmt.Errorf("cannot read the answers: %w; give them as flags with --yes", cause(err))
		}
	}
	if line = strings.TrimSpace(line); line != "" {
		return line
	}
	return otherwise
}

// provider asks who answers: by number or by name.
func (i *interview) provider(answer *string) error {
	if !i.quiet {
		var list strings.Builder
		for n, c := range choices {
			fmt.Fprintf(&list, "  %d  %-10s %s\n", n+1, c.name, c.what)
		}
		fmt.Fprint(i.out, "Who answers?\n"+list.String())
	}
	for {
		given := i.ask("A number or a name", string(config.Rehearsal))
		if n, err := strconv.Atoi(given); err == nil && n >= 1 && n <= len(choices) {
			given = choices[n-1].name
		}
		switch {
		case i.err != nil:
			return i.err
		case slices.Contains(choiceNames(), given):
			*answer = given
			return nil
		case !i.typed:
			return fmt.Errorf("%q is none of %s", given, strings.Join(choiceNames(), ", "))
		}
		fmt.Fprintf(i.out, "That is none of them.\n")
	}
}
