package turn

import (
	"cmp"
	"context"
	"time"

	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/internal/store"
)

// Prompts is the store as the action reactionPrompt needs it.
type Prompts struct {
	Store *store.Store
	Now   func() time.Time
}

// Ask keeps a prompt until it is answered, once for each key.
func (p Prompts) Ask(ctx context.Context, prompt messaging.Prompt) error {
	return p.Store.AddPrompt(ctx, store.Prompt{
		Key: prompt.Key, Room: prompt.Room, Post: prompt.Post, Person: prompt.Person,
		Question: prompt.Question, Choices: prompt.Choices, Listed: prompt.Listed, Expires: p.Now().Add(prompt.For),
	})
}

// answersPrompt tells whether a turn, or what it follows from, began with the answer to a
// prompt. Its message says in words what was chosen.
func answersPrompt(t *store.Turn) bool { return cmp.Or(t.Origin, t.Flow) == store.PromptAnswer }
