package telegram

import (
	"time"
)

// An album is several messages of Telegram's that are one to whoever wrote it. Its parts
// come one after the other. They are handed over as one message with the id of the first;
// until then Telegram is not told that any of them was received.
type album struct {
	id    string
	chat  int64
	parts int // that were seen
}

// albumTime is how long to wait for more parts.
const albumTime = 700 * time.Millisecond

// albumOf is the album that an update is a part of, if it is.
func albumOf(u *update) album {
	if u.Message == nil || u.Message.Album == "" {
		return album{}
	}
	return album{id: u.Message.Album, chat: u.Message.Chat.ID}
}

// same tells whether it is the same album, however much of it was seen.
func (a album) same(other album) bool { return a.id == other.id && a.chat == other.chat }
