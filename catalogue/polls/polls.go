// Package polls holds the action that lets people choose.
package polls

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// Sender posts to a room, once for each key, now or as soon as it can. It returns the
// post's id, "" where the platform gives none. Its errors are for a person.
type Sender interface {
	Send(ctx context.Context, turn int64, post platform.Post) (id string, err error)
}

// Specs are the actions of this category.
func Specs(platforms venue.Platforms, sender Sender) []*action.Spec {
	return []*action.Spec{poll(platforms, sender)}
}

type pollArgs struct {
	Question string      `arg:"question" max:"300" doc:"what is asked"`
	Answers  []string    `arg:"answers,choices,options" min:"2" max:"10" each:"55" doc:"what can be chosen"`
	Channel  action.Room `arg:"channel,channelId" optional:"true" doc:"this room if left out"`
	Several  bool        `arg:"allowMultiselect,multiple" optional:"true" doc:"more than one may be chosen"`
	Hours    int         `arg:"durationHours,duration" min:"1" max:"768" default:"24" doc:"how long"`
}

func poll(platforms venue.Platforms, sender Sender) *action.Spec {
	return action.Define(action.Spec{
		Name: "poll", Category: "polls",
		Description: "Let people choose between answers.",
		Example:     `{"type":"poll","question":"When do we meet?","answers":["Monday","Tuesday"]}`,
		Right:       action.Right(platform.CreatePolls),
		Quiet:       true,
		// Not Repeatable: not every platform knows a poll by its key.
	}, func(ctx context.Context, c action.Call, args pollArgs) action.Outcome {
		on, err := venue.Ability[platform.Platform](platforms, c.Platform, "post")
		if err != nil {
			return action.Fail("%s", venue.Reason(err))
		}
		room, err := venue.Room(ctx, platforms, c, args.Channel)
		if err != nil {
			return action.Fail("%s", venue.Reason(err))
		}
		pollster, ok := on.(platform.Pollster)
		if !ok {
			return inWriting(ctx, on, sender, c, room, args)
		}
		receipt := pollster.Poll(ctx, platform.Poll{
			Key: c.Key, Room: room, Question: args.Question, Answers: args.Answers, Several: args.Several, For: time.Duration(args.Hours) * time.Hour,
		})
		if err := receipt.Err(); err != nil {
			return action.Fail("could not post the poll: %s", venue.Reason(err))
		}
		return action.Done("asked %q", args.Question)
	})
}

// inWriting posts a poll as a message with numbers, and puts them on it where that is
// possible, so that choosing is one tap.
func inWriting(ctx context.Context, on platform.Platform, sender Sender, c action.Call, room platform.Room, args pollArgs) action.Outcome {
	reactor, _ := on.(platform.Reactor)
	id, err := sender.Send(ctx, c.Turn, platform.Post{Key: c.Key, Room: room, Text: args.text(reactor != nil)})
	if err != nil {
		return action.Fail("could not post the poll: %v", err)
	}
	out := action.Done("asked %q in a message, which stays open", args.Question)
	if reactor == nil {
		return out
	}
	if err := number(ctx, reactor, room, id, len(args.Answers)); err != nil {
		out.Summary += "; could not put the numbers on it: " + venue.Reason(err)
	}
	return out
}

// number puts the numbers on a post. It stops at the first one that fails: the others
// would fail for the same reason.
func number(ctx context.Context, reactor platform.Reactor, room platform.Room, post string, answers int) error {
	if post == "" {
		return platform.Refuse("nobody knows which message it is")
	}
	for i := range answers {
		if err := reactor.React(ctx, room, post, digit(i)).Err(); err != nil {
			return err
		}
	}
	return nil
}

// text is a poll as a message.
func (p pollArgs) text(reactions bool) string {
	var b strings.Builder
	b.WriteString(p.Question + "\n\n")
	for i, answer := range p.Answers {
		fmt.Fprintf(&b, "%s %s\n", digit(i), answer)
	}
	how := map[[2]bool]string{
		{true, false}:  "React with the number of your choice.",
		{true, true}:   "React with the numbers of your choices.",
		{false, false}: "Answer with the number of your choice.",
		{false, true}:  "Answer with the numbers of your choices.",
	}[[2]bool{reactions, p.Several}]
	return b.String() + "\n" + how
}

// digit is the emoji of an answer: 1️⃣ to 9️⃣ and 🔟.
func digit(i int) string {
	if i == 9 {
		return "🔟"
	}
	return string(rune('1'+i)) + "\ufe0f\u20e3"
}
