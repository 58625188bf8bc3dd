package turn

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
)

// commands are messages that the runtime answers itself.
var commands = map[string]func(e *Engine, ctx context.Context, t *store.Turn) error{
	inbox.StopCommand:    (*Engine).answerStop,
	outbox.MissedCommand: (*Engine).answerMissed,
}

// IsCommand tells whether a message is one that the runtime answers itself.
func IsCommand(text string) bool {
	text = strings.TrimSpace(text)
	word, _, _ := strings.Cut(text, " ")
	return commands[text] != nil || word == ConfirmCommand
}

// answer is the reply of the runtime itself.
func (e *Engine) answer(ctx context.Context, t *store.Turn, text string) error {
	return e.answerAs(ctx, t, output.Completion, text)
}

// answerAs is answer with a reply that may be something else than an answer.
func (e *Engine) answerAs(ctx context.Context, t *store.Turn, is output.Type, text string) error {
	t.Problems, t.Timings = json.RawMessage("[]"), json.RawMessage("{}")
	if text != "" {
		t.Output, t.OutputWhy = string(is), "Aside itself has answered"
	}
	return e.say(ctx, t, text, func(posts []store.Post) error { return e.Store.SaveReply(ctx, t, store.Reply{Posts: posts}) })
}

// passOver answers nothing, and notes why.
func (e *Engine) passOver(ctx context.Context, t *store.Turn, why string) error {
	t.Problems, t.Timings = json.RawMessage("[]"), json.RawMessage("{}")
	return e.Store.SaveReply(ctx, t, store.Reply{Unanswered: why})
}

// answerStop answers a person who has said /stop. What was running has been
// cancelled when the message came in.
func (e *Engine) answerStop(ctx context.Context, t *store.Turn) error {
	return e.answer(ctx, t, "Stopped.")
}

// answerMissed shows the answers that came too late for this room. They stay dead
// letters: being shown once more does no harm, being lost does.
func (e *Engine) answerMissed(ctx context.Context, t *store.Turn) error {
	late, err := e.Store.LatePosts(ctx, t.Message.Room)
	if err != nil {
		return err
	}
	if len(late) == 0 {
		return e.answer(ctx, t, "Nothing was missed.")
	}
	var texts []string
	for _, p := range late {
		text := p.Text
		if p.Files > 0 {
			text = strings.TrimSpace(text + "\n(with a file, which has to be asked for again)")
		}
		texts = append(texts, "From "+p.Created.Format("15:04 UTC on 2 January")+":\n"+text)
	}
	return e.answer(ctx, t, strings.Join(texts, "\n\n"))
}
