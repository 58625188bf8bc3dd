package slacktest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func (s *Server) history(c *call) answer {
	at, problem := s.readable(c)
	if problem != nil {
		return problem
	}
	return s.messagesOf(c, at, func(m *Message) bool { return m.ThreadTS == "" || m.ThreadTS == m.TS || m.Broadcast }, true)
}

func (s *Server) repliesTo(c *call) answer {
	at, problem := s.readable(c)
	if problem != nil {
		return problem
	}
	parent := s.message(at.ID, c.get("ts"))
	if parent == nil {
		return no("thread_not_found")
	}
	if first := s.message(at.ID, parent.ThreadTS); first != nil {
		parent = first
	}
	c.values.Set("ts", parent.TS) // which always comes
	return s.messagesOf(c, at, func(m *Message) bool { return m.TS == parent.TS || m.ThreadTS == parent.TS }, false)
}

// readable is a channel whose messages the bot may read.
func (s *Server) readable(c *call) (*Channel, answer) {
	at, problem := s.place(c)
	if problem == nil && !contains(at.members, s.bot.ID) {
		return nil, no("not_in_channel")
	}
	return at, problem
}

// messagesOf gives messages of a channel: a history newest first, replies oldest first,
// the first of them always included.
func (s *Server) messagesOf(c *call, at *Channel, of func(*Message) bool, backward bool) answer {
	oldest, latest, both := c.get("oldest"), c.get("latest"), c.flag("inclusive")
	after := func(ts, than string) bool { return number(ts) > number(than) || both && ts == than }
	var all []map[string]any
	for _, m := range s.messages[at.ID] {
		if m.Deleted || !of(m) {
			continue
		}
		parent := !backward && m.TS == c.get("ts")
		if !parent && (oldest != "" && !after(m.TS, oldest) || latest != "" && !after(latest, m.TS)) {
			continue
		}
		all = append(all, s.json(m, c.flag("include_all_metadata")))
	}
	if backward {
		slices.Reverse(all)
	}
	if all == nil {
		all = []map[string]any{}
	}
	return page(c, all, answer{}, "messages")
}

func number(ts string) int64 {
	seconds, micros, _ := strings.Cut(ts, ".")
	a, _ := strconv.ParseInt(seconds, 10, 64)
	b, _ := strconv.ParseInt((micros + "000000")[:6], 10, 64)
	return a*1e6 + b
}

func (s *Server) listing(c *call, of func(*Channel) bool) answer {
	types := strings.Split(c.get("types"), ",")
	if c.get("types") == "" {
		types = []string{"public_channel"}
	}
	names := map[string]string{"channel": "public_channel", "group": "private_channel", "im": "im", "mpim": "mpim"}
	all := []map[string]any{}
	for _, at := range s.channels {
		if contains(types, names[at.kind()]) && of(at) && !(c.flag("exclude_archived") && at.Archived) {
			all = append(all, at.json(s.bot.ID))
		}
	}
	return page(c, all, answer{}, "channels")
}

func (s *Server) listChannels(c *call) answer {
	return s.listing(c, func(at *Channel) bool { return at.kind() == "channel" || contains(at.members, s.bot.ID) })
}

func (s *Server) listOwn(c *call) answer {
	who := c.get("user")
	if who == "" {
		who = s.bot.ID
	}
	return s.listing(c, func(at *Channel) bool {
		return contains(at.members, who) && (at.kind() == "channel" || contains(at.members, s.bot.ID))
	})
}

func (s *Server) channelInfo(c *call) answer {
	at, problem := s.place(c)
	if problem != nil {
		return problem
	}
	return answer{"channel": at.json(s.bot.ID)}
}

func (s *Server) listMembers(c *call) answer {
	at, problem := s.place(c)
	if problem != nil {
		return problem
	}
	return page(c, at.members, answer{}, "members")
}

var channelName = regexp.MustCompile(`^[\p{Ll}\p{Lo}\p{N}_-]{1,80}$`)

func (s *Server) createChannel(c *call) answer {
	name := c.get("name")
	switch {
	case !channelName.MatchString(name):
		return no("invalid_name_specials")
	case slices.ContainsFunc(s.channels, func(at *Channel) bool { return at.Name == name }):
		return no("name_taken")
	}
	at := &Channel{ID: s.id("C"), Name: name, Creator: s.bot.ID, Private: c.flag("is_private"), members: []string{s.bot.ID}}
	s.channels = append(s.channels, at)
	return answer{"channel": at.json(s.bot.ID)}
}

func (s *Server) renameChannel(c *call) answer {
	at, problem := s.inside(c)
	switch {
	case problem != nil:
		return problem
	case !channelName.MatchString(c.get("name")):
		return no("invalid_name_specials")
	case at.Creator != s.bot.ID:
		return no("not_authorized")
	}
	at.Name = c.get("name")
	return answer{"channel": at.json(s.bot.ID)}
}

func (s *Server) setTopic(c *call) answer {
	at, problem := s.inside(c)
	if problem != nil {
		return problem
	}
	at.Topic = c.get("topic")
	return answer{"channel": at.json(s.bot.ID)}
}

func (s *Server) archive(c *call) answer {
	at, problem := s.place(c)
	switch {
	case problem != nil:
		return problem
	case at.Archived:
		return no("already_archived")
	case at.Name == "general":
		return no("cant_archive_general")
	}
	at.Archived = true
	return answer{}
}
