package messaging

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// Prompts keeps questions until somebody has answered them.
type Prompts interface {
	// Ask keeps a prompt, once for each key. Who answers it first starts a turn.
	Ask(ctx context.Context, p Prompt) error
}

// A Prompt is a question that stands in a room, to be answered with an emoji.
type Prompt struct {
	Key      string // of the post
	Room     platform.Room
	Post     string // its id, "" where the platform gives none
	Person   string // for whom it was asked
	Question string
	Choices  []string
	Listed   bool // the choices have numbers, which can be written
	For      time.Duration
}

type reactionPromptArgs struct {
	Question string   `arg:"question,text" max:"1000" doc:"what is asked"`
	Choices  []string `arg:"choices,emojis,options" min:"2" max:"9" doc:"the emoji to choose from"`
	Seconds  int      `arg:"timeoutSeconds,timeout" min:"10" max:"604800" default:"86400" doc:"how long an answer counts"`
}

// ReactionPrompt is the action that asks people to choose an emoji.
func ReactionPrompt(platforms Platforms, sender Sender, prompts Prompts) *action.Spec {
	return action.Define(action.Spec{
		Name: "reactionPrompt", Category: category,
		Description: "Ask a question that people answer by choosing an emoji; the first choice comes back to you.",
		Example:     `{"type":"reactionPrompt","question":"Shall I ship it?","choices":["👍","👎"]}`,
		Right:       action.Right(platform.SendMessages),
		Quiet:       true,
		Repeatable:  true, // the post has the call's key, and so has what is kept of it
	}, func(ctx context.Context, c action.Call, args reactionPromptArgs) action.Outcome {
		on, err := venue.Ability[platform.Platform](platforms, c.Platform, "post")
		if err != nil {
			return failed("reactionPrompt", err)
		}
		choices, err := distinct(c.Platform, args.Choices)
		if err != nil {
			return failed("reactionPrompt", err)
		}
		reactor, _ := on.(platform.Reactor)
		chooser, _ := on.(platform.Chooser)
		if on.Limits().Choices < len(choices) {
			chooser = nil
		}
		p := Prompt{
			Key: c.Key, Room: venue.Here(c), Person: c.Person, Question: args.Question, Choices: choices,
			// In a direct chat a number can be meant for nobody else, and not every page
			// on which the agent can react lets people do so. Buttons they can press.
			Listed: chooser == nil && (reactor == nil || c.Direct),
			For:    time.Duration(args.Seconds) * time.Second,
		}
		if err := fits(platforms, c.Platform, p.text()); err != nil {
			return couldNot("ask", err)
		}
		if p.Post, err = sender.Send(ctx, c.Turn, platform.Post{Key: c.Key, Room: p.Room, Text: p.text()}); err != nil {
			return action.Fail("could not ask: %v", err)
		}
		// Before there is something to tap on: no answer may come too early.
		if err := prompts.Ask(ctx, p); err != nil {
			return action.Fail("asked, but no answer will be noticed: nothing can be stored at the moment")
		}
		if chooser != nil {
			return p.buttons(ctx, chooser, on)
		}
		return p.offer(ctx, reactor, on)
	})
}

// distinct are the emoji that a model means.
func distinct(on string, names []string) ([]string, error) {
	var all []string
	for _, name := range names {
		emoji, err := Emoji(on, name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(other string) bool { return bare(other) == bare(emoji) }) {
			return nil, missing(emoji + " is twice among the choices")
		}
		all = append(all, emoji)
	}
	return all, nil
}

// text is what is posted.
func (p Prompt) text() string {
	if !p.Listed {
		return p.Question
	}
	var b strings.Builder
	b.WriteString(p.Question + "\n\n")
	for i, emoji := range p.Choices {
		fmt.Fprintf(&b, "%d. %s\n", i+1, emoji)
	}
	return b.String() + "\nAnswer with a number."
}

// buttons puts the choices below the post.
func (p Prompt) buttons(ctx context.Context, chooser platform.Chooser, on platform.Platform) action.Outcome {
	var err error = platform.Refuse("nobody knows which message it is")
	if p.Post != "" {
		err = chooser.EditChoices(ctx, p.Room, p.Post, p.text(), p.Choices).Err()
	}
	if err != nil {
		return p.takeBack(ctx, on, err)
	}
	return action.Done("asked %q", p.Question)
}

// offer puts the choices on the post. One that cannot be put there can still be chosen, as
// long as somebody sees how.
func (p Prompt) offer(ctx context.Context, reactor platform.Reactor, on platform.Platform) action.Outcome {
	out := action.Done("asked %q", p.Question)
	if reactor == nil {
		return out
	}
	var trouble error
	offered := 0
	for _, emoji := range p.Choices {
		var err error = platform.Refuse("nobody knows which message it is")
		if p.Post != "" {
			err = reactor.React(ctx, p.Room, p.Post, emoji).Err()
		}
		if err == nil {
			offered++
			continue
		}
		trouble = err
		out.Summary += fmt.Sprintf("; could not put %s on it: %s", emoji, venue.Reason(err))
	}
	if offered == 0 && !p.Listed {
		return p.takeBack(ctx, on, trouble)
	}
	return out
}

// takeBack takes a question back that nobody can see how to answer.
func (p Prompt) takeBack(ctx context.Context, on platform.Platform, trouble error) action.Outcome {
	if deleter, ok := on.(platform.Deleter); ok && p.Post != "" && deleter.Delete(ctx, p.Room, p.Post).Err() == nil {
		return couldNot("put the choices on the question, and took it back", trouble)
	}
	return action.Fail("asked, but could not put the choices on it: %s", venue.Reason(trouble))
}
