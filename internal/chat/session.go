package chat

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/asidehq/aside/platform/web/client"
)

// A Session is a conversation with someone who sits at a terminal.
type Session struct {
	Client *client.Client
	Room   string
	User   string
	NewKey func() string // a key that no other message has

	Lines  Lines
	Screen *Screen

	// Interrupts gets one for each Ctrl-C while an answer is awaited.
	Interrupts <-chan os.Signal

	// Quiet keeps the terminal from showing what is typed until it is called again;
	// nil where that cannot be.
	Quiet func() (loud func())

	// Gone is closed when there is no Aside any more to talk to; nil is never.
	Gone <-chan struct{}

	room *following
	last string // the id of the last message

	// aside is what happens while a line is being typed. It is shown as soon as it is
	// complete.
	aside exchange
}

// Lines reads what a person types.
type Lines interface {
	// ReadLine returns io.EOF when there will be no more, or when the person wants to
	// leave.
	ReadLine(prompt string) (string, error)

	// Above writes above the line that is being typed.
	Above(text string)

	// Close ends a ReadLine too.
	Close() error
}

// errLeave says that the person wants to leave.
var errLeave = errors.New("leave")

// ErrGone says that Gone was closed.
var ErrGone = errors.New("Aside has stopped")

// Run talks until the person leaves or Aside cannot be reached any more.
func (s *Session) Run(ctx context.Context) error {
	defer func() { s.room.stop() }()
	if err := s.enter(ctx, s.Room); err != nil {
		return s.left(err)
	}
	for {
		line, err := s.readLine(ctx)
		if err == nil {
			err = s.do(ctx, line)
		}
		if err != nil {
			return s.left(err)
		}
	}
}

