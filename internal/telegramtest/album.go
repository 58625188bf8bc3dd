package telegramtest

import (
	"bytes"
	"strings"
)

// An item is a file of an album as it is asked for.
type item struct {
	Type, Media, Caption string
	ParseMode            string `json:"parse_mode"`
}

// sendMediaGroup sends an album: all of it, or nothing.
func (s *Server) sendMediaGroup(c *call) (any, *Problem) {
	chat, first, problem := s.begin(c)
	if problem != nil {
		return nil, problem
	}
	var items []item
	if !c.object("media", &items) {
		return nil, bad("can't parse media: expected an Array of InputMedia")
	}
	if len(items) < 2 || len(items) > 10 {
		return nil, bad("media group must include 2-10 items")
	}
	var parts []*Message
	for _, one := range items {
		m := *first
		if problem := c.fillItem(&m, one, items[0]); problem != nil {
			return nil, problem
		}
		parts = append(parts, &m)
	}
	album := "album" + s.next()
	var out []any
	for _, m := range parts {
		kept := s.keep(*m.File)
		m.File, m.Album = &kept, album
		out = append(out, s.message(chat, s.put(chat, m)))
	}
	return out, nil
}

// fillItem puts what an item asks for into a message.
func (c *call) fillItem(m *Message, one, first item) *Problem {
	switch one.Type {
	case "photo", "video", "document", "audio":
	default:
		return bad("can't parse InputMedia: type %q can't be in an album", one.Type)
	}
	if company(one.Type) != company(first.Type) {
		return bad("%s can't be mixed with other media types", one.Type)
	}
	name, ok := strings.CutPrefix(one.Media, "attach://")
	file, there := c.files[name]
	if !ok || !there {
		return bad("wrong file identifier/HTTP URL specified")
	}
	if problem := fits(one.Type, file); problem != nil {
		return problem
	}
	words := &call{params: map[string]any{"caption": one.Caption, "parse_mode": one.ParseMode}}
	var problem *Problem
	if m.Text, m.Entities, problem = words.words("caption", longestCaption); problem != nil {
		return problem
	}
	m.Kind, m.File = one.Type, &file
	return nil
}

// company is what can be in an album with a kind of file.
func company(kind string) string {
	if kind == "video" {
		return "photo"
	}
	return kind
}

// isVoice tells whether a sound can be a voice message: Ogg with Opus, MP3 or M4A.
func isVoice(data []byte) bool {
	ogg := bytes.HasPrefix(data, []byte("OggS")) && bytes.Contains(data, []byte("OpusHead"))
	mp3 := bytes.HasPrefix(data, []byte("ID3")) || len(data) > 1 && data[0] == 0xff && data[1]&0xe0 == 0xe0
	m4a := len(data) > 10 && string(data[4:10]) == "ftypM4"
	return ogg || mp3 || m4a
}

// SendLate sends pictures of the bot's that nobody waits for any more: what was asked for long
// ago and is done only now. Several are an album.
func (s *Server) SendLate(chat *Chat, text string, pictures ...[]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	album := ""
	if len(pictures) > 1 {
		album = "album" + s.next()
	}
	for _, data := range pictures {
		kept := s.keep(File{Data: data})
		s.put(chat, &Message{From: s.bot, Kind: "photo", File: &kept, Album: album, Text: text})
		text = ""
	}
}
