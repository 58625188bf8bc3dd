package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A choice is what a message says to a prompt.
type choice struct {
	prompt *store.Prompt // nil if it says nothing to one
	emoji  string
}

// longestChoice is how long a text may be that can be a choice, in bytes.
const longestChoice = 100

// choiceOf is what a message chooses: by a reaction to the prompt's post, or, where the
// choices have numbers, by a text that is nothing but one of them or its emoji. To change an
// earlier message is to choose nothing.
func (in *Inbox) choiceOf(ctx context.Context, m platform.Message) (choice, error) {
	if m.Reaction != nil {
		if m.Reaction.Removed {
			return choice{}, nil
		}
		p, err := in.Store.PromptOf(ctx, m.Room, m.ReplyTo)
		if err != nil || p == nil {
			return choice{}, err
		}
		return chosen(p, m.Reaction.Emoji, false), nil
	}
	text := strings.TrimSpace(m.Text)
	if m.Edits != "" || text == "" || len(text) > longestChoice || len(m.Files) > 0 {
		return choice{}, nil
	}
	p, err := in.Store.LastListed(ctx, m.Room)
	if err != nil || p == nil {
		return choice{}, err
	}
	return chosen(p, text, true), nil
}

// chosen finds what is meant among a prompt's choices.
func chosen(p *store.Prompt, said string, numbers bool) choice {
	if n, err := strconv.Atoi(said); err == nil && numbers && n >= 1 && n <= len(p.Choices) {
		return choice{p, p.Choices[n-1]}
	}
	i := slices.IndexFunc(p.Choices, func(emoji string) bool { return bare(emoji) == bare(said) })
	if i < 0 {
		return choice{}
	}
	return choice{p, p.Choices[i]}
}

// bare is an emoji without the invisible character that some platforms leave out.
func bare(emoji string) string { return strings.ReplaceAll(emoji, "\ufe0f", "") }

// take receives the answer to a prompt. Whoever is not the first to answer has put an
// emoji on a post and no more; a text is then one like any other.
func (in *Inbox) take(ctx context.Context, m platform.Message, c choice) error {
	answer := store.Answer{
		Prompt: c.prompt.Key, Choice: c.emoji,
		Text: fmt.Sprintf("(chose %s to answer your question %q)", c.emoji, c.prompt.Question),
	}
	err := in.Queue.Enqueue(func(claim bool) (string, bool, error) {
		r, err := in.Store.Answer(ctx, m, answer, claim)
		return m.Room.String(), r.Mine, err
	})
	if !errors.Is(err, store.ErrAnswered) {
		return err
	}
	if m.Reaction != nil {
		return nil
	}
	return in.Receive(ctx, m) // which finds the prompt answered
}
