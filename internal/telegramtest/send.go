package telegramtest

import (
	"net/http"
	"strings"
)

const (
	longestText    = 4096
	longestCaption = 1024
	largestFile    = 50 << 20
	largestPhoto   = 10 << 20
)

// in is the chat of a request, in which the bot may write.
func (s *Server) in(c *call) (*Chat, *Problem) {
	chat := s.chats[c.long("chat_id")]
	switch {
	case chat == nil:
		return nil, bad("chat not found")
	case chat.movedTo != 0:
		p := bad("group chat was upgraded to a supergroup chat")
		p.Parameters = map[string]any{"migrate_to_chat_id": chat.movedTo}
		return nil, p
	case chat.with != nil && chat.with.Blocked:
		return nil, &Problem{http.StatusForbidden, "Forbidden: bot was blocked by the user", nil}
	}
	if chat.with == nil {
		switch m := chat.members[s.bot.ID]; {
		case m == nil || m.Status == "left" || m.Status == "kicked":
			return nil, &Problem{http.StatusForbidden, "Forbidden: bot was kicked from the " + chat.Type + " chat", nil}
		case m.Status == "restricted":
			return nil, bad("not enough rights to send text messages to the chat")
		}
	}
	return chat, nil
}

// begin is a message that a request asks for, without what is in it.
func (s *Server) begin(c *call) (*Chat, *Message, *Problem) {
	chat, problem := s.in(c)
	if problem != nil {
		return nil, nil, problem
	}
	m := &Message{From: s.bot, Thread: c.number("message_thread_id")}
	if m.Thread != 0 {
		topic := chat.topics[m.Thread]
		switch {
		case topic == nil:
			return nil, nil, bad("message thread not found")
		case topic.Closed:
			return nil, nil, bad("TOPIC_CLOSED")
		}
	}
	var reply struct {
		MessageID int  `json:"message_id"`
		Without   bool `json:"allow_sending_without_reply"`
	}
	if c.object("reply_parameters", &reply) {
		if chat.find(reply.MessageID) != nil {
			m.ReplyTo = reply.MessageID
		} else if !reply.Without {
			return nil, nil, bad("message to be replied not found")
		}
	}
	if problem := c.buttons(m); problem != nil {
		return nil, nil, problem
	}
	return chat, m, nil
}

// buttons reads the keyboard.
func (c *call) buttons(m *Message) *Problem {
	var markup struct {
		Rows [][]struct {
			Text string
			Data string `json:"callback_data"`
		} `json:"inline_keyboard"`
	}
	m.Buttons = nil
	c.object("reply_markup", &markup)
	for _, row := range markup.Rows {
		for _, b := range row {
			if b.Text == "" || b.Data == "" || len(b.Data) > 64 {
				return bad("BUTTON_DATA_INVALID")
			}
			m.Buttons = append(m.Buttons, b.Data)
		}
	}
	return nil
}

// words reads a text with its parse mode.
func (c *call) words(name string, most int) (string, []Entity, *Problem) {
	text := c.text(name)
	var entities []Entity
	switch mode := c.text("parse_mode"); mode {
	case "":
	case "HTML":
		var problem *Problem
		if text, entities, problem = parseHTML(text); problem != nil {
			return "", nil, problem
		}
	default:
		return "", nil, bad("unsupported parse_mode")
	}
	text = strings.TrimRight(text, " \n\t")
	trimmed := strings.TrimLeft(text, "\n")
	if n := units(text) - units(trimmed); n > 0 {
		for i := range entities {
			entities[i].Offset -= n
		}
		text = trimmed
	}
	if units(text) > most {
		if name == "text" {
			return "", nil, bad("message is too long")
		}
		return "", nil, bad("message caption is too long")
	}
	return text, entities, nil
}

func (s *Server) sendMessage(c *call) (any, *Problem) {
	chat, m, problem := s.begin(c)
	if problem != nil {
		return nil, problem
	}
	if m.Text, m.Entities, problem = c.words("text", longestText); problem != nil {
		return nil, problem
	}
	if strings.TrimSpace(m.Text) == "" {
		return nil, bad("message text is empty")
	}
	return s.message(chat, s.put(chat, m)), nil
}

func (s *Server) sendFile(c *call) (any, *Problem) {
	chat, m, problem := s.begin(c)
	if problem != nil {
		return nil, problem
	}
	m.Kind = strings.ToLower(strings.TrimPrefix(c.method, "send"))
	if m.Text, m.Entities, problem = c.words("caption", longestCaption); problem != nil {
		return nil, problem
	}
	file, ok := c.files[m.Kind]
	if !ok {
		return nil, bad("there is no %s in the request", m.Kind)
	}
	if problem := fits(m.Kind, file); problem != nil {
		return nil, problem
	}
	kept := s.keep(file)
	m.File = &kept
	return s.message(chat, s.put(chat, m)), nil
}

func fits(kind string, f File) *Problem {
	switch {
	case len(f.Data) == 0:
		return bad("file must be non-empty")
	case len(f.Data) > largestFile:
		return &Problem{http.StatusRequestEntityTooLarge, "Request Entity Too Large", nil}
	case kind == "photo" && len(f.Data) > largestPhoto:
		return bad("file of size %d bytes is too big for a photo; the maximum size is %d bytes", len(f.Data), largestPhoto)
	case kind == "voice" && !isVoice(f.Data):
		return bad("can't use file of type %s as VoiceNote", http.DetectContentType(f.Data))
	case kind == "photo" && !strings.HasPrefix(http.DetectContentType(f.Data), "image/"):
		return bad("IMAGE_PROCESS_FAILED")
	}
	return nil
}

func (s *Server) sendPoll(c *call) (any, *Problem) {
	chat, m, problem := s.begin(c)
	if problem != nil {
		return nil, problem
	}
	var options []struct{ Text string }
	c.object("options", &options)
	m.Poll = &Poll{Question: c.text("question"), Several: c.yes("allows_multiple_answers")}
	for _, o := range options {
		if units(o.Text) > 100 || o.Text == "" {
			return nil, bad("poll options length must not exceed 100")
		}
		m.Poll.Options = append(m.Poll.Options, o.Text)
	}
	switch {
	case m.Poll.Question == "" || units(m.Poll.Question) > 300:
		return nil, bad("poll question length must not exceed 300")
	case len(options) < 2:
		return nil, bad("poll must have at least 2 option")
	case len(options) > 12:
		return nil, bad("poll can't have more than 12 options")
	}
	return s.message(chat, s.put(chat, m)), nil
}

func (s *Server) sendChatAction(c *call) (any, *Problem) {
	chat, problem := s.in(c)
	if problem != nil {
		return nil, problem
	}
	chat.typing++
	return true, nil
}
