package discordtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

func (s *Server) messageRoutes() map[string]handler {
	return map[string]handler{
		"GET /channels/{channel}/messages":                                    s.in(ViewChannel|ReadHistory, s.listMessages),
		"POST /channels/{channel}/messages":                                   s.in(ViewChannel|SendMessages, s.createMessage),
		"GET /channels/{channel}/messages/{message}":                          s.on(ViewChannel|ReadHistory, s.getMessage),
		"PATCH /channels/{channel}/messages/{message}":                        s.on(ViewChannel, s.editMessage),
		"DELETE /channels/{channel}/messages/{message}":                       s.on(ViewChannel, s.deleteMessage),
		"POST /channels/{channel}/messages/bulk-delete":                       s.in(ViewChannel|ManageMessages, s.bulkDelete),
		"POST /channels/{channel}/messages/{message}/crosspost":               s.on(ViewChannel|SendMessages, s.crosspost),
		"PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me":    s.on(ViewChannel|ReadHistory, s.putReaction),
		"DELETE /channels/{channel}/messages/{message}/reactions/{emoji}/@me": s.on(ViewChannel, s.deleteReaction),
		"GET /channels/{channel}/messages/pins":                               s.in(ViewChannel|ReadHistory, s.listPins),
		"PUT /channels/{channel}/messages/pins/{message}":                     s.on(ViewChannel|PinMessages, s.pin(true)),
		"DELETE /channels/{channel}/messages/pins/{message}":                  s.on(ViewChannel|PinMessages, s.pin(false)),
		"POST /channels/{channel}/typing":                                     s.in(ViewChannel|SendMessages, s.showTyping),
		"GET /guilds/{guild}/messages/search":                                 s.guild(0, s.search),
	}
}

// in wraps what needs a channel and the bot's rights in it.
func (s *Server) in(need Bits, h func(*call, *Channel) (any, *problem)) handler {
	return func(c *call) (any, *problem) {
		channel := s.channels[c.path("channel")]
		switch {
		case channel == nil:
			return nil, errChannel
		case !s.can(s.bot.ID, channel, ViewChannel):
			return nil, errAccess
		case !s.can(s.bot.ID, channel, need):
			return nil, errPermission
		}
		return h(c, channel)
	}
}

// on wraps what needs a message as well.
func (s *Server) on(need Bits, h func(*call, *Channel, *Message) (any, *problem)) handler {
	return s.in(need, func(c *call, channel *Channel) (any, *problem) {
		m := s.message(channel.ID, c.path("message"))
		if m == nil {
			return nil, errMessage
		}
		return h(c, channel, m)
	})
}

func (s *Server) listMessages(c *call, channel *Channel) (any, *problem) {
	q := c.r.URL.Query()
	limit := 50
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 100 {
			return nil, invalid("limit", "int value should be between 1 and 100.")
		}
		limit = n
	}
	var found []*Message
	for _, m := range s.messages[channel.ID] {
		if m.Deleted || q.Has("before") && !later(q.Get("before"), m.ID) || q.Has("after") && !later(m.ID, q.Get("after")) {
			continue
		}
		found = append(found, m.fetched())
	}
	if q.Has("after") {
		found = found[:min(limit, len(found))]
	} else {
		found = found[max(0, len(found)-limit):]
	}
	slices.Reverse(found)
	if found == nil {
		found = []*Message{}
	}
	return found, nil
}

func (s *Server) getMessage(_ *call, _ *Channel, m *Message) (any, *problem) { return m.fetched(), nil }

