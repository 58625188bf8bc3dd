package slack

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/asidehq/aside/platform"
)

// A command is what somebody has typed after a slash: /aside stop.
type command struct {
	Channel string `json:"channel_id"`
	User    string `json:"user_id"`
	Name    string `json:"user_name"`
	Text    string `json:"text"`
	Trigger string `json:"trigger_id"`
}

var trigger = regexp.MustCompile(`^[0-9A-Za-z.]{1,200}$`)

// commands are what the agent can be told this way. In a thread, where Slack has no
// commands, the same is written to it: @agent /stop.
var commands = []string{"stop", "confirm", "missed"}

const help = "Use `/aside stop` to stop what the agent is doing here, `/aside confirm` to allow what it has asked for, " +
	"`/aside confirm no` not to, and `/aside missed` to see answers that came too late. In a thread, write it to the agent: `@aside /stop`."

// onCommand makes a message of a slash command, and answers it once it is stored. It does
// not stand in the room.
func (r *receiver) onCommand(ctx context.Context, c command) (handled bool, answer any) {
	say := func(text string) any { return map[string]any{"response_type": "ephemeral", "text": text} }
	words := strings.Fields(strings.ToLower(c.Text))
	switch {
	case !channelID.MatchString(c.Channel) || !userID.MatchString(c.User) || !trigger.MatchString(c.Trigger):
		return true, say("This cannot be used here.")
	case len(words) == 0 || !slices.Contains(commands, words[0]):
		return true, say(help)
	}
	at, err := r.latest(ctx, place{channel: c.Channel}, c.User)
	if err != nil {
		return ctx.Err() == nil, say("Aside could not look that up; try again.")
	}
	m := platform.Message{
		Room: at.room(), Parent: at.parent(), ID: "command-" + c.Trigger, Author: r.s.person(ctx, c.User), Text: "/" + strings.Join(words, " "),
		At: r.s.now(), Direct: at.direct(), Mentioned: true, Unseen: true,
	}
	if !r.hand(ctx, m) {
		return false, nil
	}
	return true, say(platform.AnswerTo(ctx, r.inbox, m))
}

// latest is where somebody who uses a command in a channel has talked to the agent: what
// is to be stopped goes on in a thread.
func (r *receiver) latest(ctx context.Context, at place, person string) (place, error) {
	if at.direct() || r.s.options.Threads == nil {
		return at, nil
	}
	room, ok, err := r.s.options.Threads.Latest(ctx, at.room(), person)
	if err != nil || !ok {
		return at, err
	}
	return where(room)
}

// An interaction is a button that was pressed.
type interaction struct {
	Type string `json:"type"`
	User struct {
		ID string `json:"id"`
	} `json:"user"`
	Channel struct {
		ID string `json:"id"`
	} `json:"channel"`
	Message event `json:"message"`
	Actions []struct {
		ID    string `json:"action_id"`
		Value string `json:"value"`
		TS    string `json:"action_ts"`
	} `json:"actions"`
}

// onInteraction makes a reaction of a button that was pressed below a post of the agent's.
func (r *receiver) onInteraction(ctx context.Context, i interaction) bool {
	i.Message.Channel = i.Channel.ID
	if i.Type != "block_actions" || !channelID.MatchString(i.Channel.ID) || !userID.MatchString(i.User.ID) ||
		!messageTS.MatchString(i.Message.TS) || !r.me.own(i.Message.User, i.Message.BotID) {
		return true
	}
	at := place{i.Channel.ID, i.Message.thread()}
	for _, a := range i.Actions {
		if !strings.HasPrefix(a.ID, choicePrefix) || a.Value == "" || len(a.Value) > 100 {
			continue
		}
		to := r.s.convert(ctx, &i.Message, r.me)
		m := platform.Message{
			Room: at.room(), Parent: at.parent(), ID: "choice-" + digest(i.User.ID, i.Message.TS, a.Value, a.TS), Author: r.s.person(ctx, i.User.ID),
			ReplyTo: i.Message.TS, At: r.s.now(), Direct: at.direct(), Mentioned: true,
			Reaction: &platform.Reaction{Emoji: a.Value, To: to, ToAgent: true},
		}
		if !r.hand(ctx, m) {
			return false
		}
	}
	return true
}
