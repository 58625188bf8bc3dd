package slacktest

import (
	"slices"
)

// AddUser adds somebody to the workspace.
func (s *Server) AddUser(name string) *User {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := &User{ID: s.id("U"), Name: name, Display: name}
	s.users = append(s.users, u)
	return u
}

// AddBot adds another app's bot.
func (s *Server) AddBot(name string) *User {
	u := s.AddUser(name)
	u.IsBot, u.BotID, u.AppID = true, "B0"+name, "A0"+name
	return u
}

// AddChannel adds a public channel with members; the first has made it.
func (s *Server) AddChannel(name string, members ...*User) *Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Channel{ID: s.id("C"), Name: name}
	for _, u := range members {
		c.members = append(c.members, u.ID)
	}
	if len(members) > 0 {
		c.Creator = members[0].ID
	}
	s.channels = append(s.channels, c)
	return c
}

// AddGroup adds a chat of several people with the bot.
func (s *Server) AddGroup(members ...*User) *Channel {
	c := s.AddChannel("mpdm-group", append(members, s.bot)...)
	c.Group = true
	return c
}

// Direct is the chat between somebody and the bot.
func (s *Server) Direct(u *User) *Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.channels {
		if c.Direct && c.members[0] == u.ID {
			return c
		}
	}
	c := &Channel{ID: s.id("D"), Direct: true, members: []string{u.ID, s.bot.ID}}
	s.channels = append(s.channels, c)
	return c
}

// Invite lets somebody into a channel.
func (s *Server) Invite(c *Channel, u *User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.members = append(c.members, u.ID)
}

// Remove takes somebody out of a channel.
func (s *Server) Remove(c *Channel, u *User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.members = slices.DeleteFunc(c.members, func(id string) bool { return id == u.ID })
}

// A Line is what somebody writes.
type Line struct {
	Text      string
	Thread    string // the message whose thread it stands in
	Broadcast bool
	Subtype   string
	Files     []File
}

// Write writes a message as somebody would.
func (s *Server) Write(u *User, c *Channel, text string) string {
	return s.WriteLine(u, c, Line{Text: text})
}

// WriteIn writes in the thread of a message.
func (s *Server) WriteIn(u *User, c *Channel, thread, text string) string {
	return s.WriteLine(u, c, Line{Text: text, Thread: thread})
}

// WriteLine is Write with everything that a message can have.
func (s *Server) WriteLine(u *User, c *Channel, line Line) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := &Message{Channel: c.ID, User: u.ID, Text: line.Text, ThreadTS: line.Thread, Subtype: line.Subtype, Broadcast: line.Broadcast}
	if u.IsBot {
		m.BotID, m.AppID = u.BotID, u.AppID
	}
	if line.Broadcast {
		m.Subtype = "thread_broadcast"
	}
	for _, f := range line.Files {
		f.ID, f.Owner = s.id("F"), u.ID
		s.files[f.ID] = &f
		m.Files = append(m.Files, &f)
		m.Subtype = "file_share"
	}
	s.add(m)
	return m.TS
}

// add puts a message into its channel and tells the app.
func (s *Server) add(m *Message) {
	m.TS = s.ts()
	m.Seen = []string{m.Text}
	s.messages[m.Channel] = append(s.messages[m.Channel], m)
	if parent := s.message(m.Channel, m.ThreadTS); parent != nil {
		parent.ThreadTS = parent.TS
	}
	s.announce(m, false)
	s.Happened()
}

// Rewrite changes a message as its author would.
func (s *Server) Rewrite(c *Channel, ts, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rewrite(s.message(c.ID, ts), text)
}

func (s *Server) rewrite(m *Message, text string) {
	before := s.json(m, false)
	m.Text, m.EditedTS = text, s.ts()
	m.Seen = append(m.Seen, text)
	s.change(m, before)
}

// Unfurl adds to a message what stands behind its links, as Slack does by itself.
func (s *Server) Unfurl(c *Channel, ts string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.message(c.ID, ts)
	s.change(m, s.json(m, false))
}

