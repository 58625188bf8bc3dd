package discord

import (
	"context"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// CreateThread implements platform.Threader. In a forum the text is the thread's first
// message; elsewhere it is posted into the thread once that is there.
func (d *Discord) CreateThread(ctx context.Context, t platform.NewThread) (platform.RoomInfo, error) {
	c, _, err := d.near(ctx, t.Room)
	if err != nil {
		return platform.RoomInfo{}, err
	}
	body := map[string]any{"name": t.Name}
	if t.AutoArchiveMinutes != 0 {
		body["auto_archive_duration"] = t.AutoArchiveMinutes
	}
	to := rest.CreateThread.Compile(nil, c.ID)
	first := t.Text
	if err := d.mayWriteInThreads(ctx, c, first); err != nil {
		return platform.RoomInfo{}, err
	}
	switch {
	case c.Type == forumChannel || c.Type == mediaChannel:
		if t.Text == "" {
			return platform.RoomInfo{}, platform.Refuse("a thread in a forum needs a first message")
		}
		body["message"] = draft{Content: t.Text}
		first = ""
		if len(t.Tags) > 0 {
			if body["applied_tags"], err = tagIDs(t.Tags); err != nil {
				return platform.RoomInfo{}, err
			}
		}
	case t.Message != "":
		message, err := parse("message", t.Message)
		if err != nil {
			return platform.RoomInfo{}, err
		}
		to = rest.CreateThreadWithMessage.Compile(nil, c.ID, message)
	case c.Type == announcementChannel:
		body["type"] = announcementThread
	default:
		body["type"] = publicThread
	}
	var made channel
	if err := d.call(ctx, to, body, &made); err != nil {
		return platform.RoomInfo{}, err
	}
	if first != "" {
		// The thread is there. What became of the text is another matter, and is said.
		r := d.Post(ctx, platform.Post{Key: "first in thread " + made.ID.String(), Room: room(made.ID), Text: first})
		if err := r.Err(); err != nil {
			return info(made), err
		}
	}
	return info(made), nil
}

// mayWriteInThreads tells why the bot could not put a first message into a thread of a
// room: a thread without one would be half of what was asked for. In a forum Discord itself
// makes both or none.
func (d *Discord) mayWriteInThreads(ctx context.Context, in channel, first string) error {
	if first == "" || in.Type == forumChannel || in.Type == mediaChannel {
		return nil
	}
	self, err := d.me(ctx)
	if err != nil {
		return err
	}
	may, err := d.May(ctx, self.String(), platform.SendInThreads, room(in.ID))
	if err == nil && !may {
		err = platform.Refuse("the bot may not write in threads of %s: give its role the permission Send Messages in Threads", short(in.Name))
	}
	return err
}

// ArchivedThreads implements platform.Threader. Private threads are left out.
func (d *Discord) ArchivedThreads(ctx context.Context, in platform.Room, most int) ([]platform.RoomInfo, error) {
	id, err := parse("room", in.ID)
	if err != nil {
		return nil, err
	}
	var page struct {
		Threads []channel `json:"threads"`
	}
	query := discord.QueryValues{"limit": min(max(most, 2), mostPage)} // Discord wants two at least
	if err := d.call(ctx, rest.GetPublicArchivedThreads.Compile(query, id), nil, &page); err != nil {
		return nil, err
	}
	var threads []platform.RoomInfo
	for _, c := range page.Threads[:min(most, len(page.Threads))] {
		threads = append(threads, info(c))
	}
	return threads, nil
}

// EditThread implements platform.Threader. A thread that is archived is opened for the
// change and archived again, unless that is what changes. Whether it is, is read anew: the
// gateway may not have told yet of a change a moment ago.
func (d *Discord) EditThread(ctx context.Context, in platform.Room, change platform.ThreadChange) (platform.RoomInfo, error) {
	id, err := parse("thread", in.ID)
	if err != nil {
		return platform.RoomInfo{}, err
	}
	var c channel
	if err := d.call(ctx, rest.GetChannel.Compile(nil, id), nil, &c); err != nil {
		return platform.RoomInfo{}, err
	}
	if !c.isThread() {
		return platform.RoomInfo{}, platform.Refuse("this is not a thread")
	}
	archived := c.Thread.Archived
	if change.Archived != nil {
		archived = *change.Archived
	}
	body := map[string]any{}
	if change.Name != nil {
		body["name"] = *change.Name
	}
	if change.Tags != nil {
		if body["applied_tags"], err = tagIDs(*change.Tags); err != nil {
			return platform.RoomInfo{}, err
		}
	}
	if len(body) > 0 || !archived {
		// One that is open can be changed and archived at once.
		body["archived"] = archived && !c.Thread.Archived
		if err := d.call(ctx, rest.UpdateChannel.Compile(nil, id), body, &c); err != nil {
			return platform.RoomInfo{}, err
		}
	}
	if archived && !c.Thread.Archived {
		err = d.call(ctx, rest.UpdateChannel.Compile(nil, id), map[string]any{"archived": true}, &c)
	}
	return settled(c, err)
}

func tagIDs(texts []string) ([]snowflake.ID, error) {
	ids := []snowflake.ID{}
	for _, text := range texts {
		id, err := parse("tag", text)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// inThread tells whether somebody is a member of a thread.
func (d *Discord) inThread(ctx context.Context, thread, who snowflake.ID) (bool, error) {
	err := d.call(ctx, rest.GetThreadMember.Compile(nil, thread, who), nil, nil)
	if is(err, unknownMember, unknownUser) {
		return false, nil
	}
	return err == nil, err
}
