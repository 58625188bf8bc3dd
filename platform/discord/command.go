package discord

import (
	"context"
	"fmt"
	"net/url"
	"reflect"
	"slices"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// A command is one that Discord offers when a person types a slash.
type command struct {
	Name        string   `json:"name"`
	Type        int      `json:"type"`
	Description string   `json:"description"`
	Options     []option `json:"options,omitempty"`
}

type option struct {
	Type        int      `json:"type"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Choices     []choice `json:"choices,omitempty"`
}

type choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// commands are what the agent can be told this way. A person who writes the same as a
// message is understood as well.
var commands = []command{
	{Name: "stop", Type: 1, Description: "Stop what the agent is doing here"},
	{Name: "confirm", Type: 1, Description: "Allow what the agent has asked to be allowed", Options: []option{
		{Type: 3, Name: "answer", Description: "no, so that it is not done", Choices: []choice{{"no", "no"}}},
	}},
}

// register makes the commands that are not there as they should be. Others the application
// may have are left alone. It works without them, so that a failure is only logged.
func (d *Discord) register(ctx context.Context, application snowflake.ID) {
	var old []command
	err := d.call(ctx, rest.GetGlobalCommands.Compile(nil, application), nil, &old)
	if err == nil {
		for _, c := range commands {
			there := slices.ContainsFunc(old, func(o command) bool { return reflect.DeepEqual(o, c) })
			if !there && err == nil {
				err = d.call(ctx, rest.CreateGlobalCommand.Compile(nil, application), c, nil)
			}
		}
	}
	if err != nil && ctx.Err() == nil {
		d.log.Warn("the slash commands could not be registered", "reason", err)
	}
}

const (
	commandInteraction = 2
	answerMessage      = 4
	onlyForThem        = 1 << 6
)

// onInteraction makes a message of a slash command, and answers it once it is stored.
func (s *shard) onInteraction(ctx context.Context, f frame) error {
	var e struct {
		ID      snowflake.ID `json:"id"`
		Type    int          `json:"type"`
		Token   string       `json:"token"`
		Channel snowflake.ID `json:"channel_id"`
		Guild   snowflake.ID `json:"guild_id"`
		Member  *member      `json:"member"`
		User    *user        `json:"user"`
		Data    struct {
			Name    string `json:"name"`
			Options []struct {
				Name  string `json:"name"`
				Value any    `json:"value"`
			} `json:"options"`
		} `json:"data"`
	}
	if err := decode(f, &e); err != nil {
		return err
	}
	if e.Type != commandInteraction || e.Channel == 0 || e.Data.Name == "" || e.Member == nil && e.User == nil {
		return nil
	}
	parent, err := s.parent(ctx, e.Channel, e.Guild)
	if err != nil {
		return err
	}
	m := platform.Message{
		Room: room(e.Channel), Parent: parent, ID: e.ID.String(), Text: "/" + e.Data.Name, At: e.ID.Time(), Direct: e.Guild == 0, Mentioned: true, Unseen: true,
	}
	if e.Member != nil {
		m.Author = person(e.Member.User, e.Member)
	} else {
		m.Author = person(*e.User, nil)
	}
	for _, o := range e.Data.Options {
		m.Text += " " + fmt.Sprint(o.Value)
	}
	if err := s.hand(ctx, m); err != nil {
		return err
	}
	body := map[string]any{"type": answerMessage, "data": map[string]any{"content": platform.AnswerTo(ctx, s.inbox, m), "flags": onlyForThem, "allowed_mentions": mentions{}}}
	if err := s.d.call(ctx, rest.CreateInteractionResponse.Compile(nil, e.ID, url.PathEscape(e.Token)), body, nil); err != nil && ctx.Err() == nil {
		s.log.Warn("a slash command could not be answered", "reason", err)
	}
	return nil
}
