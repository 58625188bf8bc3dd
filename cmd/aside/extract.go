package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/asidehq/aside/extract"
)

// maxRead is how much of the reply is read in one go however large the chunks
// are to be.
const maxRead = 1 << 20

func newExtract() *cobra.Command {
	var (
		config = extract.Config{Dialects: extract.Everything}
		chunk  chunkSize
		events bool
	)
	cmd := &cobra.Command{
		Use:   "extract",
		Short: "Show what stands inside a reply",
		Long: `Read a model's reply on standard input and print what it comes to, as one JSON
object: the text for people, controls, reasoning, actions, and problems (what
looked like an instruction and could not be used).

Bytes that are not UTF-8 are printed as U+FFFD.`,
		Example: `  # a reaction and a greeting
  printf '<actions><react emoji="eyes"/></actions>\nHi' | aside extract

  # only signals; anything else is text
  aside extract --dialects signals < reply.txt

  # what is known when, as the reply streams in
  printf 'One moment. [SEARCH:weather in Oslo]' | aside extract --events --chunk 4`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := cmd.InOrStdin()
			if file, ok := in.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
				fmt.Fprintln(cmd.ErrOrStderr(), "reading a reply from the terminal; end with Ctrl-D")
			}
			reader := extract.New(config)
			if events {
				return printEvents(cmd.OutOrStdout(), reader, in, int(chunk))
			}
			return printResult(cmd.OutOrStdout(), reader, in, int(chunk))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var((*dialects)(&config.Dialects), "dialects", "comma-separated dialects to look for")
	flags.Var(&chunk, "chunk", "feed the reply `N` bytes at a time; 0 is all at once")
	flags.BoolVar(&events, "events", false, "print one JSON event per line, as soon as it is known")
	flags.BoolVar(&config.VisibleSignals, "visible-signals", false, "leave signals in the text as well")
	return cmd
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q; the reply is read from standard input, as in aside extract < reply.txt", args[0])
}

// printResult prints what the whole reply comes to as one object.
func printResult(out io.Writer, reader *extract.Reader, in io.Reader, chunk int) error {
	var result extract.Result
	err := readReply(reader, in, chunk, func(e extract.Event) error {
		result.Add(e)
		return nil
	})
	if err != nil {
		return err
	}
	return newPrinter(out).print(newResultLine(result))
}

// printEvents prints a line for each event when it is yielded.
func printEvents(out io.Writer, reader *extract.Reader, in io.Reader, chunk int) error {
	p := newPrinter(out)
	var whole wholeRunes
	err := readReply(reader, in, chunk, func(e extract.Event) error {
		for _, e := range whole.next(e) {
			if err := p.print(newEventLine(e)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if e, ok := whole.rest(); ok {
		return p.print(newEventLine(e))
	}
	return nil
}

// readReply feeds the reply to the reader in chunks and hands on its events until
// do fails. A chunk is smaller where a slow pipe has no more to give: what is
// known by then should not wait.
func readReply(reader *extract.Reader, in io.Reader, chunk int, do func(extract.Event) error) error {
	if chunk == 0 {
		reply, err := io.ReadAll(in)
		if err != nil {
			return readError(err)
		}
		if err := doAll(reader.Feed(reply), do); err != nil {
			return err
		}
		return doAll(reader.End(), do)
	}
	buffer := make([]byte, min(chunk, maxRead))
	for {
		n, err := in.Read(buffer)
		if err := doAll(reader.Feed(buffer[:n]), do); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) {
			return doAll(reader.End(), do)
		}
		if err != nil {
			return readError(err)
		}
	}
}

func doAll(events iter.Seq[extract.Event], do func(extract.Event) error) error {
	for e := range events {
		if err := do(e); err != nil {
			return err
		}
	}
	return nil
}

func readError(err error) error {
	return fmt.Errorf("cannot read standard input: %w; give it a reply, as in aside extract < reply.txt", cause(err))
}

// A printer writes values as JSON, one on a line.
type printer struct {
	encoder *json.Encoder
}

func newPrinter(out io.Writer) printer {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false) // replies are full of < and >, and this is no page
	return printer{encoder}
}

func (p printer) print(value any) error {
	err := p.encoder.Encode(value)
	if errors.Is(err, syscall.EPIPE) {
		return errors.New("whoever reads the output stopped before its end (broken pipe); let it read everything")
	}
	if err != nil {
		return fmt.Errorf("cannot write to standard output: %w; send it somewhere else", cause(err))
	}
	return nil
}

// cause leaves out of a file's error what it was called and what was done to it:
// "read /dev/stdin" helps no one.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// dialects is the value of --dialects.
type dialects extract.Dialect

func (d *dialects) String() string { return extract.Dialect(*d).String() }
func (d *dialects) Type() string   { return "list" }

func (d *dialects) Set(list string) error {
	parsed, err := extract.ParseDialects(list)
	*d = dialects(parsed)
	return err
}

// chunkSize is the value of --chunk.
type chunkSize int

func (c *chunkSize) String() string { return strconv.Itoa(int(*c)) }
func (c *chunkSize) Type() string   { return "int" }

func (c *chunkSize) Set(value string) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a number of bytes, which is a whole number from 0", value)
	}
	*c = chunkSize(n)
	return nil
}