func (s *Server) change(m *Message, before map[string]any) {
	c := s.channel(m.Channel)
	s.event(map[string]any{
		"type": "message", "subtype": "message_changed", "hidden": true, "channel": c.ID, "channel_type": c.kind(),
		"ts": s.ts(), "event_ts": s.ts(), "message": s.json(m, false), "previous_message": before,
	}, nil)
	s.Happened()
}

// Erase deletes a message as its author would.
func (s *Server) Erase(c *Channel, ts string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase(s.message(c.ID, ts))
}

func (s *Server) erase(m *Message) {
	m.Deleted = true
	c := s.channel(m.Channel)
	s.event(map[string]any{
		"type": "message", "subtype": "message_deleted", "hidden": true, "channel": c.ID, "channel_type": c.kind(),
		"ts": s.ts(), "event_ts": s.ts(), "deleted_ts": m.TS, "previous_message": s.json(m, false),
	}, nil)
	s.Happened()
}

// React puts an emoji on a message, by its name.
func (s *Server) React(u *User, c *Channel, ts, name string) { s.reaction(u, c, ts, name, true) }

// Unreact takes it off.
func (s *Server) Unreact(u *User, c *Channel, ts, name string) { s.reaction(u, c, ts, name, false) }

func (s *Server) reaction(u *User, c *Channel, ts, name string, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.message(c.ID, ts)
	if problem := m.react(u.ID, name, on); problem != "" {
		s.t.Errorf("slacktest: %s: %s", name, problem)
	}
	s.tellReaction(u, m, name, on)
}

func (s *Server) tellReaction(u *User, m *Message, name string, on bool) {
	kind := "reaction_added"
	if !on {
		kind = "reaction_removed"
	}
	s.event(map[string]any{
		"type": kind, "user": u.ID, "reaction": name, "item_user": m.User, "event_ts": s.ts(),
		"item": map[string]any{"type": "message", "channel": m.Channel, "ts": m.TS},
	}, nil)
	s.Happened()
}

func (m *Message) react(user, name string, on bool) (problem string) {
	i := slices.IndexFunc(m.Reactions, func(r Reaction) bool { return r.Name == name })
	there := i >= 0 && slices.Contains(m.Reactions[i].Users, user)
	switch {
	case on && there:
		return "already_reacted"
	case !on && !there:
		return "no_reaction"
	case on && i >= 0:
		m.Reactions[i].Users = append(m.Reactions[i].Users, user)
	case on:
		m.Reactions = append(m.Reactions, Reaction{name, []string{user}})
	default:
		m.Reactions[i].Users = slices.DeleteFunc(m.Reactions[i].Users, func(id string) bool { return id == user })
		if len(m.Reactions[i].Users) == 0 {
			m.Reactions = slices.Delete(m.Reactions, i, i+1)
		}
	}
	return ""
}

// Everything is what was ever written in a channel and its threads, deleted messages too.
func (s *Server) Everything(c *Channel) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Message
	for _, m := range s.messages[c.ID] {
		copied := *m
		copied.Reactions = slices.Clone(m.Reactions)
		all = append(all, copied)
	}
	return all
}

// Posts are the bot's messages in a channel, or in one of its threads.
func (s *Server) Posts(c *Channel, thread string) []Message {
	return slices.DeleteFunc(s.Everything(c), func(m Message) bool {
		return m.User != s.bot.ID || m.Deleted || m.ThreadTS != thread && !(thread == "" && m.ThreadTS == m.TS)
	})
}

// Message is a message as it stands, or nil.
func (s *Server) Message(c *Channel, ts string) *Message {
	for _, m := range s.Everything(c) {
		if m.TS == ts && !m.Deleted {
			return &m
		}
	}
	return nil
}

// Channels are all channels as they stand.
func (s *Server) Channels() []Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Channel
	for _, c := range s.channels {
		all = append(all, *c)
	}
	return all
}

// SlowFiles has files.info know only when it is asked once more than this where a file
// was shared.
func (s *Server) SlowFiles(times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slowFiles = times
}
