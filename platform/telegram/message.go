package telegram

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/asidehq/aside/platform"
)

// convert makes a message of Telegram's, or all parts of an album, one of ours. Its files
// are still to be fetched.
func (t *Telegram) convert(m *message, parts []*message) (platform.Message, []media) {
	in := m.place()
	out := platform.Message{
		Room:   in.room(),
		Parent: in.parent(),
		ID:     strconv.Itoa(m.ID),
		Author: author(m),
		At:     time.Unix(m.Date, 0).UTC(),
		Direct: m.Chat.Type == "private",
	}
	self := t.me()
	var said []string
	var files []media
	for _, part := range parts {
		text, mentioned := t.text(part)
		out.Mentioned = out.Mentioned || mentioned
		if text != "" {
			said = append(said, text)
		}
		files = append(files, attached(part)...)
	}
	out.Text = strings.Join(said, "\n")
	if to := m.ReplyTo; to != nil && to.TopicMade == nil {
		out.ReplyTo = strconv.Itoa(to.ID)
		out.Mentioned = out.Mentioned || to.From != nil && to.From.ID == self.ID && self.ID != 0
	}
	if m.Quote != nil && m.Quote.Text != "" && !strings.HasPrefix(out.Text, "/") {
		out.Text = strings.TrimSpace(fmt.Sprintf("(quoting: %q) %s", m.Quote.Text, out.Text))
	}
	if m.From != nil && m.From.ID == self.ID && self.ID != 0 {
		out.Author = platform.Person{} // it is the agent's own
	}
	return out, files
}

// author is who wrote a message. Whoever writes as a group or a channel is that: nobody is
// told who it was.
func author(m *message) platform.Person {
	switch {
	case m.As != nil:
		return platform.Person{ID: strconv.FormatInt(m.As.ID, 10), Name: m.As.Title, Handle: m.As.Username, Bot: m.Automatic}
	case m.From != nil && m.From.ID != 0:
		return person(*m.From)
	}
	return platform.Person{}
}

func person(u user) platform.Person {
	return platform.Person{ID: strconv.FormatInt(u.ID, 10), Name: u.name(), Handle: u.Username, Bot: u.Bot}
}

// text is what a message says, and whether it calls the agent.
func (t *Telegram) text(m *message) (text string, mentioned bool) {
	self := t.me()
	words, entities := m.Text, m.Entities
	if words == "" {
		words, entities = m.Caption, m.CaptionEntities
	}
	units := utf16.Encode([]rune(words))
	called := -1 // where a call of the agent at the beginning ends
	for _, e := range entities {
		if e.Offset < 0 || e.Length <= 0 || e.Offset > len(units)-e.Length {
			continue
		}
		part := string(utf16.Decode(units[e.Offset : e.Offset+e.Length]))
		switch {
		case e.Type == "mention" && self.Username != "" && strings.EqualFold(part, "@"+self.Username),
			e.Type == "text_mention" && e.User != nil && e.User.ID == self.ID:
			mentioned = true
			if e.Offset == 0 {
				called = e.Length
			}
		case e.Type == "bot_command" && e.Offset == 0:
			command, to, addressed := strings.Cut(part, "@")
			if addressed && strings.EqualFold(to, self.Username) {
				mentioned = true
				words = command + string(utf16.Decode(units[e.Length:]))
			}
		}
	}
	// "@agent /confirm" says /confirm. What says nothing else stays as it is.
	if called > 0 {
		if rest := strings.TrimSpace(string(utf16.Decode(units[called:]))); rest != "" {
			words = rest
		}
	}
	if words == "" {
		words = besides(m)
	}
	return words, mentioned
}

// besides is what a message says that has no words.
func besides(m *message) string {
	switch {
	case m.Sticker != nil && m.Sticker.Emoji != "":
		return fmt.Sprintf("(sticker: %s)", m.Sticker.Emoji)
	case m.Location != nil:
		return fmt.Sprintf("(location: %.5f, %.5f)", m.Location.Latitude, m.Location.Longitude)
	case m.Contact != nil:
		return fmt.Sprintf("(contact: %s, %s)", strings.TrimSpace(m.Contact.First+" "+m.Contact.Last), m.Contact.Phone)
	case m.Poll != nil:
		return fmt.Sprintf("(poll: %s)", m.Poll.Question)
	case m.Dice != nil:
		return fmt.Sprintf("(%s %d)", m.Dice.Emoji, m.Dice.Value)
	}
	return ""
}

// attached are the files of a message.
func attached(m *message) []media {
	switch {
	case len(m.Photo) > 0:
		best := m.Photo[0]
		for _, p := range m.Photo[1:] {
			if p.Size >= best.Size {
				best = p
			}
		}
		best.Name, best.Type = fmt.Sprintf("photo-%d.jpg", m.ID), "image/jpeg"
		return []media{best}
	case m.Animation != nil: // a document as well, for those who do not know animations
		return named(m.Animation, fmt.Sprintf("animation-%d.mp4", m.ID), "video/mp4")
	case m.Document != nil:
		return named(m.Document, fmt.Sprintf("file-%d", m.ID), "")
	case m.Audio != nil:
		return named(m.Audio, fmt.Sprintf("audio-%d.mp3", m.ID), "audio/mpeg")
	case m.Voice != nil:
		return named(m.Voice, fmt.Sprintf("voice-%d.ogg", m.ID), "audio/ogg")
	case m.Video != nil:
		return named(m.Video, fmt.Sprintf("video-%d.mp4", m.ID), "video/mp4")
	case m.VideoNote != nil:
		return named(m.VideoNote, fmt.Sprintf("video-%d.mp4", m.ID), "video/mp4")
	case m.Sticker != nil && !m.Sticker.Animated && !m.Sticker.Video:
		return named(m.Sticker, fmt.Sprintf("sticker-%d.webp", m.ID), "image/webp")
	}
	return nil
}

func named(f *media, otherwise, kind string) []media {
	one := *f
	if one.Name == "" {
		one.Name = otherwise
	}
	if one.Type == "" {
		one.Type = kind
	}
	return []media{one}
}
