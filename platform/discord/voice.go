package discord

import (
	"context"
	"time"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// voice is where somebody is in a guild's voice rooms.
type voice struct {
	Guild   snowflake.ID `json:"guild_id"`
	Channel snowflake.ID `json:"channel_id"`
	User    snowflake.ID `json:"user_id"`
	Mute    bool         `json:"self_mute"`
	Deaf    bool         `json:"self_deaf"`
}

func (v voice) state() platform.VoiceState {
	if v.Channel == 0 {
		return platform.VoiceState{}
	}
	return platform.VoiceState{Room: v.Channel.String(), Muted: v.Mute, Deafened: v.Deaf}
}

// onVoice keeps up with where the agent itself is.
func (s *shard) onVoice(ctx context.Context, f frame) error {
	var v voice
	if err := decode(f, &v); err != nil {
		return err
	}
	self, err := s.d.me(ctx)
	if err != nil || v.User != self {
		return err
	}
	s.d.guilds.change(v.Guild, func(g *guild) { g.voice = v.state() })
	s.d.heardVoice()
	return nil
}

// heardVoice wakes whoever waits for it.
func (d *Discord) heardVoice() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.moved != nil {
		close(d.moved)
	}
	d.moved = make(chan struct{})
}

// moves is closed when the agent's voice state changes next.
func (d *Discord) moves() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.moved == nil {
		d.moved = make(chan struct{})
	}
	return d.moved
}

// letIn is how long Discord is given to let the agent in. It says nothing if it does
// not. After a restart its word comes behind everything that was written meanwhile.
const letIn = 10 * time.Second

// move asks Discord for a voice state and waits until it is so.
func (d *Discord) move(ctx context.Context, guild snowflake.ID, want platform.VoiceState) error {
	var channel any
	if want.Room != "" {
		channel = want.Room
	}
	moved := d.moves()
	if err := d.tell(ctx, guild, map[string]any{
		"guild_id": guild, "channel_id": channel, "self_mute": want.Muted, "self_deaf": want.Deafened,
	}); err != nil {
		return err
	}
	late := time.NewTimer(letIn)
	defer late.Stop()
	for {
		if g := d.guilds.get(guild); g != nil && g.voice == want {
			return nil
		}
		select {
		case <-moved:
			moved = d.moves()
		case <-late.C:
			return &platform.Problem{Outcome: platform.Failed, Reason: "Discord did not let the bot in"}
		case <-ctx.Done():
			return &platform.Problem{Outcome: platform.Unknown, Reason: "Discord did not answer"}
		}
	}
}

// tell sends a voice state over the connection that a guild is on.
func (d *Discord) tell(ctx context.Context, guild snowflake.ID, state map[string]any) error {
	shards, err := d.connection(ctx, guild)
	if err != nil {
		return err
	}
	return shards[uint64(guild)>>22%uint64(len(shards))].send(ctx, opVoice, state)
}

// JoinVoice implements platform.Voice. The agent is present; it neither speaks nor
// listens.
func (d *Discord) JoinVoice(ctx context.Context, in platform.Room) error {
	c, guild, err := d.near(ctx, in)
	if err != nil {
		return err
	}
	if c.Type != voiceChannel && c.Type != stageChannel {
		return platform.Refuse("%s is not a voice room", short(c.Name))
	}
	self, err := d.me(ctx)
	if err != nil {
		return err
	}
	may, err := d.May(ctx, self.String(), platform.ConnectVoice, in)
	if err != nil {
		return err
	}
	if !may {
		return platform.Refuse("the bot may not enter %s: give its role the permission Connect", short(c.Name))
	}
	return d.move(ctx, guild, platform.VoiceState{Room: c.ID.String()})
}

// LeaveVoice implements platform.Voice.
func (d *Discord) LeaveVoice(ctx context.Context, in platform.Room) error {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return err
	}
	return d.move(ctx, guild, platform.VoiceState{})
}

// VoiceState implements platform.Voice.
func (d *Discord) VoiceState(ctx context.Context, in platform.Room) (platform.VoiceState, error) {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return platform.VoiceState{}, err
	}
	if g := d.guilds.get(guild); g != nil {
		return g.voice, nil
	}
	var v voice
	err = d.call(ctx, rest.GetCurrentUserVoiceState.Compile(nil, guild), nil, &v)
	if is(err, unknownVoice) {
		err = nil
	}
	return v.state(), err
}

// MuteVoice implements platform.Voice.
func (d *Discord) MuteVoice(ctx context.Context, in platform.Room, mute bool) error {
	return d.changeVoice(ctx, in, func(v *platform.VoiceState) { v.Muted = mute })
}

// DeafenVoice implements platform.Voice.
func (d *Discord) DeafenVoice(ctx context.Context, in platform.Room, deafen bool) error {
	return d.changeVoice(ctx, in, func(v *platform.VoiceState) { v.Deafened = deafen })
}

func (d *Discord) changeVoice(ctx context.Context, in platform.Room, change func(*platform.VoiceState)) error {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return err
	}
	v, err := d.VoiceState(ctx, in)
	if err != nil {
		return err
	}
	if v.Room == "" {
		return platform.Refuse("the bot is in no voice room")
	}
	change(&v)
	return d.move(ctx, guild, v)
}