func (s *Server) createMessage(c *call, channel *Channel) (any, *problem) {
	if channel.Type == Category || channel.Type == Forum {
		return nil, errType
	}
	if channel.Type == DM && channel.Recipients[0].blocks {
		return nil, errBlocked
	}
	var r struct {
		Content   string                    `json:"content"`
		Nonce     any                       `json:"nonce"`
		Enforce   bool                      `json:"enforce_nonce"`
		Reference *Reference                `json:"message_reference"`
		Allowed   *struct{ Parse []string } `json:"allowed_mentions"`
		Flags     int                       `json:"flags"`
		Poll      *struct {
			Question PollMedia
			Answers  []struct {
				Media PollMedia `json:"poll_media"`
			}
			Duration int
			Several  bool `json:"allow_multiselect"`
		}
		Attachments []struct {
			ID       any    `json:"id"`
			Filename string `json:"filename"`
		} `json:"attachments"`
	}
	c.into(&r)
	r.Content = strings.TrimSpace(r.Content)
	m := &Message{ChannelID: channel.ID, Author: s.bot, Content: r.Content, Flags: r.Flags, Original: c.body}
	switch {
	case tooLong(r.Content, 2000):
		return nil, invalid("content", "Must be 2000 or fewer in length.")
	case len(c.raw) > largest:
		return nil, errLarge
	case strings.TrimSpace(r.Content) == "" && r.Poll == nil && len(c.files) == 0:
		return nil, errEmpty
	case len(c.files) > 0 && !s.can(s.bot.ID, channel, AttachFiles):
		return nil, errPermission
	case r.Poll != nil && !s.can(s.bot.ID, channel, SendPolls):
		return nil, errPermission
	}
	if r.Nonce != nil {
		m.Nonce = fmt.Sprint(r.Nonce)
		if len(m.Nonce) > 25 {
			return nil, invalid("nonce", "Must be 25 or fewer in length.")
		}
		if old, ok := s.nonces[channel.ID+m.Nonce]; r.Enforce && ok && s.now().Before(old.until) {
			if m := s.message(channel.ID, old.message); m != nil {
				return m, nil
			}
		}
	}
	if r.Reference != nil {
		if s.message(channel.ID, r.Reference.MessageID) == nil {
			if r.Reference.Fail == nil || *r.Reference.Fail {
				return nil, invalid("message_reference", "Unknown message")
			}
		} else {
			m.Reference = &Reference{MessageID: r.Reference.MessageID, ChannelID: channel.ID}
		}
	}
	if r.Poll != nil {
		if tooLong(r.Poll.Question.Text, 300) || len(r.Poll.Answers) < 1 || len(r.Poll.Answers) > 10 || r.Poll.Duration < 1 || r.Poll.Duration > 768 {
			return nil, invalid("poll", "Invalid poll.")
		}
		until := s.now().Add(time.Duration(r.Poll.Duration) * time.Hour)
		m.Poll = &Poll{Question: r.Poll.Question, Several: r.Poll.Several, Expiry: &until, Layout: 1}
		for i, a := range r.Poll.Answers {
			if tooLong(a.Media.Text, 55) {
				return nil, invalid("poll", "Must be 55 or fewer in length.")
			}
			m.Poll.Answers = append(m.Poll.Answers, PollAnswer{i + 1, a.Media})
		}
	}
	for _, a := range r.Attachments {
		name := fmt.Sprintf("files[%v]", a.ID)
		file, ok := c.files[name]
		if !ok {
			return nil, invalid("attachments", "There is no "+name)
		}
		if len(file.data) > 10<<20 {
			return nil, errLarge
		}
		m.Attachments = append(m.Attachments, s.attach(channel, file.name, file.kind, file.data))
	}
	m.Pinged = r.Allowed == nil || len(r.Allowed.Parse) > 0
	s.add(m)
	if m.Nonce != "" {
		s.nonces[channel.ID+m.Nonce] = nonce{m.ID, s.now().Add(nonceWindow)}
	}
	return m, nil
}

func (s *Server) editMessage(c *call, channel *Channel, m *Message) (any, *problem) {
	content, _ := c.body["content"].(string)
	switch {
	case m.Author.ID != s.bot.ID:
		return nil, errOtherAuthor
	case channel.IsThread() && channel.Metadata.Archived:
		return nil, errArchived
	case tooLong(content, 2000):
		return nil, invalid("content", "Must be 2000 or fewer in length.")
	case strings.TrimSpace(content) == "" && len(m.Attachments) == 0:
		return nil, errEmpty
	}
	s.rewrite(m, content)
	return m.fetched(), nil
}

func (s *Server) deleteMessage(_ *call, channel *Channel, m *Message) (any, *problem) {
	if m.Author.ID != s.bot.ID && !s.can(s.bot.ID, channel, ManageMessages) {
		return nil, errPermission
	}
	s.erase(m)
	return nil, nil
}

func (s *Server) bulkDelete(c *call, channel *Channel) (any, *problem) {
	var r struct{ Messages []string }
	c.into(&r)
	if len(r.Messages) < 2 || len(r.Messages) > 100 {
		return nil, invalid("messages", "Must be between 2 and 100 in length.")
	}
	for _, id := range r.Messages {
		if s.now().Sub(made(id)) > 14*24*time.Hour {
			return nil, errOld
		}
	}
	for _, id := range r.Messages {
		if m := s.message(channel.ID, id); m != nil {
			m.Deleted = true
		}
	}
	s.dispatch("MESSAGE_DELETE_BULK", channel.GuildID, map[string]any{"ids": r.Messages, "channel_id": channel.ID, "guild_id": channel.GuildID})
	return nil, nil
}

