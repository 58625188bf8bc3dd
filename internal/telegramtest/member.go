package telegramtest

import (
	"net/http"
	"strings"
)

func (s *Server) getChat(c *call) (any, *Problem) {
	chat := s.chats[c.long("chat_id")]
	if chat == nil {
		return nil, bad("chat not found")
	}
	out := s.chat(chat)
	out["accent_color_id"], out["max_reaction_count"] = 0, 11
	if chat.with == nil {
		may := map[string]any{}
		for _, right := range everyday {
			allowed, said := chat.Permissions[right]
			may[right] = allowed || !said
		}
		out["permissions"] = may
	}
	for _, m := range chat.messages {
		if m.Pinned && !m.Deleted {
			out["pinned_message"] = s.message(chat, m)
		}
	}
	return out, nil
}

var everyday = []string{
	"can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos", "can_send_video_notes",
	"can_send_voice_notes", "can_send_polls", "can_send_other_messages", "can_add_web_page_previews", "can_change_info",
	"can_invite_users", "can_pin_messages", "can_manage_topics",
}

// member is somebody in the group of a request.
func (s *Server) member(c *call) (*Chat, *Member, *Problem) {
	chat, problem := s.in(c)
	if problem != nil {
		return nil, nil, problem
	}
	u := s.users[c.long("user_id")]
	if u == nil {
		return nil, nil, bad("user not found")
	}
	m := chat.members[u.ID]
	if m == nil {
		m = &Member{User: u, Status: "left"}
	}
	return chat, m, nil
}

func (s *Server) getChatMember(c *call) (any, *Problem) {
	chat, m, problem := s.member(c)
	if problem != nil {
		return nil, problem
	}
	if chat.with != nil {
		return map[string]any{"status": "member", "user": user(m.User)}, nil
	}
	out := map[string]any{"status": m.Status, "user": user(m.User)}
	switch m.Status {
	case "creator":
		out["is_anonymous"] = false
	case "administrator":
		for _, right := range []string{
			"can_be_edited", "is_anonymous", "can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members",
			"can_promote_members", "can_change_info", "can_invite_users", "can_post_stories", "can_edit_stories", "can_delete_stories",
			"can_pin_messages", "can_manage_topics",
		} {
			out[right] = m.Rights[right]
		}
	case "restricted":
		out["is_member"], out["until_date"] = true, m.Until
		for _, right := range everyday {
			out[right] = m.Rights[right]
		}
	case "kicked":
		out["until_date"] = m.Until
	}
	return out, nil
}

// moderates checks that the bot may do something to somebody.
func (s *Server) moderates(chat *Chat, m *Member) *Problem {
	switch {
	case chat.with != nil:
		return bad("chat member status can't be changed in private chats")
	case !chat.members[s.bot.ID].Rights["can_restrict_members"]:
		return bad("not enough rights to restrict/unrestrict chat member")
	case m.Status == "creator":
		return bad("can't remove chat owner")
	case m.Status == "administrator":
		return bad("user is an administrator of the chat")
	}
	return nil
}

func (s *Server) restrictChatMember(c *call) (any, *Problem) {
	chat, m, problem := s.member(c)
	if problem == nil {
		problem = s.moderates(chat, m)
	}
	if problem != nil {
		return nil, problem
	}
	if chat.Type != "supergroup" {
		return nil, bad("method is available only for supergroups")
	}
	m.Rights = map[string]bool{}
	if !c.object("permissions", &m.Rights) {
		return nil, bad("can't parse chat permissions")
	}
	m.Until = c.long("until_date")
	m.Status = "restricted"
	if m.Rights["can_send_messages"] {
		m.Status = "member"
	}
	chat.members[m.User.ID] = m
	return true, nil
}

func (s *Server) banChatMember(c *call) (any, *Problem) {
	chat, m, problem := s.member(c)
	if problem == nil {
		problem = s.moderates(chat, m)
	}
	if problem != nil {
		return nil, problem
	}
	m.Status = "kicked"
	chat.members[m.User.ID] = m
	return true, nil
}

func (s *Server) unbanChatMember(c *call) (any, *Problem) {
	chat, m, problem := s.member(c)
	if problem != nil {
		return nil, problem
	}
	if m.Status == "kicked" {
		m.Status = "left"
	} else if !c.yes("only_if_banned") {
		m.Status = "left"
	}
	chat.members[m.User.ID] = m
	return true, nil
}

func (s *Server) createForumTopic(c *call) (any, *Problem) {
	chat, problem := s.in(c)
	if problem != nil {
		return nil, problem
	}
	if !chat.Forum {
		return nil, bad("the chat is not a forum")
	}
	name := c.text("name")
	if name == "" || units(name) > 128 {
		return nil, bad("topic name is invalid")
	}
	id := s.addTopic(chat, name, s.bot)
	return map[string]any{"message_thread_id": id, "name": name, "icon_color": 7322096}, nil
}

func (s *Server) topic(c *call, change func(*Topic)) (any, *Problem) {
	chat, problem := s.in(c)
	if problem != nil {
		return nil, problem
	}
	topic := chat.topics[c.number("message_thread_id")]
	if topic == nil {
		return nil, bad("TOPIC_ID_INVALID")
	}
	change(topic)
	return true, nil
}

func (s *Server) editForumTopic(c *call) (any, *Problem) {
	return s.topic(c, func(t *Topic) { t.Name = c.text("name") })
}

func (s *Server) closeForumTopic(c *call) (any, *Problem) {
	return s.topic(c, func(t *Topic) { t.Closed = true })
}

func (s *Server) reopenForumTopic(c *call) (any, *Problem) {
	return s.topic(c, func(t *Topic) { t.Closed = false })
}

const largestDownload = 20 << 20

func (s *Server) getFile(c *call) (any, *Problem) {
	f, ok := s.files[c.text("file_id")]
	if !ok {
		return nil, bad("wrong file_id or the file is temporarily unavailable")
	}
	if len(f.Data) > largestDownload {
		return nil, bad("file is too big")
	}
	return map[string]any{"file_id": f.ID, "file_unique_id": "u" + f.ID, "file_size": len(f.Data), "file_path": "documents/" + f.ID}, nil
}

// download serves the bytes of a file.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	f, ok := s.files[strings.TrimPrefix(r.PathValue("path"), "documents/")]
	fault := s.fault("download")
	s.mu.Unlock()
	switch {
	case r.PathValue("token") != Token:
		answer(w, nil, &Problem{http.StatusUnauthorized, "Unauthorized", nil})
	case fault != nil:
		fault.answer(w)
	case !ok:
		answer(w, nil, &Problem{http.StatusNotFound, "Not Found", nil})
	default:
		_, _ = w.Write(f.Data)
	}
}
