package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/config"
)

func newDialectsTry() *cobra.Command {
	var (
		path   configPath
		read   dialects
		chunk  = chunkSize(4)
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "try [FILE|-]",
		Short: "Stream a reply through and show what happens",
		Long: `Read a reply a few bytes at a time, as a model would write it, and show line by line
what people see, what is taken out, and what would become of it. Nothing is done. In
the end stands the text as people read it then.

Without a file it is a sample; - is standard input. Without --dialects it is read as
the configuration has chat's replies read.`,
		Example: `  aside dialects try

  # what of it is an instruction if only signals are
  aside dialects try --dialects signals

  # a reply of yours, in pieces of 20 bytes
  printf 'Look: [SEARCH:tides in Dover]' | aside dialects try --chunk 20 -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("unexpected argument %q; one reply is read at a time", args[1])
			}
			return nil
		},
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			c, err := path.load()
			if err != nil {
				return err
			}
			reading := reading(c)
			if read != 0 {
				reading.Dialects = extract.Dialect(read)
			}
			trial, err := newTrial(c, cmd.OutOrStdout(), asJSON)
			if err != nil {
				return err
			}
			in, end, err := openReply(cmd, args, reading.Dialects)
			if err != nil {
				return err
			}
			defer end()
			return trial.run(extract.New(reading), in, int(chunk))
		}),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(&read, "dialects", "comma-separated dialects to look for (default the configuration's)")
	flags.Var(&chunk, "chunk", "feed the reply `N` bytes at a time; 0 is all at once")
	flags.BoolVar(&asJSON, "json", false, "print one JSON event per line, the text last")
	path.flag(cmd)
	return cmd
}

// openReply opens what is to be read.
func openReply(cmd *cobra.Command, args []string, on extract.Dialect) (in io.Reader, end func(), err error) {
	switch {
	case len(args) == 0:
		return strings.NewReader(sampleReply(on)), func() {}, nil
	case args[0] == "-":
		return cmd.InOrStdin(), func() {}, nil
	}
	file, err := os.Open(args[0])
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read %s: %w", args[0], cause(err))
	}
	return file, func() { file.Close() }, nil // it was only read
}

// sampleReply is a reply with something of each dialect. Envelopes are whole replies.
func sampleReply(on extract.Dialect) string {
	if on&extract.Envelope != 0 {
		return `{"user": "Aside", "text": "Good morning! I noted that. [LIKE] [REMEMBER:Prefers green tea]", "action": "SOCIAL_ENGAGE"}`
	}
	return `<think>Tea again. I had better note that.</think>
Good morning! <actions><react emoji="tea"/></actions>I noted that. [REMEMBER:Prefers green tea]

<action>{"type":"taskCreate","title":"Buy green tea"}</action>
This is only an example: ` + "`[REMEMBER:nothing]`" + `. And this one cannot be used: [CALCULATE:]
`
}

// A trial shows what becomes of a reply while it is read.
type trial struct {
	registry *action.Registry
	policy   action.Policy
	json     bool
	out      io.Writer
	palette  palette
	line     string // the label of the line that is being written, "" if none is
	failure  error
}

func newTrial(c *config.Config, out io.Writer, asJSON bool) (*trial, error) {
	registry, err := newRegistry(workshop{})
	return &trial{registry: registry, policy: policy(c), json: asJSON, out: out, palette: newPalette(out)}, err
}

// run reads a reply.
func (t *trial) run(reader *extract.Reader, in io.Reader, chunk int) error {
	var result extract.Result
	var whole wholeRunes
	err := readReply(reader, in, chunk, func(e extract.Event) error {
		result.Add(e)
		for _, e := range whole.next(e) {
			t.show(e)
		}
		return t.failure
	})
	if err != nil {
		return err
	}
	if e, ok := whole.rest(); ok {
		t.show(e)
	}
	t.end(string(result.Text))
	return t.failure
}

// A trialLine is an event as JSON, and what would become of it.
type trialLine struct {
	eventLine
	Action string `json:"action,omitempty"` // that would be run
	Comes  string `json:"comes,omitempty"`  // of it
}

func (t *trial) show(e extract.Event) {
	line := trialLine{eventLine: newEventLine(e)}
	if e.Kind == extract.KindAction {
		line.Action, line.Comes = t.comes(e)
	}
	switch {
	case t.json:
		t.failure = errors.Join(t.failure, newPrinter(t.out).print(line))
	case e.Kind == extract.KindText:
		t.stream("people", t.palette.strong, visible(string(e.Text)))
	case e.Kind == extract.KindReasoning:
		t.stream("thought", t.palette.faint, visible(string(e.Text)))
	case e.Kind == extract.KindAction:
		t.take("action", t.palette.good, e.Name+" "+string(e.Args), line.Comes)
	case e.Kind == extract.KindProblem:
		t.take("problem", t.palette.bad, e.Name+": "+e.Why, clip(e.Raw, 200))
	case e.Kind == extract.KindControl:
		t.take("control", t.palette.warn, e.Name, "")
	}
}

// comes is which action would be run, and what would come of it for a person who may do
// everything.
func (t *trial) comes(e extract.Event) (name, what string) {
	spec := t.registry.Find(e.Name)
	if spec == nil {
		return "", fmt.Sprintf("fails: there is no action %q", e.Name)
	}
	args, err := spec.Decode(e.Args)
	if err != nil {
		return spec.Name, "fails: " + err.Error()
	}
	in := action.Situation{Flow: action.OnMessage, May: func(action.Right) string { return "" }}
	verdict := t.policy.DecideCall(in, spec, args)
	switch {
	case !verdict.Run:
		return spec.Name, "is refused: " + verdict.Why
	case verdict.Ask:
		return spec.Name, "runs " + spec.Name + " once the person has confirmed it"
	case spec.Interrupting:
		return spec.Name, "runs " + spec.Name + ": the model is stopped here, and its next answer takes the place of this one"
	case spec.Query:
		return spec.Name, "runs " + spec.Name + ": the model is asked again with what was found"
	}
	return spec.Name, "runs " + spec.Name
}

// margin is as wide as what stands before a line.
const margin = "         "

// label begins a line.
func (t *trial) label(name string, paint func(string) string) {
	t.write(paint(name) + margin[len(name):])
}

// stream writes what is not known as a whole, as it comes.
func (t *trial) stream(name string, paint func(string) string, text string) {
	for part := range strings.Lines(text) {
		switch {
		case t.line == name:
		case part == "\n": // no blanks at the end of a line
			t.endLine()
			t.write(paint(name))
		default:
			t.endLine()
			t.label(name, paint)
		}
		t.write(part)
		t.line = name
		if strings.HasSuffix(part, "\n") {
			t.line = ""
		}
	}
}

// take writes what was taken out, and below it what becomes of that.
func (t *trial) take(name string, paint func(string) string, what, comes string) {
	t.endLine()
	t.label(name, paint)
	t.write(clip(what, 200) + "\n")
	if comes != "" {
		t.write(margin + t.palette.faint(visible(comes)) + "\n")
	}
}

func (t *trial) endLine() {
	if t.line != "" {
		t.write("\n")
		t.line = ""
	}
}

// end writes the text as it is in the end.
func (t *trial) end(text string) {
	if t.json {
		t.failure = errors.Join(t.failure, newPrinter(t.out).print(map[string]string{"event": "end", "text": text}))
		return
	}
	t.endLine()
	if strings.TrimSpace(text) == "" {
		t.write("\n" + t.palette.strong("In the end people see nothing.") + "\n")
		return
	}
	t.write("\n" + t.palette.strong("In the end people see:") + "\n" + indent(visible(text), "  "))
}

func (t *trial) write(text string) {
	if t.failure == nil {
		t.failure = printText(t.out, text)
	}
}