// left is how Run ends.
func (s *Session) left(err error) error {
	if errors.Is(err, errLeave) || errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// A following is a room that is being followed.
type following struct {
	events chan followed
	cancel context.CancelFunc
	ended  chan struct{}
}

type followed struct {
	event client.Event
	err   error
}

func follow(ctx context.Context, c *client.Client, room string) *following {
	ctx, cancel := context.WithCancel(ctx)
	f := &following{make(chan followed), cancel, make(chan struct{})}
	go func() {
		defer close(f.ended)
		for e, err := range c.Follow(ctx, room) {
			select {
			case f.events <- followed{e, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return f
}

func (f *following) stop() {
	if f != nil {
		f.cancel()
		<-f.ended
	}
}

// next waits for the room's next event.
func (s *Session) next(ctx context.Context) (client.Event, error) {
	select {
	case f := <-s.room.events:
		return f.event, f.err
	case <-s.Gone:
		return client.Event{}, ErrGone
	case <-s.Interrupts:
		return client.Event{}, errLeave
	case <-ctx.Done():
		return client.Event{}, ctx.Err()
	}
}

// enter goes to a room. It returns when the room is followed, so that nothing of what
// is written there from then on is missed. If it fails, the person stays where they
// were.
func (s *Session) enter(ctx context.Context, room string) error {
	before := s.room
	s.room = follow(ctx, s.Client, room)
	if _, err := s.next(ctx); err != nil {
		s.room.stop()
		s.room = before
		return err
	}
	before.stop()
	s.Room, s.last, s.aside = room, "", exchange{}
	return nil
}

// readLine reads a line, and shows meanwhile what happens in the room.
func (s *Session) readLine(ctx context.Context) (string, error) {
	type typed struct {
		line string
		err  error
	}
	lines := make(chan typed, 1)
	go func() {
		line, err := readMessage(s.Lines)
		lines <- typed{line, err}
	}()
	for {
		select {
		case t := <-lines:
			return t.line, t.err
		case f := <-s.room.events:
			if f.err != nil {
				s.Lines.Close()
				<-lines
				return "", f.err
			}
			s.meanwhile(f.event)
		case <-s.Gone:
			s.Lines.Close()
			<-lines
			return "", ErrGone
		case <-ctx.Done():
			s.Lines.Close()
			<-lines
			return "", ctx.Err()
		}
	}
}

// readMessage reads lines up to the first that does not end with a backslash.
func readMessage(from Lines) (string, error) {
	var text strings.Builder
	for prompt := "> "; ; prompt = "… " {
		line, err := from.ReadLine(prompt)
		if err != nil {
			return "", err
		}
		part, more := strings.CutSuffix(line, `\`)
		text.WriteString(part)
		if !more {
			return text.String(), nil
		}
		text.WriteString("\n")
	}
}

// meanwhile takes in what happens while a line is being typed. An answer to someone
// else is shown when it is settled: what is still being written cannot be shown above
// a line that is being typed.
func (s *Session) meanwhile(e client.Event) {
	s.aside.apply(e)
	answer := e.Message.Kind == "agent" && e.Message.ReplyTo != ""
	if e.Kind != client.EventSettled && (e.Kind != client.EventPost || answer) {
		return
	}
	rows := s.aside.rows(s.Screen.columns())
	if len(rows) == 0 {
		return
	}
	s.aside.posts = nil
	s.Lines.Above(s.paint(rows))
}

func (s *Session) paint(rows []row) string {
	var b strings.Builder
	s.Screen.write(&b, rows)
	return b.String() + "\n"
}

// send writes a message and shows what comes of it.
func (s *Session) send(ctx context.Context, text string) error {
	if s.Quiet != nil {
		defer s.Quiet()()
	}
	id, err := s.write(ctx, text)
	var refused *client.Refusal
	switch {
	case errors.As(err, &refused) && refused.Status != http.StatusUnauthorized:
		s.say(row{"✗ " + oneLine(refused.Message), true})
		return nil
	case err != nil:
		return err
	}
	s.last = id
	return s.await(ctx, id)
}

// write writes a message; Ctrl-C gives it up, and leaves.
func (s *Session) write(ctx context.Context, text string) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type written struct {
		id  string
		err error
	}
	done := make(chan written, 1)
	go func() {
		id, err := s.Client.Write(ctx, s.Room, client.Draft{Text: text, User: s.User, Key: s.NewKey()})
		done <- written{id, err}
	}()
	for {
		select {
		case w := <-done:
			return w.id, w.err
		case <-s.Interrupts:
			cancel()
		}
	}
}

// await shows what comes of a message until it is settled. Ctrl-C stops the turn; a
// second one leaves.
func (s *Session) await(ctx context.Context, message string) error {
	x := &exchange{message: message, hidden: s.aside.hidden, posts: s.aside.posts}
	defer func() { s.aside = exchange{hidden: x.hidden} }()
	defer s.Screen.end()
	s.draw(x)
	for {
		e, err := s.next(ctx)
		switch {
		case errors.Is(err, errLeave) && !x.stopping:
			x.stopping = true
			s.draw(x)
			stop, err := s.write(ctx, "/stop")
			if err != nil {
				return err
			}
			x.hidden = append(x.hidden, stop)
		case err != nil:
			return err
		case e.Kind == client.EventSettled && e.Settled == message, e.Kind == client.Connected, e.Kind == client.Alive:
			turns, err := settledTurns(ctx, s.Client, message)
			if err != nil {
				return err
			}
			if turns != nil {
				return s.settle(ctx, x, turns)
			}
		case x.apply(e):
			s.draw(x)
		}
	}
}

// draw shows an answer that is still being written.
func (s *Session) draw(x *exchange) {
	if s.Screen.Cursor {
		s.Screen.draw(x.rows(s.Screen.columns()))
	}
}

// settle shows how it came out.
func (s *Session) settle(ctx context.Context, x *exchange, turns []client.Turn) error {
	a, err := readAnswer(ctx, s.Client, s.Room, x.message, turns)
	if err != nil {
		return err
	}
	x.settle(turns, a.Posts)
	s.Screen.draw(x.rows(s.Screen.columns()))
	return nil
}

// say prints rows of the session's own.
func (s *Session) say(rows ...row) {
	s.Screen.end()
	s.Screen.draw(rows)
	s.Screen.end()
}
