package discordtest

import "net/http"

func (s *Server) channelRoutes() map[string]handler {
	return map[string]handler{
		"GET /channels/{channel}":                             s.in(ViewChannel, s.getChannel),
		"PATCH /channels/{channel}":                           s.in(ViewChannel, s.editChannel),
		"DELETE /channels/{channel}":                          s.in(ViewChannel|ManageChannels, s.deleteChannel),
		"POST /channels/{channel}/threads":                    s.in(ViewChannel, s.createThread),
		"POST /channels/{channel}/messages/{message}/threads": s.on(ViewChannel|CreateThreads, s.createThreadAt),
		"GET /channels/{channel}/threads/archived/public":     s.in(ViewChannel|ReadHistory, s.archivedThreads),
		"GET /channels/{channel}/thread-members/{user}":       s.in(ViewChannel, s.threadMember),
	}
}

func (s *Server) getChannel(_ *call, channel *Channel) (any, *problem) { return channel, nil }

// A channelRequest is what channels are made and changed with.
type channelRequest struct {
	Name        *string   `json:"name"`
	Type        int       `json:"type"`
	Topic       *string   `json:"topic"`
	Position    *int      `json:"position"`
	ParentID    *string   `json:"parent_id"`
	Archived    *bool     `json:"archived"`
	AppliedTags *[]string `json:"applied_tags"`
	Tags        *[]Tag    `json:"available_tags"`
	AutoArchive int       `json:"auto_archive_duration"`
	Message     *struct {
		Content string    `json:"content"`
		Allowed *struct{} `json:"allowed_mentions"`
	} `json:"message"`
}

func (r channelRequest) problem() *problem {
	switch {
	case r.Name != nil && (*r.Name == "" || tooLong(*r.Name, 100)):
		return invalid("name", "Must be between 1 and 100 in length.")
	case r.Topic != nil && tooLong(*r.Topic, 4096):
		return invalid("topic", "Must be 4096 or fewer in length.")
	case r.AppliedTags != nil && len(*r.AppliedTags) > 5:
		return invalid("applied_tags", "Must be 5 or fewer in length.")
	case r.Tags != nil && len(*r.Tags) > 20:
		return invalid("available_tags", "Must be 20 or fewer in length.")
	}
	return nil
}

func (s *Server) editChannel(c *call, channel *Channel) (any, *problem) {
	var r channelRequest
	c.into(&r)
	if p := r.problem(); p != nil {
		return nil, p
	}
	need := ManageChannels
	if channel.IsThread() {
		need = ManageThreads
		if channel.OwnerID == s.bot.ID {
			need = SendInThreads
		}
		if channel.Metadata.Archived && (r.Archived == nil || *r.Archived) {
			return nil, errArchived
		}
	}
	if !s.can(s.bot.ID, channel, need) {
		return nil, errPermission
	}
	if p := s.checkTags(channel, r.AppliedTags); p != nil {
		return nil, p
	}
	if r.Name != nil {
		channel.Name = *r.Name
	}
	if r.Topic != nil {
		channel.Topic = r.Topic
	}
	if r.Position != nil {
		channel.Position = *r.Position
	}
	if c.has("parent_id") {
		if r.ParentID != nil && (s.channels[*r.ParentID] == nil || s.channels[*r.ParentID].Type != Category) {
			return nil, invalid("parent_id", "Category does not exist")
		}
		channel.ParentID = r.ParentID
	}
	if r.Archived != nil {
		s.archive(channel, s.bot, *r.Archived)
	}
	if r.AppliedTags != nil {
		channel.AppliedTags = *r.AppliedTags
	}
	if r.Tags != nil {
		channel.AvailableTags = nil
		for _, tag := range *r.Tags {
			if tag.ID == "" {
				tag.ID = s.id()
			}
			channel.AvailableTags = append(channel.AvailableTags, tag)
		}
	}
	s.dispatch(s.channelEvent(channel, "UPDATE"), channel.GuildID, channel)
	return channel, nil
}

func (s *Server) deleteChannel(_ *call, channel *Channel) (any, *problem) {
	delete(s.channels, channel.ID)
	s.dispatch(s.channelEvent(channel, "DELETE"), channel.GuildID, channel)
	return channel, nil
}

func (s *Server) createThread(c *call, channel *Channel) (any, *problem) {
	var r channelRequest
	c.into(&r)
	if r.Name == nil {
		return nil, invalid("name", "This field is required")
	}
	if p := r.problem(); p != nil {
		return nil, p
	}
	if channel.Type == Forum {
		if r.Message == nil || r.Message.Content == "" {
			return nil, invalid("message", "This field is required")
		}
		if !s.can(s.bot.ID, channel, SendMessages) {
			return nil, errPermission
		}
		t := &Channel{GuildID: channel.GuildID, ParentID: &channel.ID, Type: PublicThread}
		if p := s.checkTags(t, r.AppliedTags); p != nil {
			return nil, p
		}
		t = s.addThread(channel, *r.Name, PublicThread, s.bot.ID)
		if r.AppliedTags != nil {
			t.AppliedTags = *r.AppliedTags
		}
		if r.AutoArchive != 0 {
			t.Metadata.AutoArchive = r.AutoArchive
		}
		m := &Message{ID: t.ID, ChannelID: t.ID, Author: s.bot, Content: r.Message.Content, Original: c.body, Pinged: r.Message.Allowed == nil}
		s.add(m)
		return withStatus{http.StatusCreated, struct {
			*Channel
			Message *Message `json:"message"`
		}{t, m.fetched()}}, nil
	}
	switch {
	case channel.Type != Text && channel.Type != Announcement:
		return nil, errType
	case r.Type != PublicThread && r.Type != AnnouncementThread:
		return nil, invalid("type", "Value must be one of {10, 11}.")
	case (r.Type == AnnouncementThread) != (channel.Type == Announcement):
		return nil, errType
	case !s.can(s.bot.ID, channel, CreateThreads):
		return nil, errPermission
	}
	t := s.addThread(channel, *r.Name, r.Type, s.bot.ID)
	if r.AutoArchive != 0 {
		t.Metadata.AutoArchive = r.AutoArchive
	}
	return withStatus{http.StatusCreated, t}, nil
}

func (s *Server) createThreadAt(c *call, channel *Channel, m *Message) (any, *problem) {
	var r channelRequest
	c.into(&r)
	if r.Name == nil {
		return nil, invalid("name", "This field is required")
	}
	if p := r.problem(); p != nil {
		return nil, p
	}
	if s.channels[m.ID] != nil {
		return nil, &problem{400, 160004, "A thread has already been created for this message", nil}
	}
	kind := PublicThread
	if channel.Type == Announcement {
		kind = AnnouncementThread
	}
	// The thread has the message's id, so it cannot be made as others are.
	t := &Channel{
		ID: m.ID, Type: kind, GuildID: channel.GuildID, Name: *r.Name, ParentID: &channel.ID, OwnerID: s.bot.ID,
		Metadata: &ThreadMetadata{AutoArchive: 1440, ArchivedAt: s.now()}, members: map[string]bool{},
	}
	if r.AutoArchive != 0 {
		t.Metadata.AutoArchive = r.AutoArchive
	}
	return withStatus{http.StatusCreated, s.addChannel(t)}, nil
}

func (s *Server) threadMember(c *call, channel *Channel) (any, *problem) {
	if !channel.members[c.path("user")] {
		return nil, errMember
	}
	return map[string]any{"id": channel.ID, "user_id": c.path("user"), "join_timestamp": s.now(), "flags": 0}, nil
}
