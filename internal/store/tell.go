package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
)

// A Topic is what processes that share a database tell each other about.
type Topic string

const (
	RoomChanged Topic = "room"  // of the web page; the text is its name
	Listening   Topic = "here"  // told by Hear itself: what was told before was not heard
	StopTurns   Topic = "stop"  // that were asked for before one; the text is StopText's
	ModelChosen Topic = "model" // for a role, until the next start; the text is ChoiceText's

	PairingChanged Topic = "pairing" // somebody was let in, or not
	TasksChanged   Topic = "tasks"   // something on the board
)

// ChoiceText is what is told when a role is given to a model, or back to the one that is
// configured if model is "".
func ChoiceText(role, model string) string { return role + " " + model }

// ReadChoice is the reverse of ChoiceText.
func ReadChoice(text string) (role, model string) {
	role, model, _ = strings.Cut(text, " ")
	return role, model
}

// StopText is what is told to stop the turns of a session that come before one.
func StopText(session string, before int64) string {
	return strconv.FormatInt(before, 10) + " " + session
}

// ReadStop is the reverse of StopText.
func ReadStop(text string) (session string, before int64) {
	number, session, _ := strings.Cut(text, " ")
	before, _ = strconv.ParseInt(number, 10, 64) // what is no number stops nothing
	return session, before
}

// channel is PostgreSQL's name for it.
const channel = "aside"

// tell tells every process, this one too, when the transaction commits. On SQLite
// there is no other process, and nothing is told.
func (t Tx) tell(ctx context.Context, topic Topic, text string) error {
	if t.s.Engine == SQLite {
		return nil
	}
	_, err := t.exec(ctx, `SELECT pg_notify(?, ?)`, channel, string(topic)+" "+text)
	return err
}

// Tell tells every process something.
func (s *Store) Tell(ctx context.Context, topic Topic, text string) error {
	if s.Engine == SQLite {
		return nil
	}
	if err := s.In(ctx, func(tx Tx) error { return tx.tell(ctx, topic, text) }); err != nil {
		return fmt.Errorf("tell other processes: %w", err)
	}
	return nil
}

// hearAgain is when a connection that was lost is made again.
const hearAgain = time.Second

// Hear calls hear with what processes tell until the context ends. What is told while
// the connection is lost is not heard: for what counts it is a shorter way, never the only
// one. The choice of a model does not outlive a process in any case.
func (s *Store) Hear(ctx context.Context, hear func(Topic, string)) {
	if s.Engine == SQLite {
		return
	}
	for ctx.Err() == nil {
		_ = s.hear(ctx, hear) // whatever else needs the database says what is wrong with it
		select {
		case <-ctx.Done():
		case <-time.After(hearAgain):
		}
	}
}

func (s *Store) hear(ctx context.Context, hear func(Topic, string)) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(driver any) error {
		postgres, ok := driver.(*stdlib.Conn)
		if !ok {
			return errors.New("not a connection of pgx")
		}
		// It listens, so it must not go back among those that do other things.
		defer postgres.Conn().Close(context.WithoutCancel(ctx)) //nolint:errcheck // it is gone either way
		if _, err := postgres.Conn().Exec(ctx, "LISTEN "+channel); err != nil {
			return err
		}
		hear(Listening, "")
		for {
			n, err := postgres.Conn().WaitForNotification(ctx)
			if err != nil {
				return err
			}
			topic, text, _ := strings.Cut(n.Payload, " ")
			hear(Topic(topic), text)
		}
	})
}
