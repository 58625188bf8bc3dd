package telegram

import (
	"context"

	"github.com/asidehq/aside/platform"
)

// Topics of a forum are threads. Elsewhere Telegram has none.

// CreateThread implements platform.Threader.
func (t *Telegram) CreateThread(ctx context.Context, thread platform.NewThread) (platform.RoomInfo, error) {
	if thread.Text != "" {
		// Nobody has stored it, so that it could be taken for something left over.
		return platform.RoomInfo{}, platform.Refuse("on Telegram the first text of a topic is a post of its own")
	}
	var made struct {
		ID   int    `json:"message_thread_id"`
		Name string `json:"name"`
	}
	var in place
	err := t.at(ctx, thread.Room, func(p place) error {
		in = p
		return t.call(ctx, "createForumTopic", params{"chat_id": p.chat, "name": thread.Name}, &made)
	})
	if err != nil {
		return platform.RoomInfo{}, err
	}
	in.thread = made.ID
	info := platform.RoomInfo{Room: in.room(), Name: made.Name, Kind: platform.ThreadRoom, Parent: in.parent()}
	return info, nil
}

// ArchivedThreads implements platform.Threader.
func (t *Telegram) ArchivedThreads(context.Context, platform.Room, int) ([]platform.RoomInfo, error) {
	return nil, platform.Refuse("Telegram does not tell a bot which topics there are")
}

// EditThread implements platform.Threader. To archive a topic is to close it.
func (t *Telegram) EditThread(ctx context.Context, thread platform.Room, change platform.ThreadChange) (platform.RoomInfo, error) {
	if change.Tags != nil {
		return platform.RoomInfo{}, platform.Refuse("topics on Telegram have no tags")
	}
	info := platform.RoomInfo{Room: thread, Kind: platform.ThreadRoom}
	err := t.at(ctx, thread, func(in place) error {
		if in.thread == 0 {
			return platform.Refuse("this is no topic of a forum on Telegram")
		}
		info.Room, info.Parent = in.room(), in.parent()
		if change.Name != nil {
			info.Name = *change.Name
			if err := t.topic(ctx, in, "editForumTopic", params{"name": *change.Name}); err != nil {
				return err
			}
		}
		if change.Archived == nil {
			return nil
		}
		info.Archived = *change.Archived
		if *change.Archived {
			return t.topic(ctx, in, "closeForumTopic", params{})
		}
		return t.topic(ctx, in, "reopenForumTopic", params{})
	})
	return info, err
}

// topic changes a topic. What is so already is no problem.
func (t *Telegram) topic(ctx context.Context, in place, method string, body params) error {
	body["chat_id"], body["message_thread_id"] = in.chat, in.thread
	err := t.call(ctx, method, body, nil)
	if says(err, "topic_not_modified") {
		return nil
	}
	return err
}
