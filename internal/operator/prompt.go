package operator

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"strings"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// A Gatherer makes the prompt of a turn; that of package turn does.
type Gatherer interface {
	Gather(ctx context.Context, t *store.Turn) (turn.Prompt, error)
}

var _ Gatherer = (*turn.Gatherer)(nil)

// A Prompt is what the model would be asked if somebody wrote in a room now.
type Prompt struct {
	Room     string          `json:"room"`
	Author   string          `json:"author"` // who would write
	System   string          `json:"system"`
	Messages []PromptMessage `json:"messages"` // oldest first; the last is the one that would be written
	Tokens   int             `json:"tokens"`   // about as many
	History  int             `json:"history"`  // of them, for what was said before
	Budget   int             `json:"budget"`   // that history should have at most
	Fold     bool            `json:"fold"`     // its older part is due to be folded
}

// A PromptMessage is a part of the conversation.
type PromptMessage struct {
	Role   model.Role    `json:"role"`
	Text   string        `json:"text"`
	Images []PromptImage `json:"images,omitempty"`
}

// A PromptImage stands for an image.
type PromptImage struct {
	Type string `json:"type"`
	Size int    `json:"size"`
}

// ErrRoom says that a room is none.
var ErrRoom = errors.New("room is platform/id, such as web/lobby")

// roomOf reads a room.
func roomOf(text string) (platform.Room, error) {
	name, id, ok := strings.Cut(text, "/")
	if !ok || name == "" || id == "" {
		return platform.Room{}, ErrRoom
	}
	return platform.Room{Platform: name, ID: id}, nil
}

// Prompt returns what the model would be asked if the person who wrote last in a room
// wrote a text there. Nothing is stored.
func (l Local) Prompt(ctx context.Context, room, text string) (*Prompt, error) {
	if l.Gatherer == nil {
		return nil, errors.New("prompts cannot be put together here")
	}
	in, err := roomOf(room)
	if err != nil {
		return nil, err
	}
	next, err := l.next(ctx, in, text)
	if err != nil {
		return nil, err
	}
	gathered, err := l.Gatherer.Gather(ctx, next)
	if err != nil {
		return nil, err
	}
	p := &Prompt{
		Room: room, Author: next.Message.Author.Name, System: gathered.System, Messages: []PromptMessage{},
		Tokens: gathered.Tokens, Budget: l.Budget, Fold: gathered.Full,
	}
	for i, m := range gathered.Messages {
		shown := PromptMessage{Role: m.Role, Text: m.Text}
		for _, image := range m.Images {
			shown.Images = append(shown.Images, PromptImage{image.Type, len(image.Data)})
		}
		p.Messages = append(p.Messages, shown)
		if i < len(gathered.Messages)-1 {
			p.History += model.Tokens(m.Text)
		}
	}
	return p, nil
}

// next is the turn that would follow. Whoever wrote last would write again; where nobody
// has, it is the web page's nameless person.
func (l Local) next(ctx context.Context, room platform.Room, text string) (*store.Turn, error) {
	last, err := l.Store.Turns(ctx, store.TurnQuery{Room: room, Limit: 1})
	if err != nil {
		return nil, err
	}
	t := &store.Turn{ID: math.MaxInt64, Number: math.MaxInt64, Session: room.String(), Flow: "message", Stage: store.Waiting}
	t.Message = platform.Message{Room: room, Author: platform.Person{ID: "you", Name: "you"}, Direct: room.Platform == "web"}
	if len(last) > 0 {
		t.Session, t.Message.Author, t.Message.Direct = last[0].Session, last[0].Message.Author, last[0].Message.Direct
	}
	t.Message.Text = text
	return t, nil
}

// Prompt returns what the model would be asked if the person who wrote last in a room
// wrote a text there.
func (r Remote) Prompt(ctx context.Context, room, text string) (*Prompt, error) {
	if _, err := roomOf(room); err != nil {
		return nil, err
	}
	var p Prompt
	if err := r.ask(ctx, http.MethodGet, "/api/v1/prompt?"+url.Values{"room": {room}, "text": {text}}.Encode(), nil, &p); err != nil {
		return nil, err
	}
	return &p, nil
}
