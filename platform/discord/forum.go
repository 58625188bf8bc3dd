package discord

import (
	"context"
	"slices"
	"time"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// mostPages is how many pages of archived threads are read. What does not fit is said: a
// thread that is not seen would be made again.
const mostPages = 200

// ForumThreads implements platform.ForumKeeper. The active ones are read first: one that is
// archived meanwhile is then among both, and not among neither.
func (d *Discord) ForumThreads(ctx context.Context, in platform.Room) ([]platform.ForumThread, error) {
	forum, err := d.forum(ctx, in)
	if err != nil {
		return nil, err
	}
	self, err := d.me(ctx)
	if err != nil {
		return nil, err
	}
	var active struct {
		Threads []channel `json:"threads"`
	}
	if err := d.call(ctx, rest.GetActiveGuildThreads.Compile(nil, forum.Guild), nil, &active); err != nil {
		return nil, err
	}
	archived, err := d.archived(ctx, forum.ID)
	if err != nil {
		return nil, err
	}
	seen := map[snowflake.ID]bool{}
	var threads []platform.ForumThread
	for _, c := range append(archived, active.Threads...) {
		if c.Parent == forum.ID && !seen[c.ID] {
			seen[c.ID] = true
			threads = append(threads, c.forumThread(self))
		}
	}
	return threads, nil
}

// archived are all archived threads of a channel, those archived last first.
func (d *Discord) archived(ctx context.Context, in snowflake.ID) ([]channel, error) {
	var all []channel
	query := discord.QueryValues{"limit": mostPage}
	for range mostPages {
		var page struct {
			Threads []channel `json:"threads"`
			More    bool      `json:"has_more"`
		}
		if err := d.call(ctx, rest.GetPublicArchivedThreads.Compile(query, in), nil, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Threads...)
		if !page.More || len(page.Threads) == 0 {
			return all, nil
		}
		query["before"] = page.Threads[len(page.Threads)-1].Thread.ArchivedAt.UTC().Format(time.RFC3339Nano)
	}
	return nil, platform.Refuse("the forum has more than %d archived threads, which are too many to look through: take another forum", len(all))
}

// atOnce is how far apart two things may be for Discord that happen together.
const atOnce = 3 * time.Second

func (c *channel) forumThread(self snowflake.ID) platform.ForumThread {
	t := platform.ForumThread{
		Room: room(c.ID), Name: c.Name, Tags: info(*c).Tags, Archived: c.Thread.Archived, Changed: c.Thread.ArchivedAt, Own: c.Owner == self,
	}
	last := max(c.ID, c.Last).Time()
	silence := time.Duration(c.Thread.AutoArchive) * time.Minute
	// Discord archives after a time of silence, so nobody archives a thread by hand that has
	// been silent for longer: it is archived already.
	t.Drifted = t.Archived && silence > 0 && t.Changed.Sub(last) >= silence-atOnce
	return t
}

// ForumThread implements platform.ForumKeeper. A thread was opened by somebody who wrote
// there if there is a message of that moment.
func (d *Discord) ForumThread(ctx context.Context, in platform.Room) (platform.ForumThread, error) {
	id, err := parse("thread", in.ID)
	if err != nil {
		return platform.ForumThread{}, err
	}
	var c channel
	if err := d.call(ctx, rest.GetChannel.Compile(nil, id), nil, &c); err != nil {
		return platform.ForumThread{}, err
	}
	if !c.isThread() {
		return platform.ForumThread{}, platform.Refuse("this is not a thread")
	}
	self, err := d.me(ctx)
	if err != nil {
		return platform.ForumThread{}, err
	}
	t := c.forumThread(self)
	opened := c.Thread.ArchivedAt
	if t.Archived || opened.Sub(c.ID.Time()) < atOnce || c.Last.Time().Before(opened.Add(-atOnce)) {
		return t, nil
	}
	var page []message
	query := discord.QueryValues{"after": snowflake.New(opened.Add(-atOnce)), "limit": mostPage}
	if err := d.call(ctx, rest.GetMessages.Compile(query, id), nil, &page); err != nil {
		return t, err
	}
	for _, m := range page {
		// The change of a name and the like are messages too, and open nothing.
		if m.written() && m.ID.Time().Before(opened.Add(atOnce)) {
			t.Drifted = true
		}
	}
	return t, nil
}

// Starter implements platform.ForumKeeper. It has the id of its thread.
func (d *Discord) Starter(ctx context.Context, in platform.Room) (platform.Starter, error) {
	id, err := parse("thread", in.ID)
	if err != nil {
		return platform.Starter{}, err
	}
	var m message
	if err := d.call(ctx, rest.GetMessage.Compile(nil, id, id), nil, &m); err != nil {
		return platform.Starter{}, err
	}
	s := platform.Starter{Author: person(m.Author, nil), Text: m.Content}
	s.Author.Bot = s.Author.Bot || m.Webhook != 0
	if m.Edited != nil {
		s.Edited = *m.Edited
	}
	return s, nil
}

// EditStarter implements platform.ForumKeeper. Discord changes no message of a thread that is
// archived.
func (d *Discord) EditStarter(ctx context.Context, in platform.Room, text string) error {
	err := d.editStarter(ctx, in, text)
	if is(err, threadArchived) {
		open := false
		if _, err := d.EditThread(ctx, in, platform.ThreadChange{Archived: &open}); err != nil {
			return err
		}
		err = d.editStarter(ctx, in, text)
	}
	return err
}

func (d *Discord) editStarter(ctx context.Context, in platform.Room, text string) error {
	id, err := parse("thread", in.ID)
	if err != nil {
		return err
	}
	return d.call(ctx, rest.UpdateMessage.Compile(nil, id, id), rewording{Content: text}, nil)
}

// threadChanged is how the audit log calls a change of a thread.
const threadChanged = 111

type auditChange struct {
	Key string `json:"key"`
}

// ArchivedBy implements platform.ForumKeeper. It is in the audit log, which the bot sees with
// the permission View Audit Log.
func (d *Discord) ArchivedBy(ctx context.Context, in platform.Room) (platform.Person, error) {
	var nobody platform.Person
	c, guild, err := d.near(ctx, in)
	if err != nil {
		return nobody, err
	}
	var log struct {
		Entries []struct {
			Target  snowflake.ID  `json:"target_id"`
			User    snowflake.ID  `json:"user_id"`
			Changes []auditChange `json:"changes"`
		} `json:"audit_log_entries"`
		Users []user `json:"users"`
	}
	query := discord.QueryValues{"action_type": threadChanged, "target_id": c.ID, "limit": mostPage}
	err = d.call(ctx, rest.GetAuditLogs.Compile(query, guild), nil, &log)
	if is(err, missingAccess, missingPermission) {
		return nobody, nil
	}
	if err != nil {
		return nobody, err
	}
	self, err := d.me(ctx)
	if err != nil {
		return nobody, err
	}
	for _, e := range log.Entries { // the newest first
		archives := slices.ContainsFunc(e.Changes, func(c auditChange) bool { return c.Key == "archived" })
		switch at := slices.IndexFunc(log.Users, func(u user) bool { return u.ID == e.User }); {
		case e.Target != c.ID || !archives:
		case e.User == self:
			return nobody, nil
		case at < 0:
			return platform.Person{ID: e.User.String()}, nil
		default:
			return person(log.Users[at], nil), nil
		}
	}
	return nobody, nil
}
