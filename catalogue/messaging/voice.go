package messaging

import (
	"context"
	"errors"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// A Speaker makes speech of a text: a file that platforms play. Its errors are for a
// person.
type Speaker interface {
	Speak(ctx context.Context, text string) (platform.File, error)
}

type voiceArgs struct {
	Text string `arg:"text,content" doc:"what is said"`
}

// Voice is the action that says something aloud. Where nobody can speak (a nil Speaker)
// or the platform takes no files, the text becomes part of the reply.
func Voice(platforms Platforms, sender FileSender, speaker Speaker) *action.Spec {
	return action.Define(action.Spec{
		Name: "voice", Category: category, Directive: "voice",
		Description: "Say something aloud, as a voice message.",
		Example:     `{"type":"voice","text":"Good morning!"}`,
		Quiet:       true,
		Repeatable:  true, // the post has the call's key
	}, func(ctx context.Context, c action.Call, args voiceArgs) action.Outcome {
		to, err := venue.Ability[platform.Platform](platforms, c.Platform, "post")
		if err != nil {
			return failed("voice", err)
		}
		if speaker == nil || to.Limits().FileSize == 0 {
			return saying(action.Done("said in writing"), args.Text)
		}
		_, err = sender.SendFile(ctx, c.Turn, c.Key, venue.Here(c), "", func() (platform.File, error) {
			file, err := speaker.Speak(ctx, args.Text)
			if err != nil {
				return platform.File{}, err
			}
			if most := to.Limits().FileSize; int64(len(file.Data)) > most {
				return platform.File{}, platform.Refuse("the speech is larger than %s", platform.SizeText(most))
			}
			file.Kind = platform.KindVoice
			return file, nil
		})
		var p *platform.Problem
		if errors.As(err, &p) && p.Outcome == platform.Unknown {
			out := action.Fail("the voice message may not have arrived (%s), so it is here in writing as well", p.Reason)
			out.Unclear = true
			return saying(out, args.Text)
		}
		if err != nil {
			// What was to be heard can at least be read.
			return saying(action.Fail("could not say it aloud: %v", err), args.Text)
		}
		return action.Done("said aloud")
	})
}

func saying(out action.Outcome, text string) action.Outcome {
	out.Say = text
	return out
}
