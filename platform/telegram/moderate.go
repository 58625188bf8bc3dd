package telegram

import (
	"context"
	"strconv"
	"time"

	"github.com/asidehq/aside/platform"
)

// writing are the permissions of whoever may write.
var writing = []string{
	"can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos", "can_send_video_notes",
	"can_send_voice_notes", "can_send_polls", "can_send_other_messages", "can_add_web_page_previews",
}

// Timeout implements platform.Moderator. Less than half a minute would be for ever on
// Telegram, and so would be more than a year.
func (t *Telegram) Timeout(ctx context.Context, near platform.Room, who string, silent time.Duration, _ string) error {
	permissions := params{}
	for _, name := range writing {
		permissions[name] = silent <= 0
	}
	body := params{"permissions": permissions}
	if silent > 0 {
		silent = min(max(silent, time.Minute), 365*24*time.Hour)
		body["until_date"] = t.now().Add(silent).Unix()
	}
	return t.moderate(ctx, near, who, "restrictChatMember", body)
}

// Kick implements platform.Moderator: on Telegram that is a ban which is taken back.
func (t *Telegram) Kick(ctx context.Context, near platform.Room, who, _ string) error {
	if err := t.moderate(ctx, near, who, "banChatMember", params{}); err != nil {
		return err
	}
	return t.moderate(ctx, near, who, "unbanChatMember", params{"only_if_banned": true})
}

// Ban implements platform.Moderator. Telegram deletes all messages of a person or none.
func (t *Telegram) Ban(ctx context.Context, near platform.Room, who, _ string, deleteDays int) error {
	return t.moderate(ctx, near, who, "banChatMember", params{"revoke_messages": deleteDays > 0})
}

func (t *Telegram) moderate(ctx context.Context, near platform.Room, who, method string, body params) error {
	id, err := strconv.ParseInt(who, 10, 64)
	if err != nil || id <= 0 {
		return platform.Refuse("%q is not the id of a person on Telegram", short(who))
	}
	return t.at(ctx, near, func(in place) error {
		if in.chat > 0 {
			return platform.Refuse("nobody can be sent away from a private chat")
		}
		body["chat_id"], body["user_id"] = in.chat, id
		return t.call(ctx, method, body, nil)
	})
}
