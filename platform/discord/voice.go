package discord

import (
	"context"

	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

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

func (s *shard) onVoice(ctx context.Context, f frame) error { return nil }
