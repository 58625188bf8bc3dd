package telegramtest

import (
	"regexp"
	"strconv"
	"unicode/utf16"
)

// A Line is what somebody writes.
type Line struct {
	Text    string
	ReplyTo string
	Quote   string // of the message that it replies to
	Thread  int    // the topic, or 0
	Files   []Attached
	As      *Chat // who they write as, if not as themselves

	Mention *User          // at the beginning, by its name: not everybody has a username
	More    map[string]any // fields of the message that nothing here knows
}

// An Attached is a file that somebody sends.
type Attached struct {
	File
	Kind string // document if it is ""
}

// Write writes a message and gives its id.
func (s *Server) Write(u *User, c *Chat, text string) string {
	return s.WriteLine(u, c, Line{Text: text})
}

// WriteLine writes a message and gives its id, with several files that of the album's
// first part.
func (s *Server) WriteLine(u *User, c *Chat, line Line) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	reply, _ := strconv.Atoi(line.ReplyTo)
	base := Message{From: u, As: line.As, Thread: line.Thread, ReplyTo: reply, Quote: line.Quote, Text: line.Text, Entities: found(line), Service: line.More}
	if len(line.Files) == 0 {
		m := base
		s.tell(c, s.put(c, &m))
		return m.IDText()
	}
	album := ""
	if len(line.Files) > 1 {
		album = "album" + s.next()
	}
	first := ""
	var parts []*Message
	for i, f := range line.Files {
		m := base
		m.Album, m.Kind = album, f.Kind
		if m.Kind == "" {
			m.Kind = "document"
		}
		file := s.keep(f.File)
		m.File = &file
		if i > 0 {
			m.Text, m.Entities = "", nil
		}
		parts = append(parts, s.put(c, &m))
		if i == 0 {
			first = m.IDText()
		}
	}
	for _, m := range parts {
		s.tell(c, m)
	}
	return first
}

// keep keeps a file's bytes under an id.
func (s *Server) keep(f File) File {
	f.ID = "file-" + s.next()
	s.files[f.ID] = f
	return f
}

// Edit changes what somebody wrote.
func (s *Server) Edit(u *User, c *Chat, id, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, _ := strconv.Atoi(id)
	m := c.find(n)
	if m == nil || m.From != u {
		s.t.Fatalf("%s has not written %s", u.Name, id)
	}
	m.Text, m.Entities = text, found(Line{Text: text})
	m.Seen = append(m.Seen, text)
	body := s.message(c, m)
	body["edit_date"] = s.now().Unix()
	s.push("edited_message", body, nil)
}

// Repeat tells of a message again, as if it were news.
func (s *Server) Repeat(c *Chat, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range c.messages {
		if m.IDText() == id {
			s.tell(c, m)
		}
	}
}

// React puts somebody's emoji on a message, in place of the one that is there; "" takes it
// off.
func (s *Server) React(u *User, c *Chat, id, emoji string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, _ := strconv.Atoi(id)
	m := c.find(n)
	if m == nil {
		s.t.Fatalf("there is no message %s", id)
	}
	old := m.Reactions[u.ID]
	m.Reactions[u.ID] = emoji
	if emoji == "" {
		delete(m.Reactions, u.ID)
	}
	s.push("message_reaction", map[string]any{
		"chat": s.chat(c), "message_id": n, "user": user(u), "date": s.now().Unix(),
		"old_reaction": reactions(old), "new_reaction": reactions(emoji),
	}, nil)
}

func reactions(emoji string) []any {
	if emoji == "" {
		return []any{}
	}
	return []any{map[string]any{"type": "emoji", "emoji": emoji}}
}

// Press presses a button below a post and gives the id of the callback query.
func (s *Server) Press(u *User, c *Chat, id, data string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, _ := strconv.Atoi(id)
	m := c.find(n)
	if m == nil {
		s.t.Fatalf("there is no message %s", id)
	}
	callback := "44" + s.next()
	s.push("callback_query", map[string]any{
		"id": callback, "from": user(u), "message": s.message(c, m), "chat_instance": "1", "data": data,
	}, nil)
	return callback
}

// Delete takes away what stands in a chat, as a person does. The bot is not told.
func (s *Server) Delete(c *Chat, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, _ := strconv.Atoi(id)
	if m := c.find(n); m != nil {
		m.Deleted = true
	}
	s.Happened()
}

var (
	mention = regexp.MustCompile(`(?:^|\s)(@[A-Za-z]\w{3,31})`)
	command = regexp.MustCompile(`(?:^|\s)(/[A-Za-z0-9_]{1,32}(?:@\w{3,32})?)`)
)

