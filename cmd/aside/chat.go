package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/asidehq/aside/internal/chat"
	"github.com/asidehq/aside/platform/web/client"
)

// chatFlags are the flags of chat.
type chatFlags struct {
	config configPath
	data   string
	url    string
	room   string
	user   string
	json   bool
	wait   time.Duration
}

func newChat() *cobra.Command {
	var flags chatFlags
	cmd := &cobra.Command{
		Use:   "chat [MESSAGE]",
		Short: "Talk to the agent in the terminal",
		Long: `Talk to the agent in the terminal: to the Aside that runs at the configured address,
or at --url, or, when none runs there, to one that runs until you leave. It has to be
given the token if there is one: by the configuration, or by ASIDE_TOKEN, which counts
more.

With a message, or with standard input from a pipe, it sends that as one message,
prints the answer, and ends when everything that follows from it is done. What the
actions came to is printed on standard error. The exit code is 0 if there was an
answer, 1 if there was none, and 2 if Aside could not be asked.`,
		Example: `  aside chat
  aside chat what is 6 times 7
  git diff | aside chat --room review --json`,
		RunE: flags.run,
	}
	flags.config.flag(cmd)
	cmd.Flags().StringVar(&flags.data, "data", "", "the data directory, if none runs yet")
	cmd.Flags().StringVar(&flags.url, "url", "", "where Aside runs, such as http://127.0.0.1:8787 (default the configured address)")
	cmd.Flags().StringVar(&flags.room, "room", "terminal", "the room to talk in")
	cmd.Flags().StringVar(&flags.user, "user", userName(), "who you are")
	cmd.Flags().BoolVar(&flags.json, "json", false, "print the answer as one JSON object")
	cmd.Flags().DurationVar(&flags.wait, "wait", 30*time.Second, "how long to go on trying when Aside cannot be reached")
	return cmd
}

func userName() string {
	for _, name := range []string{"USER", "USERNAME"} {
		if user := os.Getenv(name); user != "" {
			return user
		}
	}
	return "you"
}

func (f *chatFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	talks := !f.json && len(args) == 0 && isTerminal(cmd.InOrStdin()) && isTerminal(cmd.OutOrStdout())
	text := strings.Join(args, " ")
	if !talks && len(args) == 0 {
		var err error
		if text, err = readMessage(cmd); err != nil {
			return err
		}
	}
	aside, err := f.find(ctx)
	if err != nil {
		return err
	}
	if talks {
		err = f.talk(ctx, cmd, aside)
	} else {
		err = f.send(ctx, cmd, aside, text)
	}
	stopped := aside.stop()
	if err == nil || errors.Is(err, chat.ErrGone) {
		return stopped
	}
	return f.explain(err)
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// longestText keeps a wrong file from being read into memory; Aside takes less.
const longestText = 8 << 20

// readMessage reads standard input as one message.
func readMessage(cmd *cobra.Command) (string, error) {
	if isTerminal(cmd.InOrStdin()) {
		fmt.Fprintln(cmd.ErrOrStderr(), "reading a message from the terminal; end with Ctrl-D")
	}
	body, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), longestText+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("cannot read standard input: %w", cause(err))
	case len(body) > longestText:
		return "", errors.New("standard input is longer than a message can be, 1 MiB; send a part of it")
	case !utf8.Valid(body):
		return "", errors.New("standard input is not text in UTF-8; convert it first")
	case strings.TrimSpace(string(body)) == "":
		return "", errors.New("there is no message; write it behind aside chat, or into a pipe to it")
	}
	return strings.TrimRight(string(body), "\r\n"), nil
}

// send sends one message and prints what comes of it.
func (f *chatFlags) send(ctx context.Context, cmd *cobra.Command, aside *asideAt, text string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	answer, err := chat.Once(ctx, aside.Client, f.room, client.Draft{Text: text, User: f.user, Key: rand.Text()})
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted; what Aside has accepted it will answer in the room " + f.room)
	}
	if err != nil {
		return err
	}
	out := answer.Text()
	if f.json {
		if out, err = answer.JSON(); err != nil {
			return err
		}
	} else {
		for _, line := range answer.Outcomes() {
			fmt.Fprintln(cmd.ErrOrStderr(), line)
		}
	}
	if out != "" {
		if err := printText(cmd.OutOrStdout(), out+"\n"); err != nil {
			return err
		}
	}
	if failure := answer.Failure(); failure != "" {
		return failed{errors.New(failure)}
	}
	return nil
}

// talk talks to someone at a terminal.
func (f *chatFlags) talk(ctx context.Context, cmd *cobra.Command, aside *asideAt) error {
	in, out := cmd.InOrStdin().(*os.File), cmd.OutOrStdout().(*os.File)
	dumb := os.Getenv("TERM") == "dumb"
	screen := &chat.Screen{
		Out: out, Colour: os.Getenv("NO_COLOR") == "" && !dumb, Cursor: !dumb,
		Size: func() (int, int) {
			width, height, err := term.GetSize(int(out.Fd()))
			if err != nil || width < 1 || height < 1 {
				return 80, 24
			}
			return width, height
		},
	}
	var lines chat.Lines = chat.NewPlain(in, out)
	if !dumb {
		prompt, err := chat.NewPrompt(in, out, chat.History{Path: stateFile("history")})
		if err != nil {
			return err
		}
		lines = prompt
	}
	defer lines.Close()
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	fmt.Fprintf(cmd.ErrOrStderr(), "%s, in the room %s. /help says what you can do.\n", aside.what, f.room)
	session := &chat.Session{
		Client: aside.Client, Room: f.room, User: f.user, NewKey: rand.Text,
		Lines: lines, Screen: screen, Interrupts: interrupts, Gone: aside.gone(),
		Quiet: func() func() { return chat.Quiet(int(in.Fd())) },
	}
	return session.Run(ctx)
}

// stateFile is a file that is worth keeping but not data, or "" where there is no
// place for one.
func stateFile(name string) string {
	dir := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	dir = filepath.Join(dir, "aside")
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return filepath.Join(dir, name)
}
