package operator_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/model"
)

// A gatherer makes a prompt that tells for which turn it is.
type gatherer struct{}

func (gatherer) Gather(_ context.Context, t *store.Turn) (turn.Prompt, error) {
	if t.Message.Text == "fail" {
		return turn.Prompt{}, errors.New("a secret reason")
	}
	var p turn.Prompt
	p.System = fmt.Sprintf("session %s, author %s, direct %v", t.Session, t.Message.Author.ID, t.Message.Direct)
	p.Messages = []model.Message{
		{Role: model.User, Text: "four letters"},
		{Role: model.Assistant, Text: "yes."},
		{Role: model.User, Text: t.Message.Text, Images: []model.Image{{Type: "image/png", Data: make([]byte, 7)}}},
	}
	p.Tokens, p.Full = 12, true
	return p, nil
}

func TestThePromptOfTheNextMessage(t *testing.T) {
	a := newAside(t)
	a.receive(t, "lobby", "one")
	o := a.open(t)
	tests := []struct{ name, room, author, system string }{
		{"whoever wrote last writes again", "web/lobby", "Ada", "session web/lobby, author ada, direct false"},
		{"on the page one is alone with the agent", "web/attic", "you", "session web/attic, author you, direct true"},
		{"elsewhere one may not be", "discord/1", "you", "session discord/1, author you, direct false"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, err := o.Prompt(t.Context(), test.room, "hello")
			if err != nil {
				t.Fatal(err)
			}
			if p.Room != test.room || p.Author != test.author || p.System != test.system {
				t.Errorf("got %+v", p)
			}
			if p.Tokens != 12 || p.History != 4 || p.Budget != 100 || !p.Fold {
				t.Errorf("the numbers are %+v", p)
			}
			if last := p.Messages[2]; last.Text != "hello" || len(last.Images) != 1 || last.Images[0] != (operator.PromptImage{Type: "image/png", Size: 7}) {
				t.Errorf("the message is %+v", last)
			}
		})
	}
	if _, err := o.Prompt(t.Context(), "web/lobby", "fail"); err == nil || err.Error() != "the running Aside at "+a.server.Listener.Addr().String()+" says: the prompt could not be put together; try again" {
		t.Errorf("what fails says %v", err)
	}
	if _, err := o.Prompt(t.Context(), "lobby", ""); !errors.Is(err, operator.ErrRoom) {
		t.Errorf("a room that is none says %v", err)
	}
	if _, err := (operator.Local{Store: a.store}).Prompt(t.Context(), "web/lobby", ""); err == nil {
		t.Error("there is a prompt though nobody makes one")
	}
}