// found are the mentions and commands in a text, as Telegram finds them by itself.
func found(line Line) []Entity {
	var all []Entity
	if u := line.Mention; u != nil {
		all = append(all, Entity{Type: "text_mention", Length: units(u.Name), User: u})
	}
	for kind, pattern := range map[string]*regexp.Regexp{"mention": mention, "bot_command": command} {
		for _, at := range pattern.FindAllStringSubmatchIndex(line.Text, -1) {
			all = append(all, Entity{Type: kind, Offset: units(line.Text[:at[2]]), Length: units(line.Text[at[2]:at[3]])})
		}
	}
	return all
}

// units is how long a text is for Telegram.
func units(text string) int { return len(utf16.Encode([]rune(text))) }

func user(u *User) map[string]any {
	out := map[string]any{"id": u.ID, "is_bot": u.Bot, "first_name": u.Name}
	if u.Username != "" {
		out["username"] = u.Username
	}
	return out
}

func (s *Server) chat(c *Chat) map[string]any {
	out := map[string]any{"id": c.ID, "type": c.Type}
	if c.with != nil {
		out["first_name"] = c.with.Name
	} else {
		out["title"] = c.Title
	}
	if c.Forum {
		out["is_forum"] = true
	}
	return out
}

// message is a message as Telegram tells of it.
func (s *Server) message(c *Chat, m *Message) map[string]any {
	out := map[string]any{"message_id": m.ID, "date": m.Date.Unix(), "chat": s.chat(c), "from": user(m.From)}
	if m.As != nil {
		out["sender_chat"] = s.chat(m.As)
		out["from"] = map[string]any{"id": 1087968824, "is_bot": true, "first_name": "Group", "username": "GroupAnonymousBot"}
	}
	if m.Thread != 0 {
		out["message_thread_id"] = m.Thread
		out["is_topic_message"] = true
	}
	reply := m.ReplyTo
	if reply == 0 && m.Thread != m.ID {
		reply = m.Thread // what stands in a topic answers its beginning
	}
	if to := c.find(reply); to != nil && reply != 0 {
		inner := s.message(c, to)
		delete(inner, "reply_to_message")
		out["reply_to_message"] = inner
	}
	if m.Quote != "" {
		out["quote"] = map[string]any{"text": m.Quote, "position": 0}
	}
	text, entities := "text", "entities"
	if m.File != nil {
		text, entities = "caption", "caption_entities"
		out[m.Kind] = s.media(m)
	}
	if m.Text != "" {
		out[text] = m.Text
	}
	if len(m.Entities) > 0 {
		out[entities] = entitiesJSON(m.Entities)
	}
	if m.Album != "" {
		out["media_group_id"] = m.Album
	}
	if len(m.Buttons) > 0 {
		var row []any
		for _, b := range m.Buttons {
			row = append(row, map[string]any{"text": b, "callback_data": b})
		}
		out["reply_markup"] = map[string]any{"inline_keyboard": []any{row}}
	}
	if m.Poll != nil {
		var options []any
		for i, o := range m.Poll.Options {
			options = append(options, map[string]any{"persistent_id": strconv.Itoa(i), "text": o, "voter_count": 0})
		}
		out["poll"] = map[string]any{
			"id": "1", "question": m.Poll.Question, "options": options, "total_voter_count": 0, "is_closed": false,
			"is_anonymous": true, "type": "regular", "allows_multiple_answers": m.Poll.Several,
		}
	}
	for name, value := range m.Service {
		out[name] = value
	}
	return out
}

// media is the file of a message.
func (s *Server) media(m *Message) any {
	f := m.File
	out := map[string]any{"file_id": f.ID, "file_unique_id": "u" + f.ID, "file_size": len(f.Data)}
	switch m.Kind {
	case "photo":
		small := map[string]any{"file_id": f.ID + "-small", "file_unique_id": "us" + f.ID, "file_size": 1, "width": 90, "height": 60}
		out["width"], out["height"] = 900, 600
		return []any{small, out}
	case "document", "audio", "video", "animation":
		out["file_name"], out["mime_type"] = f.Name, f.Type
	case "voice":
		out["mime_type"] = "audio/ogg"
	case "sticker":
		out["type"], out["width"], out["height"], out["is_animated"], out["is_video"], out["emoji"] = "regular", 512, 512, false, false, "👍"
	}
	switch m.Kind {
	case "audio", "voice", "video", "animation":
		out["duration"] = 3
	}
	if m.Kind == "video" || m.Kind == "animation" {
		out["width"], out["height"] = 900, 600
	}
	return out
}
