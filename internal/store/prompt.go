package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/asidehq/aside/platform"
)

// A Prompt is a question that people answer by choosing an emoji.
type Prompt struct {
	Key      string // of the post
	Room     platform.Room
	Post     string // the platform's id of the post, "" where it gives none
	Person   string // for whom it was asked: the platform's id
	Question string
	Choices  []string
	Listed   bool // the choices have numbers, which can be written
	Expires  time.Time
	Answered bool
}

// AddPrompt stores a prompt, once for each key.
func (s *Store) AddPrompt(ctx context.Context, p Prompt) error {
	choices, err := json.Marshal(p.Choices)
	if err == nil {
		err = s.In(ctx, func(tx Tx) error {
			_, err := tx.exec(ctx, `INSERT INTO prompt (key, platform, room, post, person, question, choices, listed, created, expires)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
				p.Key, p.Room.Platform, p.Room.ID, p.Post, p.Person, p.Question, string(choices), p.Listed, stamp(s.now()), stamp(p.Expires))
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("store prompt %s: %w", p.Key, err)
	}
	return nil
}

// PromptOf returns the prompt that a post is, or nil if it is none.
func (s *Store) PromptOf(ctx context.Context, room platform.Room, post string) (*Prompt, error) {
	return s.prompt(ctx, `WHERE platform = ? AND room = ? AND post = ? AND post <> ''`, room.Platform, room.ID, post)
}

// LastListed returns the last prompt of a room whose choices have numbers, or nil.
func (s *Store) LastListed(ctx context.Context, room platform.Room) (*Prompt, error) {
	return s.prompt(ctx, `WHERE platform = ? AND room = ? AND listed ORDER BY created DESC, key DESC LIMIT 1`, room.Platform, room.ID)
}

func (s *Store) prompt(ctx context.Context, where string, args ...any) (*Prompt, error) {
	var p Prompt
	var choices string
	var expires int64
	err := s.queryRow(ctx, `SELECT key, platform, room, post, person, question, choices, listed, expires, answered <> 0 FROM prompt `+where, args...).
		Scan(&p.Key, &p.Room.Platform, &p.Room.ID, &p.Post, &p.Person, &p.Question, &choices, &p.Listed, &expires, &p.Answered)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(choices), &p.Choices)
	}
	if err != nil {
		return nil, fmt.Errorf("look for a prompt: %w", err)
	}
	p.Expires = unstamp(expires)
	return &p, nil
}

// An Answer is what a message says to a prompt.
type Answer struct {
	Prompt string // its key
	Choice string
	Text   string // what the model is told instead of the message's own text
}

// PromptAnswer is the flow of a turn that somebody has started by answering a prompt.
const PromptAnswer = "prompt answer"

// ErrAnswered says that somebody else was quicker.
var ErrAnswered = errors.New("the prompt was answered before")

// Answer is Receive for a message that answers a prompt: both happen or neither does. Of
// several answers the first is taken; for the others it returns ErrAnswered, and stores
// nothing.
func (s *Store) Answer(ctx context.Context, m platform.Message, a Answer, claim bool) (Received, error) {
	return s.receive(ctx, m, claim, arrival{stage: Waiting, flow: PromptAnswer, text: a.Text, also: func(tx Tx) error {
		done, err := tx.exec(ctx, `UPDATE prompt SET answered = ?, answer = ? WHERE key = ? AND answered = 0`, stamp(s.now()), a.Choice, a.Prompt)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(ErrAnswered, err)
		}
		return nil
	}})
}
