package telegramtest

import (
	"slices"
	"strconv"
	"time"
)

// A User is a person or a bot.
type User struct {
	ID       int64
	Name     string // the first name
	Username string
	Bot      bool
	Blocked  bool // the bot, so that it cannot write to them
}

// A Chat is where messages stand.
type Chat struct {
	ID    int64
	Type  string // private, group or supergroup
	Title string
	Forum bool

	// Permissions are what everybody may do who is no administrator; what is not there
	// may be done.
	Permissions map[string]bool

	with     *User // in a private chat
	members  map[int64]*Member
	topics   map[int]*Topic
	messages []*Message
	lastID   int // of a supergroup
	movedTo  int64
	typing   int
}

// A Member is somebody in a group.
type Member struct {
	User   *User
	Status string // creator, administrator, member, restricted, left or kicked
	Rights map[string]bool
	Until  int64 // of a restriction
}

// A Topic is a part of a forum.
type Topic struct {
	Name   string
	Closed bool
}

// A Message stands in a chat, or has stood there.
type Message struct {
	ID        int
	From      *User
	As        *Chat // who it was written as, if not as From
	Thread    int   // of a topic, or 0
	Date      time.Time
	ReplyTo   int
	Quote     string
	Text      string // or the caption, as people read it
	Entities  []Entity
	File      *File
	Kind      string // of the file: photo, document, audio, voice, video, sticker, animation
	Album     string
	Buttons   []string // their data
	Poll      *Poll
	Reactions map[int64]string
	Service   map[string]any // what happened, if nobody wrote it
	Pinned    bool
	Deleted   bool
	Seen      []string // every text that stood there, the last one included
}

// A Poll asks people to choose.
type Poll struct {
	Question string
	Options  []string
	Several  bool
}

// A File has bytes.
type File struct {
	ID   string
	Name string
	Type string
	Data []byte
}

// IDText is the id as texts have it.
func (m Message) IDText() string { return strconv.Itoa(m.ID) }

// AddUser makes a person.
func (s *Server) AddUser(name, username string) *User {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastUser++
	u := &User{ID: s.lastUser, Name: name, Username: username}
	s.users[u.ID] = u
	return u
}

// Direct is a person's private chat with the bot. They have begun it.
func (s *Server) Direct(u *User) *Chat {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[u.ID]; c != nil {
		return c
	}
	c := &Chat{ID: u.ID, Type: "private", Title: u.Name, with: u, members: map[int64]*Member{}, topics: map[int]*Topic{}}
	s.chats[c.ID] = c
	return c
}

// AddChat makes a group or a supergroup, in which the bot is.
func (s *Server) AddChat(kind, title string, owner *User) *Chat {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastChat++
	c := &Chat{ID: -s.lastChat, Type: kind, Title: title, members: map[int64]*Member{}, topics: map[int]*Topic{}}
	if kind == "supergroup" {
		c.ID -= 1_000_000_000_000
	}
	c.members[owner.ID] = &Member{User: owner, Status: "creator"}
	c.members[s.bot.ID] = &Member{User: s.bot, Status: "administrator", Rights: map[string]bool{
		"can_delete_messages": true, "can_restrict_members": true, "can_pin_messages": true, "can_manage_topics": true, "can_manage_chat": true,
	}}
	s.chats[c.ID] = c
	return c
}

// Join puts somebody into a group.
func (s *Server) Join(c *Chat, u *User) *Member {
	return s.SetMember(c, u, Member{Status: "member"})
}

// SetMember says what somebody is in a group.
func (s *Server) SetMember(c *Chat, u *User, m Member) *Member {
	s.mu.Lock()
	defer s.mu.Unlock()
	m.User = u
	c.members[u.ID] = &m
	return &m
}

// MemberOf is what somebody is in a group.
func (s *Server) MemberOf(c *Chat, u *User) Member {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := c.members[u.ID]; m != nil {
		return *m
	}
	return Member{User: u, Status: "left"}
}

// AddTopic begins a topic of a forum, and says which.
func (s *Server) AddTopic(c *Chat, name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addTopic(c, name, s.bot)
}

func (s *Server) addTopic(c *Chat, name string, by *User) int {
	c.Forum = true
	m := s.put(c, &Message{From: by, Service: map[string]any{"forum_topic_created": map[string]any{"name": name, "icon_color": 7322096}}})
	c.topics[m.ID] = &Topic{Name: name}
	m.Thread = m.ID
	return m.ID
}

// Topic is one of a forum.
func (s *Server) Topic(c *Chat, id int) Topic {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *c.topics[id]
}

// Topics are all of a forum, by name.
func (s *Server) Topics(c *Chat) map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]int{}
	for id, t := range c.topics {
		all[t.Name] = id
	}
	return all
}

// Migrate makes a supergroup of a group, as Telegram does by itself. Both are told.
func (s *Server) Migrate(old *Chat) *Chat {
	c := s.AddChat("supergroup", old.Title, s.Owner)
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, m := range old.members {
		c.members[id] = m
	}
	old.movedTo = c.ID
	s.tell(old, s.put(old, &Message{From: s.Owner, Service: map[string]any{"migrate_to_chat_id": c.ID}}))
	s.tell(c, s.put(c, &Message{From: s.Owner, Service: map[string]any{"migrate_from_chat_id": old.ID}}))
	return c
}

// put puts a message into a chat.
func (s *Server) put(c *Chat, m *Message) *Message {
	count := &s.lastID
	if c.Type == "supergroup" {
		count = &c.lastID
	}
	*count++
	m.ID = *count
	m.Date = s.now()
	m.Reactions = map[int64]string{}
	m.Seen = []string{m.Text}
	c.messages = append(c.messages, m)
	s.Happened()
	return m
}

// find finds what stands in a chat.
func (c *Chat) find(id int) *Message {
	i := slices.IndexFunc(c.messages, func(m *Message) bool { return m.ID == id && !m.Deleted })
	if i < 0 {
		return nil
	}
	return c.messages[i]
}

func (m *Message) copy() Message {
	again := *m
	again.Seen = slices.Clone(m.Seen)
	again.Buttons = slices.Clone(m.Buttons)
	return again
}

// Posts are what the bot wrote and what stands in a chat, oldest first.
func (s *Server) Posts(c *Chat) []Message {
	return slices.DeleteFunc(s.Everything(c), func(m Message) bool { return m.From != s.bot || m.Deleted || m.Service != nil })
}

// Everything is all that has ever stood in a chat.
func (s *Server) Everything(c *Chat) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Message
	for _, m := range c.messages {
		all = append(all, m.copy())
	}
	return all
}

// Message is one that has stood in a chat.
func (s *Server) Message(c *Chat, id string) Message {
	for _, m := range s.Everything(c) {
		if m.IDText() == id {
			return m
		}
	}
	s.t.Fatalf("there is no message %s in %s", id, c.Title)
	return Message{}
}

// ReactionOf is the emoji that somebody has on a message, or "".
func (s *Server) ReactionOf(u *User, c *Chat, id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range c.messages {
		if m.IDText() == id {
			return m.Reactions[u.ID]
		}
	}
	return ""
}

// Typing is how often the bot has shown in a chat that it writes.
func (s *Server) Typing(c *Chat) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return c.typing
}
