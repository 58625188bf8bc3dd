package turn

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

const (
	// MemoryCommand is what a person writes to see what is kept about them, and with
	// "export" after it to have it as a file.
	MemoryCommand = "/memory"

	// ForgetCommand is what a person writes, with a text after it, to have deleted what is
	// kept about them and contains it; with "everything" all of it.
	ForgetCommand = "/forget"

	exportWord = "export"
	everything = "everything"
	mostListed = 50
)

const othersRead = "Others would read it here. Write " + MemoryCommand + " to me in a direct chat."

// answerMemory shows a person what is kept about them, and nobody else.
func (e *Engine) answerMemory(ctx context.Context, t *store.Turn, rest string) error {
	if !t.Message.Direct {
		return e.answer(ctx, t, othersRead)
	}
	facts, err := e.Store.EveryFact(ctx, person(t), mostExported)
	if err != nil {
		return err
	}
	if strings.EqualFold(rest, exportWord) {
		talks, err := e.Store.Episodes(ctx, store.Scope{Person: person(t)}, mostExported)
		if err != nil {
			return err
		}
		talks = slices.DeleteFunc(talks, func(talk store.Episode) bool { return !talk.Direct })
		if len(facts)+len(talks) > 0 {
			return e.export(ctx, t, facts, talks)
		}
	}
	if len(facts) == 0 {
		return e.answer(ctx, t, "I have kept nothing about you.")
	}
	lines := []string{"What I have kept about you:"}
	for i, f := range facts {
		if i == mostListed {
			lines = append(lines, fmt.Sprintf("… and %d more: write %s %s for all of it.", len(facts)-i, MemoryCommand, exportWord))
			break
		}
		lines = append(lines, "- "+f.Text)
	}
	return e.answer(ctx, t, strings.Join(append(lines, "", "Write "+ForgetCommand+" and a part of a line to have it deleted."), "\n"))
}

const mostExported = 10_000

// export sends a person what is kept about them, and of their direct chats, as a file.
func (e *Engine) export(ctx context.Context, t *store.Turn, facts []store.Fact, talks []store.Episode) error {
	type exported struct {
		Text, Kind       string
		Created, Updated time.Time
		Used             int
		Active           bool
	}
	var all []exported
	for _, f := range facts {
		all = append(all, exported{f.Text, f.Kind, f.Created, f.Updated, f.Hits, f.Active})
	}
	type talked struct {
		Room, Title, Summary string
		Began, Ended         time.Time
	}
	var conversations []talked
	for _, talk := range talks {
		conversations = append(conversations, talked{talk.Session, talk.Title, talk.Summary, talk.Began, talk.Ended})
	}
	file, err := json.MarshalIndent(map[string]any{"person": person(t), "facts": all, "conversations": conversations}, "", "  ")
	if err != nil {
		return err
	}
	p, ok := e.Outbox.Platform(t.Message.Room.Platform)
	if !ok || p.Limits().FileSize < int64(len(file)) {
		return e.answer(ctx, t, "I cannot send files here. The operator can: aside memory list --json")
	}
	t.Problems, t.Timings = json.RawMessage("[]"), json.RawMessage("{}")
	t.Output, t.OutputWhy = string(output.Completion), "Aside itself has answered"
	return e.say(ctx, t, "What I have kept about you is in the file.", func(posts []store.Post) error {
		return e.Store.SaveReply(ctx, t, store.Reply{Posts: append(posts, store.Post{
			Key: postKey(t.ID, len(posts)), Turn: t.ID, Room: t.Message.Room, State: store.Queued,
			Attach: []platform.File{platform.NewFile("memory.json", "application/json", file)},
		})})
	})
}

// answerForget deletes what a person wants forgotten.
func (e *Engine) answerForget(ctx context.Context, t *store.Turn, rest string) error {
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return e.answer(ctx, t, fmt.Sprintf("Write %s and a part of what is to be forgotten, or %s %s.", ForgetCommand, ForgetCommand, everything))
	}
	part := rest
	if strings.EqualFold(rest, everything) {
		part = ""
	}
	gone, err := e.Gatherer.Memory.Forget(ctx, person(t), part)
	talks := 0
	if err == nil && part == "" {
		talks, err = e.Store.ForgetEpisodes(ctx, t.Message.Author, t.Message.Room.Platform, t.Number)
	}
	switch {
	case err != nil:
		return err
	case talks > 0:
		return e.answer(ctx, t, fmt.Sprintf("Forgotten: %s, and what I had noted of %s with you.", things(len(gone)), number(talks, "conversation")))
	case len(gone) == 0:
		return e.answer(ctx, t, "I have kept nothing about you that contains that.")
	case !t.Message.Direct || part == "":
		return e.answer(ctx, t, fmt.Sprintf("Forgotten: %s.", things(len(gone))))
	}
	return e.answer(ctx, t, "Forgotten:\n- "+strings.Join(gone, "\n- "))
}

func things(n int) string { return number(n, "thing") }

func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