const crossposted = 1

func (s *Server) crosspost(_ *call, channel *Channel, m *Message) (any, *problem) {
	switch {
	case channel.Type != Announcement:
		return nil, errType
	case m.Flags&crossposted != 0:
		return nil, errCrossposted
	case m.Author.ID != s.bot.ID && !s.can(s.bot.ID, channel, ManageMessages):
		return nil, errPermission
	}
	m.Flags |= crossposted
	return m.fetched(), nil
}

func (s *Server) putReaction(c *call, channel *Channel, m *Message) (any, *problem) {
	emoji := c.path("emoji")
	if !known(emoji) {
		return nil, errEmoji
	}
	exists := slices.ContainsFunc(m.Reactions, func(r *Reaction) bool { return r.Emoji.String() == emoji })
	if !exists && !s.can(s.bot.ID, channel, AddReactions) {
		return nil, errPermission
	}
	s.react(s.bot, m, emoji)
	return nil, nil
}

func (s *Server) deleteReaction(c *call, _ *Channel, m *Message) (any, *problem) {
	emoji := c.path("emoji")
	if !known(emoji) {
		return nil, errEmoji
	}
	s.unreact(s.bot, m, emoji)
	return nil, nil
}

func (s *Server) listPins(_ *call, channel *Channel) (any, *problem) {
	items := []any{}
	for _, m := range slices.Backward(s.messages[channel.ID]) {
		if m.Pinned && !m.Deleted {
			items = append(items, map[string]any{"pinned_at": m.Timestamp, "message": m.fetched()})
		}
	}
	return map[string]any{"items": items, "has_more": false}, nil
}

func (s *Server) pin(yes bool) func(*call, *Channel, *Message) (any, *problem) {
	return func(_ *call, _ *Channel, m *Message) (any, *problem) {
		if m.Pinned != yes {
			m.Pinned = yes
			s.updated(m)
		}
		return nil, nil
	}
}

func (s *Server) showTyping(_ *call, channel *Channel) (any, *problem) {
	s.typing[channel.ID]++
	return nil, nil
}

func (s *Server) search(c *call, g *Guild) (any, *problem) {
	if s.indexing {
		return withStatus{202, map[string]any{"message": "Index not yet available. Try again later", "code": 110000, "documents_indexed": 0, "retry_after": 2}}, nil
	}
	q := c.r.URL.Query()
	limit, offset := 25, 0
	if q.Has("limit") {
		limit, _ = strconv.Atoi(q.Get("limit"))
	}
	if q.Has("offset") {
		offset, _ = strconv.Atoi(q.Get("offset"))
	}
	if limit < 1 || limit > 25 {
		return nil, invalid("limit", "int value should be between 1 and 25.")
	}
	var found []*Message
	for _, id := range s.order {
		channel := s.channels[id]
		if channel == nil || channel.GuildID != g.ID || !s.can(s.bot.ID, channel, ViewChannel|ReadHistory) {
			continue
		}
		if wanted := q["channel_id"]; len(wanted) > 0 && !slices.Contains(wanted, id) && (channel.ParentID == nil || !slices.Contains(wanted, *channel.ParentID)) {
			continue
		}
		for _, m := range s.messages[id] {
			if m.Deleted || !strings.Contains(strings.ToLower(m.Content), strings.ToLower(q.Get("content"))) ||
				q.Has("max_id") && !later(q.Get("max_id"), m.ID) || q.Has("min_id") && !later(m.ID, q.Get("min_id")) {
				continue
			}
			found = append(found, m.fetched())
		}
	}
	slices.SortFunc(found, func(a, b *Message) int {
		if later(a.ID, b.ID) {
			return -1
		}
		return 1
	})
	total := len(found)
	found = found[min(offset, total):min(offset+limit, total)]
	groups, threads := [][]*Message{}, []*Channel{}
	for _, m := range found {
		groups = append(groups, []*Message{m})
		if c := s.channels[m.ChannelID]; c.IsThread() {
			threads = append(threads, c)
		}
	}
	return map[string]any{"messages": groups, "threads": threads, "total_results": total, "doing_deep_historical_index": false}, nil
}
