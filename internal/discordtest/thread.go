package discordtest

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"
)

// An AuditEntry is who has changed what.
type AuditEntry struct {
	ID      string        `json:"id"`
	Action  int           `json:"action_type"`
	Target  string        `json:"target_id"`
	User    string        `json:"user_id"`
	Changes []AuditChange `json:"changes"`
}

// An AuditChange is one thing that has changed.
type AuditChange struct {
	Key string `json:"key"`
	Old any    `json:"old_value"`
	New any    `json:"new_value"`
}

// threadUpdate is what the audit log calls the change of a thread.
const threadUpdate = 111

// archive archives a thread or opens it, and notes who did; nobody if it is nil.
func (s *Server) archive(thread *Channel, by *User, yes bool) {
	if thread.Metadata.Archived == yes {
		return
	}
	thread.Metadata.Archived, thread.Metadata.ArchivedAt = yes, s.now()
	if g := s.guilds[thread.GuildID]; g != nil && by != nil {
		g.Audit = append(g.Audit, AuditEntry{s.id(), threadUpdate, thread.ID, by.ID, []AuditChange{{"archived", !yes, yes}}})
	}
}

// Archive archives a thread as somebody would, or opens it.
func (s *Server) Archive(by *User, thread *Channel, yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	thread = s.channels[thread.ID]
	s.archive(thread, by, yes)
	s.dispatch("THREAD_UPDATE", thread.GuildID, thread)
}

// Hush archives a thread as Discord does after its time of silence, which passes.
func (s *Server) Hush(thread *Channel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	thread = s.channels[thread.ID]
	s.skew += time.Duration(thread.Metadata.AutoArchive) * time.Minute
	s.archive(thread, nil, true)
	s.dispatch("THREAD_UPDATE", thread.GuildID, thread)
}

// RemoveThread deletes a thread as somebody would.
func (s *Server) RemoveThread(thread *Channel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.channels, thread.ID)
	s.dispatch("THREAD_DELETE", thread.GuildID, map[string]any{"id": thread.ID, "guild_id": thread.GuildID, "parent_id": thread.ParentID, "type": thread.Type})
}

// Begin begins a thread in a forum as somebody would.
func (s *Server) Begin(by *User, forum *Channel, name, text string, tags ...string) *Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.addThread(forum, name, PublicThread, by.ID)
	t.AppliedTags = tags
	s.add(&Message{ID: t.ID, ChannelID: t.ID, Author: by, Content: text})
	return t
}

// Threads are the threads of a forum as they stand, in the order in which they were made.
func (s *Server) Threads(forum *Channel) []Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	var threads []Channel
	for _, id := range s.order {
		if c := s.channels[id]; c != nil && c.IsThread() && *c.ParentID == forum.ID {
			copied, metadata := *c, *c.Metadata
			copied.Metadata = &metadata
			threads = append(threads, copied)
		}
	}
	return threads
}

// checkTags refuses tags that a thread's forum does not have.
func (s *Server) checkTags(thread *Channel, tags *[]string) *problem {
	if tags == nil {
		return nil
	}
	forum := s.channels[*thread.ParentID]
	for _, id := range *tags {
		if !slices.ContainsFunc(forum.AvailableTags, func(t Tag) bool { return t.ID == id }) {
			return invalid("applied_tags", "Unknown tag.")
		}
	}
	return nil
}

// archivedThreads are a page of a channel's archived threads, those archived last first.
func (s *Server) archivedThreads(c *call, channel *Channel) (any, *problem) {
	q, limit := c.r.URL.Query(), 50
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 2 || n > 100 {
			return nil, invalid("limit", "int value should be between 2 and 100.")
		}
		limit = n
	}
	before := s.now().Add(time.Hour)
	if text := q.Get("before"); text != "" {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return nil, invalid("before", "Not a well formed ISO8601 timestamp.")
		}
		before = at
	}
	threads := []*Channel{}
	for _, id := range s.order {
		t := s.channels[id]
		if t != nil && t.IsThread() && *t.ParentID == channel.ID && t.Metadata.Archived && t.Type != PrivateThread && t.Metadata.ArchivedAt.Before(before) {
			threads = append(threads, t)
		}
	}
	slices.SortFunc(threads, func(a, b *Channel) int {
		return cmp.Or(b.Metadata.ArchivedAt.Compare(a.Metadata.ArchivedAt), cmp.Compare(number(b.ID), number(a.ID)))
	})
	more := len(threads) > limit
	return map[string]any{"threads": threads[:min(limit, len(threads))], "members": []any{}, "has_more": more}, nil
}

// auditLog is who has changed what, the latest first.
func (s *Server) auditLog(c *call, g *Guild) (any, *problem) {
	q := c.r.URL.Query()
	entries, users := []AuditEntry{}, map[string]json.RawMessage{}
	for _, e := range slices.Backward(g.Audit) {
		if action := q.Get("action_type"); action != "" && action != strconv.Itoa(e.Action) || q.Has("target_id") && q.Get("target_id") != e.Target {
			continue
		}
		entries = append(entries, e)
		users[e.User], _ = json.Marshal(s.users[e.User])
	}
	known := []json.RawMessage{}
	for _, u := range users {
		known = append(known, u)
	}
	return map[string]any{
		"audit_log_entries": entries, "users": known, "threads": []any{}, "webhooks": []any{}, "integrations": []any{},
		"application_commands": []any{}, "auto_moderation_rules": []any{}, "guild_scheduled_events": []any{},
	}, nil
}

// Rename calls a thread something else, as somebody would.
func (s *Server) Rename(thread *Channel, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	thread = s.channels[thread.ID]
	thread.Name = name
	s.dispatch("THREAD_UPDATE", thread.GuildID, thread)
}
