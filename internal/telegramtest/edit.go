package telegramtest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// own is the message that a request wants to change, which is the bot's.
func (s *Server) own(c *call) (*Chat, *Message, *Problem) {
	chat, problem := s.in(c)
	if problem != nil {
		return nil, nil, problem
	}
	m := chat.find(c.number("message_id"))
	switch {
	case m == nil:
		return nil, nil, bad("message to edit not found")
	case m.From != s.bot || m.Service != nil:
		return nil, nil, bad("message can't be edited")
	}
	return chat, m, nil
}

const notModified = "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"

func (s *Server) editMessageText(c *call) (any, *Problem) {
	chat, m, problem := s.own(c)
	if problem != nil {
		return nil, problem
	}
	if m.File != nil || m.Poll != nil {
		return nil, bad("there is no text in the message to edit")
	}
	var next Message
	if next.Text, next.Entities, problem = c.words("text", longestText); problem != nil {
		return nil, problem
	}
	if strings.TrimSpace(next.Text) == "" {
		return nil, bad("message text is empty")
	}
	if problem := c.buttons(&next); problem != nil {
		return nil, problem
	}
	if next.Text == m.Text && same(next.Entities, m.Entities) && slices.Equal(next.Buttons, m.Buttons) {
		return nil, bad("%s", notModified)
	}
	m.Text, m.Entities, m.Buttons = next.Text, next.Entities, next.Buttons
	m.Seen = append(m.Seen, m.Text)
	return s.message(chat, m), nil
}

func same(a, b []Entity) bool { return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b) }

func (s *Server) editMessageCaption(c *call) (any, *Problem) {
	chat, m, problem := s.own(c)
	if problem != nil {
		return nil, problem
	}
	if m.File == nil {
		return nil, bad("there is no caption in the message to edit")
	}
	var next Message
	if next.Text, next.Entities, problem = c.words("caption", longestCaption); problem != nil {
		return nil, problem
	}
	if problem := c.buttons(&next); problem != nil {
		return nil, problem
	}
	if next.Text == m.Text && same(next.Entities, m.Entities) && slices.Equal(next.Buttons, m.Buttons) {
		return nil, bad("%s", notModified)
	}
	m.Text, m.Entities, m.Buttons = next.Text, next.Entities, next.Buttons
	m.Seen = append(m.Seen, m.Text)
	return s.message(chat, m), nil
}

// editMessageMedia puts a file into a message, also into one that has had only a text.
func (s *Server) editMessageMedia(c *call) (any, *Problem) {
	chat, m, problem := s.own(c)
	if problem != nil {
		return nil, problem
	}
	var media struct {
		Type, Media, Caption string
		ParseMode            string `json:"parse_mode"`
	}
	if !c.object("media", &media) {
		return nil, bad("can't parse InputMedia")
	}
	switch media.Type {
	case "photo", "document", "audio", "video", "animation":
	default:
		return nil, bad("can't parse InputMedia: type must be one of animation, audio, document, photo, video")
	}
	if m.Poll != nil {
		return nil, bad("message can't be edited")
	}
	name, ok := strings.CutPrefix(media.Media, "attach://")
	file, there := c.files[name]
	if !ok || !there {
		return nil, bad("wrong file identifier/HTTP URL specified")
	}
	if problem := fits(media.Type, file); problem != nil {
		return nil, problem
	}
	caption := &call{params: map[string]any{"caption": media.Caption, "parse_mode": media.ParseMode}}
	text, entities, problem := caption.words("caption", longestCaption)
	if problem != nil {
		return nil, problem
	}
	var next Message
	if problem := c.buttons(&next); problem != nil {
		return nil, problem
	}
	kept := s.keep(file)
	m.File, m.Kind, m.Text, m.Entities, m.Buttons = &kept, media.Type, text, entities, next.Buttons
	m.Seen = append(m.Seen, text)
	return s.message(chat, m), nil
}

func (s *Server) deleteMessage(c *call) (any, *Problem) {
	chat, problem := s.in(c)
	if problem != nil {
		return nil, problem
	}
	m := chat.find(c.number("message_id"))
	if m == nil {
		return nil, bad("message to delete not found")
	}
	if m.From != s.bot && chat.with == nil && !chat.members[s.bot.ID].Rights["can_delete_messages"] {
		return nil, bad("message can't be deleted")
	}
	m.Deleted = true
	return true, nil
}

// accepted are the emoji that Telegram takes as reactions.
const accepted = "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡"

func (s *Server) setMessageReaction(c *call) (any, *Problem) {
	chat, problem := s.in(c)
	if problem != nil {
		return nil, problem
	}
	m := chat.find(c.number("message_id"))
	if m == nil {
		return nil, bad("message to react not found")
	}
	var all []struct{ Type, Emoji string }
	if c.has("reaction") && !c.object("reaction", &all) {
		return nil, bad("can't parse ReactionType")
	}
	if len(all) > 1 {
		return nil, bad("REACTIONS_TOO_MANY")
	}
	if len(all) == 0 {
		delete(m.Reactions, s.bot.ID)
		return true, nil
	}
	if all[0].Type != "emoji" || !slices.Contains(strings.Fields(accepted), all[0].Emoji) {
		return nil, bad("REACTION_INVALID")
	}
	m.Reactions[s.bot.ID] = all[0].Emoji
	return true, nil
}

func (s *Server) answerCallbackQuery(c *call) (any, *Problem) {
	s.answers[c.text("callback_query_id")]++
	return true, nil
}

func (s *Server) pinChatMessage(c *call) (any, *Problem)   { return s.pin(c, true) }
func (s *Server) unpinChatMessage(c *call) (any, *Problem) { return s.pin(c, false) }

func (s *Server) pin(c *call, yes bool) (any, *Problem) {
	chat, problem := s.in(c)
	if problem != nil {
		return nil, problem
	}
	if chat.with == nil && !chat.members[s.bot.ID].Rights["can_pin_messages"] {
		return nil, bad("not enough rights to manage pinned messages in the chat")
	}
	m := chat.find(c.number("message_id"))
	if m == nil {
		return nil, bad("message to pin not found")
	}
	m.Pinned = yes
	return true, nil
}

// An Entity is a stretch of a text that looks different, counted as Telegram does.
type Entity struct {
	Type           string
	Offset, Length int
	URL, Language  string
	User           *User
}

func entitiesJSON(all []Entity) []map[string]any {
	var out []map[string]any
	for _, e := range all {
		one := map[string]any{"type": e.Type, "offset": e.Offset, "length": e.Length}
		if e.URL != "" {
			one["url"] = e.URL
		}
		if e.Language != "" {
			one["language"] = e.Language
		}
		if e.User != nil {
			one["user"] = user(e.User)
		}
		out = append(out, one)
	}
	return out
}

// JSON is a value as it is sent, for tests that look at one.
func JSON(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}
