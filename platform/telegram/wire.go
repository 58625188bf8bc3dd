package telegram

import (
	"encoding/json"
	"errors"
	"strings"
)

// What Telegram sends, as far as it is read. Whatever is not read may be anything.

type update struct {
	ID       int              `json:"update_id"`
	Message  *message         `json:"message"`
	Edited   *message         `json:"edited_message"`
	Reaction *messageReaction `json:"message_reaction"`
	Callback *callback        `json:"callback_query"`
	Standing *standing        `json:"my_chat_member"`
}

// heard are the kinds of updates that are asked for. Telegram leaves reactions out unless
// they are named.
var heard = []string{"message", "edited_message", "message_reaction", "callback_query", "my_chat_member"}

type user struct {
	ID       int64  `json:"id"`
	Bot      bool   `json:"is_bot"`
	First    string `json:"first_name"`
	Last     string `json:"last_name"`
	Username string `json:"username"`
}

func (u user) name() string {
	if n := strings.TrimSpace(u.First + " " + u.Last); n != "" {
		return n
	}
	return u.Username
}

type chat struct {
	ID       int64  `json:"id"`
	Type     string `json:"type"`
	Title    string `json:"title"`
	Username string `json:"username"`
}

type message struct {
	ID        int      `json:"message_id"`
	Thread    int      `json:"message_thread_id"`
	InTopic   bool     `json:"is_topic_message"`
	From      *user    `json:"from"`
	As        *chat    `json:"sender_chat"`
	Automatic bool     `json:"is_automatic_forward"`
	Date      int64    `json:"date"`
	EditDate  int64    `json:"edit_date"`
	Chat      chat     `json:"chat"`
	ReplyTo   *message `json:"reply_to_message"`
	Quote     *struct {
		Text string `json:"text"`
	} `json:"quote"`
	Text            string   `json:"text"`
	Entities        []entity `json:"entities"`
	Caption         string   `json:"caption"`
	CaptionEntities []entity `json:"caption_entities"`
	Album           string   `json:"media_group_id"`

	Photo     []media `json:"photo"`
	Document  *media  `json:"document"`
	Audio     *media  `json:"audio"`
	Voice     *media  `json:"voice"`
	Video     *media  `json:"video"`
	VideoNote *media  `json:"video_note"`
	Animation *media  `json:"animation"`
	Sticker   *media  `json:"sticker"`

	Location *struct {
		Latitude  float64 `json:"latitude"`
		Longitude float64 `json:"longitude"`
	} `json:"location"`
	Contact *struct {
		First string `json:"first_name"`
		Last  string `json:"last_name"`
		Phone string `json:"phone_number"`
	} `json:"contact"`
	Poll *struct {
		Question string `json:"question"`
	} `json:"poll"`
	Dice *struct {
		Emoji string `json:"emoji"`
		Value int    `json:"value"`
	} `json:"dice"`

	TopicMade json.RawMessage `json:"forum_topic_created"`
	MovedTo   int64           `json:"migrate_to_chat_id"`
	MovedFrom int64           `json:"migrate_from_chat_id"`
}

// place is where a message stands. Outside of forums a thread is what answers one message,
// and no room.
func (m *message) place() place {
	p := place{chat: m.Chat.ID}
	if m.InTopic {
		p.thread = m.Thread
	}
	return p
}

// An entity is a stretch of a text with a meaning, counted in UTF-16.
type entity struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
	User   *user  `json:"user"`
}

type media struct {
	ID       string `json:"file_id"`
	Name     string `json:"file_name"`
	Type     string `json:"mime_type"`
	Size     int64  `json:"file_size"`
	Emoji    string `json:"emoji"` // a sticker's
	Animated bool   `json:"is_animated"`
	Video    bool   `json:"is_video"`
}

type messageReaction struct {
	Chat    chat           `json:"chat"`
	Message int            `json:"message_id"`
	User    *user          `json:"user"`
	As      *chat          `json:"actor_chat"`
	Date    int64          `json:"date"`
	Old     []reactionType `json:"old_reaction"`
	New     []reactionType `json:"new_reaction"`
}

type reactionType struct {
	Type   string `json:"type"`
	Emoji  string `json:"emoji"`
	Custom string `json:"custom_emoji_id"`
}

type callback struct {
	ID      string   `json:"id"`
	From    user     `json:"from"`
	Message *message `json:"message"`
	Data    string   `json:"data"`
}

// standing is what became of the bot in a chat.
type standing struct {
	Chat chat `json:"chat"`
	New  struct {
		Status string `json:"status"`
	} `json:"new_chat_member"`
}

// decode reads an update. A field of another kind than expected is left out, as long as
// the rest can be read.
func decode(raw []byte, v any) error {
	err := json.Unmarshal(raw, v)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		return nil
	}
	return err
}
