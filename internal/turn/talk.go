package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/tools"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// Talk is what actions know of the conversation that they were asked for in. Its engine is
// set when there is one: the engine has the actions, and they have this.
type Talk struct{ Engine *Engine }

var _ tools.Conversation = (*Talk)(nil)

// errStore is said where the store does not work.
var errStore = errors.New("nothing can be read or stored at the moment; try again later")

// asked is the turn in which a call was asked for.
func (k *Talk) asked(ctx context.Context, c action.Call) (*store.Turn, error) {
	t, err := k.Engine.Store.Turn(ctx, c.Asked)
	if err == nil && t == nil {
		err = fmt.Errorf("there is no turn %d", c.Asked)
	}
	return t, k.trouble(ctx, err)
}

// trouble is an error of the store in words for a person; nil stays nil.
func (k *Talk) trouble(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	k.Engine.Logger.WarnContext(ctx, "an action about the conversation has failed", "error", err)
	return errStore
}

// Summary implements tools.Conversation.
func (k *Talk) Summary(ctx context.Context, c action.Call) (string, error) {
	t, err := k.asked(ctx, c)
	if err != nil {
		return "", err
	}
	if alone(t) {
		return "", nil // it knows nothing of what was said before
	}
	text, err := k.Engine.Folder.InShort(ctx, t.Session, t.Number)
	return text, k.trouble(ctx, err)
}

// Abilities implements tools.Conversation.
func (k *Talk) Abilities(ctx context.Context, c action.Call) ([]tools.Ability, error) {
	t, err := k.asked(ctx, c)
	if err != nil {
		return nil, err
	}
	d := k.Engine.Decider()
	in, whys := situation(t), map[action.Right]string{}
	in.May = func(right action.Right) string {
		why, known := whys[right]
		if !known {
			why = d.mayNot(ctx, t, action.Args{}, right)
			whys[right] = why
		}
		return why
	}
	var all []tools.Ability
	for _, spec := range d.Registry.Specs() {
		if spec.Name == action.HelpName || !d.Policy.Decide(in, spec).Run {
			continue
		}
		i := slices.IndexFunc(all, func(a tools.Ability) bool { return a.About == spec.Category })
		if i < 0 {
			i, all = len(all), append(all, tools.Ability{About: spec.Category})
		}
		all[i].Can = append(all[i].Can, firstSentence(spec.Description))
	}
	return all, ctx.Err()
}

// firstSentence is what an action does; the rest of its description is for the model.
func firstSentence(text string) string {
	if i := strings.Index(text, ". "); i >= 0 {
		return text[:i+1]
	}
	return text
}

// LastPost implements tools.Conversation.
func (k *Talk) LastPost(ctx context.Context, c action.Call) (string, error) {
	t, err := k.asked(ctx, c)
	if err != nil {
		return "", err
	}
	post, _, err := k.Engine.Store.LastPost(ctx, t.Message.Room, t.Number)
	return post, k.trouble(ctx, err)
}

// Deleted implements tools.Conversation.
func (k *Talk) Deleted(ctx context.Context, c action.Call, message string) error {
	return k.trouble(ctx, k.Engine.Store.Withdraw(ctx, venue.Here(c), message))
}

// LastMessage implements tools.Conversation. What the platform itself shows is truer than
// what has come in: not everything that is written in a room does.
func (k *Talk) LastMessage(ctx context.Context, c action.Call) (string, error) {
	historian, err := venue.Ability[platform.Historian](k.Engine.Outbox, c.Platform, "read messages")
	if err == nil {
		found, err := historian.Messages(ctx, venue.Here(c), platform.Page{Most: 1, Before: c.Message})
		switch {
		case err != nil:
			return "", errors.New(venue.Reason(err))
		case len(found) == 0:
			return "", nil
		}
		return found[0].ID, nil
	}
	t, err := k.asked(ctx, c)
	if err != nil {
		return "", err
	}
	last, err := k.Engine.Store.LastMessage(ctx, t.Message.Room, t.Number)
	return last, k.trouble(ctx, err)
}

// Clear implements tools.Conversation.
func (k *Talk) Clear(ctx context.Context, c action.Call) error {
	t, err := k.asked(ctx, c)
	if err != nil {
		return err
	}
	return k.trouble(ctx, k.Engine.Store.ClearSummary(ctx, t.Session, t.Number))
}
