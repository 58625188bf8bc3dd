package chat

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/ergochat/readline"
)

// A Prompt reads lines that can be edited, with a history.
type Prompt struct {
	reader  *readline.Instance
	history History
}

// NewPrompt reads from a terminal.
func NewPrompt(in io.Reader, out io.Writer, history History) (*Prompt, error) {
	r, err := readline.NewFromConfig(&readline.Config{
		Stdin: in, Stdout: out, Stderr: out, Undo: true, HistoryLimit: keptLines,
		DisableAutoSaveHistory: true, InterruptPrompt: "\n", EOFPrompt: "\n",
	})
	if err != nil {
		return nil, fmt.Errorf("cannot use the terminal: %w", err)
	}
	for _, line := range history.Read() {
		if err := r.SaveToHistory(line); err != nil {
			break
		}
	}
	return &Prompt{r, history}, nil
}

// ReadLine implements Lines.
func (p *Prompt) ReadLine(prompt string) (string, error) {
	p.reader.SetPrompt(prompt)
	line, err := p.reader.ReadLine()
	if errors.Is(err, readline.ErrInterrupt) {
		return "", io.EOF
	}
	if err == nil {
		_ = p.reader.SaveToHistory(line)
		p.history.Add(line)
	}
	return line, err
}

// Above implements Lines.
func (p *Prompt) Above(text string) { _, _ = p.reader.Write([]byte(text)) }

// Close implements Lines. A goroutine of the library may be left reading from the
// terminal: that cannot be taken back, and ends with the program.
func (p *Prompt) Close() error { return p.reader.Close() }

// A Plain prompt is for terminals that can do nothing but print.
type Plain struct {
	in     *bufio.Scanner
	out    io.Writer
	closed chan struct{}
	close  func()
}

// NewPlain reads whole lines.
func NewPlain(in io.Reader, out io.Writer) *Plain {
	p := &Plain{in: bufio.NewScanner(in), out: out, closed: make(chan struct{})}
	p.in.Buffer(nil, 1<<20)
	p.close = sync.OnceFunc(func() { close(p.closed) })
	return p
}

// ReadLine implements Lines. Reading from a terminal cannot be taken back, so after
// Close a goroutine may be left that ends with the program.
func (p *Plain) ReadLine(prompt string) (string, error) {
	_, _ = io.WriteString(p.out, prompt)
	read := make(chan bool, 1)
	go func() { read <- p.in.Scan() }()
	select {
	case <-p.closed:
		return "", io.EOF
	case ok := <-read:
		if ok {
			return p.in.Text(), nil
		}
		if err := p.in.Err(); err != nil {
			return "", err
		}
		return "", io.EOF
	}
}

// Above implements Lines.
func (p *Plain) Above(text string) { _, _ = io.WriteString(p.out, "\n"+text+"> ") }

// Close implements Lines.
func (p *Plain) Close() error {
	p.close()
	return nil
}
