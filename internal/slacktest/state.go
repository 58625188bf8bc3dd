package slacktest

import (
	"encoding/json"
	"slices"
	"strings"
)

// A User is somebody in the workspace.
type User struct {
	ID, Name, Display string
	IsBot             bool
	BotID, AppID      string
	IsAdmin, IsOwner  bool
	Deleted           bool
	Presence, Status  string // that were set
}

func (u *User) json() map[string]any {
	return map[string]any{
		"id": u.ID, "team_id": "T0TEAM", "name": u.Name, "real_name": strings.ToUpper(u.Name[:1]) + u.Name[1:],
		"deleted": u.Deleted, "is_bot": u.IsBot, "is_admin": u.IsAdmin, "is_owner": u.IsOwner, "is_restricted": false, "tz_offset": 0, "updated": 1,
		"profile": map[string]any{"display_name": u.Display, "real_name": strings.ToUpper(u.Name[:1]) + u.Name[1:], "bot_id": u.BotID},
	}
}

// A Channel is a conversation of any kind.
type Channel struct {
	ID, Name, Topic, Creator string
	Direct, Group, Private   bool
	Archived                 bool
	members                  []string
}

func (c *Channel) kind() string {
	switch {
	case c.Direct:
		return "im"
	case c.Group:
		return "mpim"
	case c.Private:
		return "group"
	}
	return "channel"
}

func (c *Channel) json(bot string) map[string]any {
	m := map[string]any{
		"id": c.ID, "name": c.Name, "is_channel": !c.Direct && !c.Group, "is_im": c.Direct, "is_mpim": c.Group, "is_group": false,
		"is_private": c.Private || c.Direct || c.Group, "is_archived": c.Archived, "creator": c.Creator, "created": 1700000000,
		"is_member": slices.Contains(c.members, bot), "topic": map[string]any{"value": c.Topic, "creator": "", "last_set": 0},
		"purpose": map[string]any{"value": "", "creator": "", "last_set": 0}, "num_members": len(c.members),
	}
	if c.Direct {
		m["user"] = c.members[0]
		delete(m, "name")
	}
	return m
}

// A Message stands in a channel or a thread.
type Message struct {
	TS, Channel string
	User, BotID string
	AppID       string
	Text        string
	ThreadTS    string
	Subtype     string
	Broadcast   bool
	Files       []*File
	Blocks      json.RawMessage
	Metadata    json.RawMessage
	EditedTS    string
	Reactions   []Reaction
	Pinned      bool
	Deleted     bool
	Unfurls     string   // what the request said about links
	Seen        []string // every text that people could read, oldest first
}

// A Reaction is an emoji by its name, and who put it there.
type Reaction struct {
	Name  string
	Users []string
}

// A File was uploaded.
type File struct {
	ID, Name, Title, Type, Owner string
	Data                         []byte
	URL                          string // where it is said to be, if not here
	uploaded, complete           bool
	hidden                       int // how often files.info does not know where it was shared
	shares                       map[string][]map[string]any
}

func (s *Server) fileJSON(f *File) map[string]any {
	m := map[string]any{
		"id": f.ID, "name": f.Name, "title": f.Title, "mimetype": f.Type, "size": len(f.Data), "user": f.Owner, "created": 1700000000, "mode": "hosted",
		"url_private": s.http.URL + "/files/" + f.ID + "/file", "url_private_download": s.http.URL + "/files/" + f.ID + "/file",
	}
	if f.URL != "" {
		m["url_private"], m["url_private_download"] = f.URL, f.URL
	}
	return m
}

// json is a message as it comes in events and histories. Metadata is left out unless it
// was asked for.
func (s *Server) json(m *Message, metadata bool) map[string]any {
	out := map[string]any{"type": "message", "ts": m.TS, "text": named(m.Text), "team": "T0TEAM", "client_msg_id": "m-" + m.TS}
	put := func(name, value string) {
		if value != "" {
			out[name] = value
		}
	}
	put("user", m.User)
	put("bot_id", m.BotID)
	put("app_id", m.AppID)
	put("subtype", m.Subtype)
	put("thread_ts", m.ThreadTS)
	if parent := s.message(m.Channel, m.ThreadTS); parent != nil && m.ThreadTS != m.TS {
		put("parent_user_id", parent.User)
	}
	if m.EditedTS != "" {
		out["edited"] = map[string]any{"user": m.User, "ts": m.EditedTS}
	}
	if m.Blocks != nil {
		out["blocks"] = m.Blocks
	} else if m.Text != "" {
		// What the text comes to, in a form that few clients read to the end.
		out["blocks"] = []any{map[string]any{"type": "rich_text", "block_id": "x", "elements": []any{map[string]any{"type": "not known yet", "elements": 7}}}}
	}
	if metadata && m.Metadata != nil {
		out["metadata"] = m.Metadata
	}
	for _, f := range m.Files {
		all, _ := out["files"].([]any)
		out["files"] = append(all, s.fileJSON(f))
	}
	for _, r := range m.Reactions {
		all, _ := out["reactions"].([]any)
		out["reactions"] = append(all, map[string]any{"name": r.Name, "users": r.Users, "count": len(r.Users)})
	}
	if replies := s.replies(m); len(replies) > 0 && m.ThreadTS == m.TS {
		out["reply_count"], out["latest_reply"] = len(replies), replies[len(replies)-1].TS
	}
	if m.Pinned {
		out["pinned_to"] = []string{m.Channel}
	}
	return out
}

// replies are what stands in the thread of a message, without itself.
func (s *Server) replies(m *Message) []*Message {
	var all []*Message
	for _, r := range s.messages[m.Channel] {
		if r.ThreadTS == m.TS && r.TS != m.TS && !r.Deleted {
			all = append(all, r)
		}
	}
	return all
}

func (s *Server) message(channel, ts string) *Message {
	for _, m := range s.messages[channel] {
		if m.TS == ts && !m.Deleted {
			return m
		}
	}
	return nil
}

func (s *Server) channel(id string) *Channel {
	for _, c := range s.channels {
		if c.ID == id {
			return c
		}
	}
	return nil
}

func (s *Server) user(id string) *User {
	for _, u := range s.users {
		if u.ID == id {
			return u
		}
	}
	return nil
}
