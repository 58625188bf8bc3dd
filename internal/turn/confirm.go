package turn

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// What destroys something waits for the person who asked. It is not the model's business
// any more: the person's answer is a message of its own, whose turn does what waits.

// ConfirmCommand is what a person writes to have done what waits, or, with "no" after it,
// to have it forgotten.
const ConfirmCommand = "/confirm"

// confirmWithin is how long a person has.
const confirmWithin = 10 * time.Minute

// confirmChoices are the buttons below a question, where there are buttons.
var confirmChoices = []string{"✅", "❌"}

// hasButtons tells whether posts in the room of a turn can have buttons below them.
func (e *Engine) hasButtons(t *store.Turn) bool {
	p, ok := e.Outbox.Platform(t.Message.Room.Platform)
	if !ok {
		return false
	}
	_, chooses := p.(platform.Chooser)
	return chooses && p.Limits().Choices >= len(confirmChoices)
}

// withChoices puts buttons below the last text of a turn, which is where a question stands.
func withChoices(posts []store.Post) []store.Post {
	for i := len(posts) - 1; i >= 0; i-- {
		if len(posts[i].Attach) == 0 {
			posts[i].Choices = confirmChoices
			break
		}
	}
	return posts
}

// confirm handles a message that answers a question of ours. A reaction that answers none
// is one like any other. The answer to a prompt is none: what it was about is the model's
// choice.
func (e *Engine) confirm(ctx context.Context, t *store.Turn) (handled bool, err error) {
	yes, ok := confirmation(t)
	if !ok || answersPrompt(t) {
		return false, nil
	}
	post := ""
	if t.Message.Reaction != nil {
		post = t.Message.ReplyTo
	}
	waiting, err := e.Store.Asked(ctx, t.Session, t.Message.Author.ID, post)
	if err != nil || post != "" && len(waiting) == 0 {
		return false, err
	}
	return true, e.answerConfirm(ctx, t, waiting, yes)
}

// answerConfirm does what the person has confirmed, or forgets it.
func (e *Engine) answerConfirm(ctx context.Context, t *store.Turn, waiting []store.Action, yes bool) error {
	now := e.Now()
	var confirmed, over []store.Action
	for _, a := range waiting {
		if now.Sub(a.Updated) > confirmWithin {
			a.State, a.Summary = store.Refused, "nobody confirmed it in time"
		} else if !yes {
			a.State, a.Summary = store.Refused, "the person said no"
		} else {
			a.State, a.Summary = store.Confirmed, fmt.Sprintf("confirmed; turn %d does it", t.ID)
			again := store.Action{Turn: t.ID, Ordinal: len(confirmed), Dialect: a.Dialect, Type: a.Type, Args: a.Args, State: store.Planned, Confirmed: true, AskedIn: a.Turn}
			confirmed = append(confirmed, again)
		}
		over = append(over, a)
	}
	text := ""
	switch {
	case len(confirmed) > 0:
	case len(over) == 0:
		text = "Nothing waits to be confirmed."
	case yes:
		text = "That was more than " + platform.DurationText(confirmWithin) + " ago. Ask again."
	default:
		text = "Not done."
	}
	t.Problems, t.Timings = []byte("[]"), []byte("{}")
	if text != "" {
		t.Output, t.OutputWhy = string(output.Completion), "Aside itself has answered"
	}
	return e.say(ctx, t, text, func(posts []store.Post) error {
		return e.Store.SaveReply(ctx, t, store.Reply{Over: over, Actions: confirmed, Posts: posts})
	})
}

// askedIn is the turn in which an action was asked for. What it is about, where it happens
// and who wants it is said there: the message that confirms it is about nothing.
func (e *Engine) askedIn(ctx context.Context, t *store.Turn, a *store.Action) (*store.Turn, error) {
	if a.AskedIn == 0 {
		return t, nil
	}
	asked, err := e.Store.Turn(ctx, a.AskedIn)
	if err == nil && asked == nil {
		err = fmt.Errorf("turn %d, in which %s was asked for, is gone", a.AskedIn, a.Type)
	}
	return asked, err
}

// confirmation reads a message as the answer to a question of ours.
func confirmation(t *store.Turn) (yes, ok bool) {
	if r := t.Message.Reaction; r != nil {
		switch strings.TrimSuffix(r.Emoji, "\uFE0F") {
		case "✅", "✔":
			return true, r.ToAgent && !r.Removed
		case "❌", "✖":
			return false, r.ToAgent && !r.Removed
		}
		return false, false
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(t.Message.Text), " ")
	if word != ConfirmCommand {
		return false, false
	}
	switch strings.ToLower(strings.TrimSpace(rest)) {
	case "no", "n", "❌", "cancel":
		return false, true
	}
	return true, true
}
